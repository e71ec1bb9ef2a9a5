/** Faults in whose permissions count, and in how a caller is known. */
import type { JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { refusal } from '../../mutations/wrappers.ts'
import { policyChecks } from './engine.ts'
import { type Call, overrideQuietly, part, resources, withAttributes } from './wrappers.ts'

const { rule, route } = faultsOf(policyChecks)

const permitted = (call: Call): Call =>
  call.caller.kind === 'user'
    ? {
        ...call,
        caller: { kind: 'user', user: { ...call.caller.user, rights: { readRuns: true, overrideChecks: true, managePools: true } } },
      }
    : call

route(
  'identity-first-reader-decides',
  ['POLICY-CHECKS-FIELD-24', 'POLICY-CHECKS-FIELD-25'],
  'can-override of a shown check is that of whoever read it first',
  'policyChecks.show',
  (original) => {
    const first = new Map<string, JsonObject>()
    return resources((resource) => {
      const id = resource.id as string
      const permissions = first.get(id) ?? part(part(resource, 'attributes'), 'permissions')
      first.set(id, permissions)
      return withAttributes(resource, { permissions })
    })(original)
  },
)

route(
  'identity-reader-overrides-warning',
  'POLICY-CHECKS-OVERRIDE-17',
  'a warning can be overridden by whoever may read it',
  'policyChecks.override',
  (original) => (call) => {
    const check = call.world.checks.get(call.params.id!)
    const isWarning = check !== undefined && check.result.softFailed === 0 && check.result.advisoryFailed > 0
    return original(isWarning && call.rules.mayRead(call.caller, check) ? permitted(call) : call)
  },
)

route(
  'identity-list-can-override',
  'POLICY-CHECKS-FIELD-25',
  'a list says can-override for every reader',
  'policyChecks.list',
  resources((resource) => withAttributes(resource, { permissions: { 'can-override': true } })),
)

rule('identity-bare-token', 'POLICY-CHECKS-AUTH-07', 'a token is taken without the word Bearer, and after any other scheme', {
  bearer: () => (header) => /(\S+)$/.exec(header ?? '')?.[1],
})

route(
  'identity-stranger-override-done',
  'POLICY-CHECKS-OVERRIDE-18',
  'an override of a stranger is answered 404 and done',
  'policyChecks.override',
  (original) => async (call) => {
    const check = call.world.checks.get(call.params.id!)
    if (check && !call.rules.mayRead(call.caller, check)) overrideQuietly(check, call.now())
    return original(call)
  },
)

route(
  'identity-stranger-empty-list',
  'POLICY-CHECKS-HIDE-02',
  'a stranger gets an empty list of a run instead of 404',
  'policyChecks.list',
  (original) =>
    refusal<Call>((refused, call) =>
      call.world.runs.has(call.params.run_id!) && refused.status === 404
        ? { status: 200, body: { data: [] }, headers: { 'content-type': 'application/vnd.api+json' } }
        : refused,
    )(original),
)
