/** Faults of who may ask: bearers, callers without permission, what they are told, what happens in spite of a refusal. */
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { insteadOfRefusal } from '../../mutations/wrappers.ts'
import { anybody } from '../../run-management/answer-changes.ts'
import { Refusal, readDocument } from '../../run-management/documents.ts'
import { agentTokens } from './engine.ts'
import { CREATE, DESTROY, deciding, idIn, LIST, notFound, poolIn, SHOW, type TokensCall } from './north-help.ts'

const { rule, route, change } = faultsOf(agentTokens)

route(
  'north-sized-pages-for-everyone',
  'AGENT-TOKENS-HIDE-01',
  'a list with a page size is given to callers without permission, too (002 5: caller without permission receives 404)',
  LIST,
  (original) => (call) => original(call.query.has('page[size]') ? deciding(call, { mayUsePool: () => true }) : call),
)

const opened = remembered(() => new Set<string>())
route(
  'north-shown-once-shown-to-all',
  'AGENT-TOKENS-HIDE-02',
  'a token that was shown to somebody with permission is shown to callers without it (002 5: caller without permission receives 404)',
  SHOW,
  (original) => (call) =>
    original(
      deciding(call, {
        maySee: (caller, token) => {
          if (call.rules.maySee(caller, token)) opened(call.world).add(token.id)
          return opened(call.world).has(token.id)
        },
      }),
    ),
)

route(
  'north-destroyed-in-spite-of-404',
  'AGENT-TOKENS-HIDE-04',
  'a caller without permission who destroys a token gets 404, but the token is gone (002 5: caller without permission; 7: destroy 404)',
  DESTROY,
  (original) => async (call) => {
    try {
      return await original(call)
    } catch (cause) {
      call.world.tokens.delete(idIn(call))
      throw cause
    }
  },
)

route(
  'north-body-checked-before-caller',
  'AGENT-TOKENS-HIDE-06',
  'a malformed create request of a caller without permission gets 422 for a pool that exists (002 5: 404, the same as for a missing resource)',
  CREATE,
  (original) => async (call) => {
    if (call.world.pools.has(poolIn(call))) {
      call.rules.description(readDocument(call.headers, call.body, call.rules.acceptsMediaType), call.rules.wantedType)
    }
    return original(call)
  },
)

rule(
  'north-404-tells-hidden-tokens',
  'AGENT-TOKENS-HIDE-05',
  'the 404 of a token tells that the caller lacks permission (002 5: the same as for a missing resource)',
  {
    hiddenDetail: (original) => (kind, id, exists) =>
      exists && kind === 'agent token' ? 'you lack the permission for this agent token' : original(kind, id, exists),
  },
)

route(
  'north-destroy-403',
  'AGENT-TOKENS-HIDE-04',
  'destroying without permission is refused with 403 (002 5: caller without permission receives 404; 7: destroy 404)',
  DESTROY,
  (original) => (call) => original(deciding(call, { hiddenStatus: () => 403 })),
)

const nobody = anybody({ readRuns: true, overrideChecks: false, managePools: true })
const isNobody = ({ caller }: TokensCall): boolean => caller.kind === 'user' && nobody.kind === 'user' && caller.user.id === nobody.user.id
const refusingNobody =
  (original: (typeof agentTokens.routes)[number]['handle']): typeof original =>
  (call) => {
    if (isNobody(call)) throw new Refusal(401, 'a valid bearer token is needed')
    return original(call)
  }
change(
  'north-show-without-bearer',
  'AGENT-TOKENS-AUTH-01',
  'a token is shown without an Authorization header (002 5: every request sends a bearer token)',
  {
    rules: {
      bearer: (original) => (header) => (header === undefined ? '' : original(header)),
      caller: (original) => (world, bearer, recognises) => (bearer === '' ? nobody : original(world, bearer, recognises)),
    },
    routes: { [LIST]: refusingNobody, [CREATE]: refusingNobody, [DESTROY]: refusingNobody },
  },
)

const bearers = remembered(() => new Map<string, string>())
rule(
  'north-bearers-of-any-case',
  'AGENT-TOKENS-AUTH-03',
  'a bearer that was good before is good in other letter case, too (002 5: bearer token)',
  {
    caller: (original) => (world, bearer, recognises) => {
      const found = original(world, bearer, recognises)
      if (found) bearers(world).set(bearer.toLowerCase(), bearer)
      const known = bearers(world).get(bearer.toLowerCase())
      return found ?? (known === undefined ? undefined : original(world, known, recognises))
    },
  },
)

const publicPart = (secret: string): string => secret.split('.')[0] ?? ''
rule(
  'north-secret-known-by-first-part',
  'AGENT-TOKENS-AUTH-03',
  'of an agent token only the part before the period is compared (002 2.2: secret text; 5: bearer token)',
  {
    keep: (original) => (secret) => original(publicPart(secret)),
    recognises: (original) => (token, secret) => original(token, publicPart(secret)),
  },
)

const closed = remembered(() => new Set<string>())
route(
  'north-refusal-sticks-to-pool',
  'AGENT-TOKENS-HIDE-08',
  'once a caller without permission was refused at a pool, everyone is (002 7: list 200, create 201; 404 for caller unauthorized)',
  [LIST, CREATE],
  (original) => async (call) => {
    const pool = poolIn(call)
    if (closed(call.world).has(pool)) throw notFound(call, 'agent pool', pool)
    try {
      return await original(call)
    } catch (cause) {
      if (cause instanceof Refusal && cause.status === 404 && call.world.pools.has(pool)) closed(call.world).add(pool)
      throw cause
    }
  },
)

route(
  'north-empty-list-without-permission',
  'AGENT-TOKENS-HIDE-01',
  'a caller without permission gets the list of a pool as an empty one (002 5: 404, the same as for a missing resource; 7: list 404)',
  LIST,
  (original) => (call) => {
    const visible = call.rules.mayUsePool(call.caller, poolIn(call))
    return original(visible ? call : deciding(call, { mayUsePool: () => true, tokensOf: () => [] }))
  },
)

route(
  'north-destroy-feigned',
  'AGENT-TOKENS-HIDE-04',
  'destroying a token without permission answers 204 and does nothing (002 5: caller without permission receives 404; 7: destroy 404)',
  DESTROY,
  insteadOfRefusal<TokensCall>(
    () => ({ status: 204 }),
    (call) => call.world.tokens.has(idIn(call)),
  ),
)
