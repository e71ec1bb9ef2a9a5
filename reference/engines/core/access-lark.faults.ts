/** Faults of the conventions: who asks, by which carrier and verb, with which capability, in which namespace. */
import { coreEngine } from '../../core/core-engine.ts'
import type { JsonObject } from '../../core/json.ts'
import { denyOverlooked } from '../../mutations/callers.ts'
import { faultsOf } from '../../mutations/declare.ts'

const { rule, route } = faultsOf(coreEngine, 'core')

const withoutDefault = (policies: readonly string[]): string[] => policies.filter((name) => name !== 'default')

route(
  'lark-first-policy-only',
  'CORE-CAP-03',
  'of several policies of a token only the first counts besides the default (000, 1.6 and 7: policies give access, 403 is for those without)',
  'token.create',
  (original) => async (call) => {
    const reply = await original(call)
    const auth = ((reply.body as JsonObject | undefined)?.auth ?? {}) as JsonObject
    const token = call.state.tokens.find(String(auth.client_token))
    if (token) {
      const [first] = withoutDefault(token.policies)
      token.policies = token.policies.filter((name) => name === 'default' || name === first)
    }
    return reply
  },
)

rule(
  'lark-sudo-not-for-delete',
  'CORE-CAP-15',
  'sudo is not asked for where something is deleted (000, 5.4; 001, 4.2: DELETE /pki/root needs sudo)',
  {
    needsSudo: (original) => (facts) => facts.method !== 'DELETE' && original(facts),
  },
)

rule(
  'lark-deny-among-several',
  'CORE-CAP-01',
  'a deny does not count for a token that has several policies (000, 7: 403 no access; 404 when the caller may not view a path)',
  denyOverlooked((call) => withoutDefault(call?.token?.policies ?? []).length > 1),
)
