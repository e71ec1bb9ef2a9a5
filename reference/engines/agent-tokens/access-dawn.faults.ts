/** Faults of who may ask: bearers, rights of users, what a refusal tells and does, how long a decision holds. */
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { anybody, changedResources } from '../../run-management/answer-changes.ts'
import { Refusal, readDocument, toOne } from '../../run-management/documents.ts'
import type { Caller } from '../../run-management/world.ts'
import { idIn, onRefusal, permitted, poolIn, type Rules, whoIs } from './dawn-help.ts'
import { agentTokens } from './engine.ts'

const { rule, route, change } = faultsOf(agentTokens)

const NO_RIGHTS = { readRuns: false, overrideChecks: false, managePools: false }

const pending = remembered(() => new Set<string>())
change(
  'dawn-refused-destroy-unlists',
  'AGENT-TOKENS-HIDE-08',
  'a destroy that is refused takes the token out of the list (002 5.2; 7: destroy 404)',
  {
    rules: { tokensOf: (original) => (world, pool) => original(world, pool).filter(({ id }) => !pending(world).has(id)) },
    routes: {
      'agentTokens.destroy': (original) => (call) => {
        pending(call.world).add(idIn(call))
        return original(call)
      },
    },
  },
)

route(
  'dawn-destroy-tells-hidden',
  'AGENT-TOKENS-HIDE-05',
  'destroy tells a hidden token from a missing one (002 5.2: the same as for a missing resource)',
  'agentTokens.destroy',
  onRefusal((refusal, call) => {
    if (!call.world.tokens.has(idIn(call))) throw refusal
    throw new Refusal(refusal.status, 'you may not manage tokens of this agent pool')
  }),
)

route(
  'dawn-create-forbidden-to-readers',
  'AGENT-TOKENS-HIDE-06',
  'who may read runs but not manage pools hears 403 on create (002 5.2; 7: create 404)',
  'agentTokens.create',
  onRefusal((refusal, call) => {
    const { caller } = call
    const isMember = caller.kind === 'user' && caller.user.rights.readRuns
    throw refusal.status === 404 && isMember && call.world.pools.has(poolIn(call)) ? refusal.with(403) : refusal
  }),
)

route(
  'dawn-create-validates-before-asking',
  'AGENT-TOKENS-HIDE-06',
  'a malformed create in a hidden pool answers 422, in a missing one 404 (002 5.2; 7: create 404)',
  'agentTokens.create',
  (original) => (call) => {
    const { rules } = call
    if (call.world.pools.has(poolIn(call)))
      rules.description(readDocument(call.headers, call.body, rules.acceptsMediaType), rules.wantedType)
    return original(call)
  },
)

const goodBearers = remembered(() => new Map<string, string>())
rule('dawn-bearer-of-32-characters', 'AGENT-TOKENS-AUTH-03', 'of a bearer that was good before 32 characters are compared (002 5.1)', {
  caller: (original) => (world, bearer, recognises) => {
    const found = original(world, bearer, recognises)
    if (found) goodBearers(world).set(bearer.slice(0, 32), bearer)
    return found ?? original(world, goodBearers(world).get(bearer.slice(0, 32)) ?? bearer, recognises)
  },
})

const allowed = remembered(() => new Map<string, Caller>())
route(
  'dawn-show-decision-of-token',
  'AGENT-TOKENS-HIDE-02',
  'a token that somebody was shown is shown to everybody (002 5.2; 7: show 404)',
  'agentTokens.show',
  (original) => async (call) => {
    const before = allowed(call.world).get(idIn(call))
    const reply = await original(before ? { ...call, caller: before } : call)
    allowed(call.world).set(idIn(call), call.caller)
    return reply
  },
)

route(
  'dawn-empty-pool-open-to-all',
  'AGENT-TOKENS-HIDE-01',
  'a pool without tokens is listed to whoever may not see it (002 5.2; 7: list 404)',
  'agentTokens.list',
  onRefusal((refusal, call, original) => {
    const pool = poolIn(call)
    const isEmpty = call.world.pools.has(pool) && call.rules.tokensOf(call.world, pool).length === 0
    if (isEmpty && refusal.status === 404) return original(permitted(call))
    throw refusal
  }),
)

change('dawn-show-without-bearer', 'AGENT-TOKENS-AUTH-01', 'a token is shown without any Authorization header (002 5.1)', {
  rules: {
    bearer: (original) => (header) => (header === undefined ? 'anonymous' : original(header)),
    caller: (original) => (world, bearer, recognises) =>
      original(world, bearer, recognises) ?? (bearer === 'anonymous' ? anybody(NO_RIGHTS) : undefined),
  },
  routes: {
    'agentTokens.show': (original) => (call) => original(whoIs(call.caller) === 'user-anonymous' ? permitted(call) : call),
  },
})

route(
  'dawn-created-by-who-asks',
  'AGENT-TOKENS-FIELD-13',
  'show names the caller as creator (002 2.2: created-by)',
  'agentTokens.show',
  changedResources<Rules>((resource, call) => ({
    ...resource,
    relationships: { 'created-by': toOne('users', whoIs(call.caller)) },
  })),
)

route(
  'dawn-destroy-silent-refusal',
  'AGENT-TOKENS-HIDE-04',
  'who may not destroy a token hears 204, nothing happens (002 5.2; 7: destroy 404)',
  'agentTokens.destroy',
  onRefusal((refusal, call) => {
    if (refusal.status === 404 && call.world.tokens.has(idIn(call))) return { status: call.rules.destroyedStatus() }
    throw refusal
  }),
)

change('dawn-wrong-bearer-is-guest', 'AGENT-TOKENS-AUTH-03', 'a bearer that nobody has lists every pool as empty (002 5.1, 5.2)', {
  rules: { caller: (original) => (world, bearer, recognises) => original(world, bearer, recognises) ?? anybody(NO_RIGHTS) },
  routes: {
    'agentTokens.list': (original) => (call) => {
      if (whoIs(call.caller) !== 'user-anonymous') return original(call)
      return original({ ...permitted(call), world: { ...call.world, tokens: new Map() } })
    },
  },
})

rule('dawn-id-is-bearer', 'AGENT-TOKENS-AUTH-03', 'the id of an agent token serves as its bearer (002 1.2, 5.1)', {
  recognises: (original) => (token, secret) => token.id === secret || original(token, secret),
})
