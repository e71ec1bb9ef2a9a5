/** Faults of who may ask: bearers, callers without permission, what is told to them, what their requests do. */
import type { Reply } from '../../core/reply.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { readDocument } from '../../run-management/documents.ts'
import type { Caller } from '../../run-management/world.ts'
import { agentTokens } from './engine.ts'
import { CREATE, callerId, DESTROY, idNamed, LIST, poolNamed, SHOW, type TokensCall, tokenNamed, withRules } from './south-help.ts'

const { rule, route, change } = faultsOf(agentTokens)

/** Whether the request names a token that is there and that the caller may not destroy. */
const isStrange = (call: TokensCall): boolean => {
  const token = tokenNamed(call)
  return token !== undefined && !call.rules.mayManage(call.caller, token.poolId)
}

const answers = remembered(() => new Map<string, Reply>())
route(
  'south-shown-answer-for-everybody',
  'AGENT-TOKENS-HIDE-02',
  'a token that was shown to a caller with permission is shown to callers without (002 5: caller without permission receives 404)',
  SHOW,
  (original) => async (call) => {
    const token = tokenNamed(call)
    const known = answers(call.world).get(idNamed(call))
    if (token && known && !call.rules.maySee(call.caller, token)) return known
    const given = await original(call)
    answers(call.world).set(idNamed(call), given)
    return given
  },
)

route(
  'south-refused-destroy-destroys',
  'AGENT-TOKENS-HIDE-04',
  'a destroy request of a caller without permission answers 404, but the token is gone (002 7: destroy 404, caller unauthorized)',
  DESTROY,
  (original) => async (call) => {
    const token = tokenNamed(call)
    if (token && isStrange(call)) await call.rules.remove(call.world, token)
    return original(call)
  },
)

route(
  'south-strange-destroy-forbidden',
  'AGENT-TOKENS-HIDE-04',
  'destroying a token without permission answers 403 (002 5: 404, the same as for a missing resource)',
  DESTROY,
  (original) => (call) => original(withRules(call, { hiddenStatus: () => 403 })),
)

route(
  'south-create-tells-hidden-pool',
  'AGENT-TOKENS-HIDE-06',
  'the refusal of a create tells a pool without permission from a missing one (002 5: 404, the same as for a missing resource)',
  CREATE,
  (original) => (call) =>
    original(
      withRules(call, {
        hiddenDetail: (kind, id, exists) =>
          exists ? `tokens of this ${kind} are not yours to create` : call.rules.hiddenDetail(kind, id, false),
      }),
    ),
)

route(
  'south-strange-pool-looks-empty',
  'AGENT-TOKENS-HIDE-01',
  'the list of a pool without permission answers 200 without tokens (002 7: list 404, caller unauthorized)',
  LIST,
  (original) => (call) =>
    original(call.rules.mayUsePool(call.caller, poolNamed(call)) ? call : withRules(call, { mayUsePool: () => true, tokensOf: () => [] })),
)

route(
  'south-strange-pool-checks-body',
  'AGENT-TOKENS-HIDE-06',
  'a malformed create in a pool without permission answers 422, in a missing pool 404 (002 5: 404, the same as for a missing resource)',
  CREATE,
  (original) => (call) => {
    const { rules } = call
    if (call.world.pools.has(poolNamed(call))) {
      rules.description(readDocument(call.headers, call.body, rules.acceptsMediaType), rules.wantedType)
    }
    return original(call)
  },
)

rule(
  'south-scheme-not-looked-at',
  'AGENT-TOKENS-AUTH-10',
  'a good token passes with another scheme or with none (002 5: every request sends a bearer token)',
  {
    bearer: () => (header) => /^(?:\S+ +)?(\S+)$/.exec(header ?? '')?.[1],
  },
)

rule('south-bearer-cut-at-forty', 'AGENT-TOKENS-AUTH-03', 'a good token passes with more text behind it (002 5: bearer token)', {
  caller: (original) => (world, bearer, recognises) =>
    original(world, bearer, recognises) ?? (bearer.length > 40 ? original(world, bearer.slice(0, 40), recognises) : undefined),
})

const folded = remembered(() => new Map<string, Caller>())
rule(
  'south-bearer-in-any-case',
  'AGENT-TOKENS-AUTH-03',
  'a bearer that was good before passes in another letter case (002 5: bearer token)',
  {
    caller: (original) => (world, bearer, recognises) => {
      const found = original(world, bearer, recognises)
      if (found?.kind === 'user') folded(world).set(bearer.toLowerCase(), found)
      return found ?? folded(world).get(bearer.toLowerCase())
    },
  },
)

route(
  'south-sized-pages-for-everybody',
  'AGENT-TOKENS-HIDE-01',
  'a list with a page size is answered to callers without permission (002 7: list 404, caller unauthorized)',
  LIST,
  (original) => (call) => original(call.query.has('page[size]') ? withRules(call, { mayUsePool: () => true }) : call),
)

route(
  'south-strange-destroy-looks-done',
  'AGENT-TOKENS-HIDE-04',
  'a destroy request of a caller without permission answers 204, but the token stays (002 7: destroy 404, caller unauthorized)',
  DESTROY,
  (original) => (call) => (isStrange(call) ? { status: call.rules.destroyedStatus() } : original(call)),
)

const secrets = remembered(() => new Map<string, string>())
change(
  'south-creator-lists-secrets',
  'AGENT-TOKENS-SECRET-03',
  'the creator of a token finds its secret text in the list (002 8: shown only once, in the create response)',
  {
    routes: {
      [CREATE]: (original) => (call) =>
        original(
          withRules(call, {
            secretText: (token, occasion, secret) => {
              if (secret !== undefined) secrets(call.world).set(token.id, secret)
              return call.rules.secretText(token, occasion, secret)
            },
          }),
        ),
      [LIST]: (original) => (call) =>
        original(
          withRules(call, {
            secretText: (token, occasion, secret) => {
              const kept = token.createdBy === callerId(call) ? secrets(call.world).get(token.id) : undefined
              return kept ?? call.rules.secretText(token, occasion, secret)
            },
          }),
        ),
    },
  },
)
