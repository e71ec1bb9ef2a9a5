/** Faults in whose the tokens and keys of rolesets are that are alike, and in what they keep from what came before. */
import type { Reply } from '../../core/reply.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { cloudcEngine } from './engine.ts'
import { type Handler, KEY_ROUTES, nameOf, rolesetOf, TOKEN_ROUTES, withIssue, withState } from './loose-words.ts'
import { type CloudcCall, revokeAll } from './provider-calls.ts'
import type { Roleset } from './state.ts'

const { route } = faultsOf(cloudcEngine)

const isThere = (call: CloudcCall, email: string): boolean =>
  [...call.state.rolesets.values()].some(({ account }) => account.email === email)

/** Serves a roleset with what the first one of its kind got, while that one has the account of then. */
const sharedBy = (kindOf: (roleset: Roleset) => string): ((original: Handler) => Handler) => {
  const given = remembered(() => new Map<string, { email: string; reply: Reply }>())
  return (original) => async (call) => {
    const roleset = rolesetOf(call)
    if (roleset?.secretType !== 'access_token') return original(call)
    const known = given(call.state).get(kindOf(roleset))
    if (known && isThere(call, known.email)) return known.reply
    const reply = await original(call)
    given(call.state).set(kindOf(roleset), { email: roleset.account.email, reply })
    return reply
  }
}

/** Serves a request by the account of the first other roleset of a kind, where there is one. */
const byAccountOf =
  (isIt: (other: Roleset, own: Roleset) => boolean): ((original: Handler) => Handler) =>
  (original) =>
  (call) => {
    const own = rolesetOf(call)
    const other = own && [...call.state.rolesets.values()].find((one) => one.secretType === own.secretType && isIt(one, own))
    if (!own || !other) return original(call)
    return original(withState(call, { rolesets: new Map(call.state.rolesets).set(nameOf(call), { ...own, account: other.account }) }))
  }

const bindingsOf = ({ bindings }: Roleset): string => JSON.stringify(bindings)

route(
  'token-by-bindings',
  ['CLOUDC-TOK-05'],
  'rolesets with the same bindings and scopes share a token (000 4.3, token/:roleset)',
  TOKEN_ROUTES,
  sharedBy((roleset) => `${bindingsOf(roleset)} ${roleset.scopes.join(' ')}`),
)

route(
  'posted-token-by-scopes',
  ['CLOUDC-TOK-05'],
  'a token by POST is that of the first roleset with these scopes, by GET each has its own (000 4.3, token/:roleset)',
  'cloudc.createToken',
  sharedBy(({ scopes }) => scopes.join(' ')),
)

route(
  'token-by-account',
  ['CLOUDC-TOK-04', 'CLOUDC-SET-20'],
  'an account has one token, whatever scopes its roleset has been given since (000 4.3: scopes are those of the roleset)',
  TOKEN_ROUTES,
  sharedBy(({ account }) => account.email),
)

route(
  'key-of-first-account',
  ['CLOUDC-KEY-03'],
  'keys of rolesets with the same bindings are keys of the first one’s account (000 4.3, key/:roleset)',
  KEY_ROUTES,
  byAccountOf((other, own) => bindingsOf(other) === bindingsOf(own)),
)

route(
  'key-by-post-of-project',
  ['CLOUDC-KEY-03'],
  'a key by POST is one of the first account of the project (000 4.3, key/:roleset)',
  'cloudc.createKey',
  byAccountOf((other, own) => other.project === own.project),
)

const before = remembered(() => new Map<string, { scopes: string[] }>())

route(
  'scopes-grow',
  ['CLOUDC-TOK-04', 'CLOUDC-SET-20'],
  'a token by POST has the scopes that its roleset had at any time (000 4.3: scopes are those of the roleset)',
  'cloudc.createToken',
  (original) => (call) => {
    const own = rolesetOf(call)
    if (!own) return original(call)
    const scopes = [...new Set([...(before(call.state).get(nameOf(call))?.scopes ?? []), ...own.scopes])]
    before(call.state).set(nameOf(call), { scopes })
    return original(withState(call, { rolesets: new Map(call.state.rolesets).set(nameOf(call), { ...own, scopes }) }))
  },
)

/** Wraps what the end of a key's lease does. */
const atEnd = (more: (call: CloudcCall, end: () => Promise<void>) => Promise<void>): ((original: Handler) => Handler) =>
  withIssue((call, issue) => (issuing, request) => issue(issuing, { ...request, revoke: () => more(call, request.revoke) }))

route(
  'revoked-key-takes-rights',
  ['CLOUDC-MODEL-01'],
  'the end of a key takes the rights of its account back (000 2.5: leased; the bindings are those of the roleset)',
  KEY_ROUTES,
  atEnd(async (call, end) => {
    await end()
    const roleset = rolesetOf(call)
    if (roleset) await revokeAll(call, roleset.bindings, roleset.account.email)
  }),
)

const ended = remembered(() => new Map<string, { reply: Reply }>())

route(
  'revoked-key-again',
  ['CLOUDC-KEY-04', 'CLOUDC-KEY-12'],
  'a key by GET is the first one of its account for ever, once a key has ended (000 4.3, key/:roleset; 2.5: leased)',
  'cloudc.readKey',
  (original) => async (call) => {
    const email = rolesetOf(call)?.account.email ?? ''
    const known = ended(call.state).get(email)
    if (known) return known.reply
    const reply: Reply = await atEnd(async (_call, end) => {
      await end()
      ended(call.state).set(email, { reply })
    })(original)(call)
    return reply
  },
)
