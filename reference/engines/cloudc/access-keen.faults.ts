/** Faults in who may ask for what: tokens, carriers, verbs, capabilities, and the kind of roleset that a secret is asked of. */
import { coreEngine } from '../../core/core-engine.ts'
import { type Asked, anyoneMay, bearerIgnored, countsAs, goodForEver } from '../../mutations/callers.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { isProvisioning, isWrite } from '../../mutations/request-kinds.ts'
import { cloudcEngine } from './engine.ts'
import type { CloudcState } from './state.ts'

const core = faultsOf(coreEngine, 'cloudc')
const { route } = faultsOf(cloudcEngine)

const ROTATION = /(^|\/)roleset\/[^/]+\/rotate(-key)?$/
const ROLESET = /(^|\/)roleset\/[^/]+$/
const SECRET = /(^|\/)(token|key)\/[^/]+$/

const isOurs = (call: Asked): boolean => call !== undefined && 'mayGiveKey' in call.rules

const asks = (call: Asked, method: string, path: RegExp): boolean => isOurs(call) && call?.method === method && path.test(call.path)

core.rule(
  'keen-post-key-unchecked',
  ['CORE-CAP-04'],
  'any token may get a key with POST, whatever its policies grant (000 7, 403 without access; 5, capabilities)',
  anyoneMay((call) => asks(call, 'POST', /(^|\/)key\/[^/]+$/)),
)

core.rule(
  'keen-create-overwrites-roleset',
  ['CORE-CAP-07'],
  'who may only create rolesets may update existing ones (000 1.6 and 5.4, policies distinguish create and update)',
  countsAs('create', (call) => asks(call, 'POST', ROLESET), 'update'),
)

core.rule(
  'keen-roleset-policy-covers-rotation',
  ['CORE-CAP-04'],
  'a policy for exactly the path of a roleset covers rotate and rotate-key below it, too (000 7, 403 without access to the path)',
  {
    patternMatches: (original) => (pattern, path) =>
      original(pattern, path) || (ROTATION.test(path) && original(pattern, path.replace(/\/rotate(-key)?$/, ''))),
  },
)

core.rule(
  'keen-token-policy-as-prefix',
  ['CORE-CAP-01'],
  'a policy for the tokens of one roleset covers those of rolesets whose names begin with its name (000 7, 403 without access to the path)',
  {
    patternMatches: (original) => (pattern, path) =>
      original(pattern, path) || (/^(?!auth\/).*token\/[^/*+]+$/.test(pattern) && SECRET.test(path) && path.startsWith(pattern)),
  },
)

core.rule(
  'keen-bearer-ignored-on-writes',
  ['CORE-AUTH-07'],
  'a bearer token is not seen on writes of rolesets (000 2.1 and 5.1, Authorization: alternative token carrier)',
  bearerIgnored((request) => isWrite(request) && /(^|\/)roleset\//.test(request.path)),
)

core.rule(
  'keen-ended-token-still-gets-secrets',
  ['CORE-AUTH-15'],
  'a token that was used for secrets of rolesets while it was good goes on getting them when it is revoked (000 7, 403: wrong credentials)',
  goodForEver((request) => SECRET.test(request.path) && !isProvisioning(request)),
)

core.rule(
  'keen-config-read-without-token',
  ['CORE-AUTH-01', 'CORE-AUTH-03'],
  'the configuration is read without any token (000 5.1 and 5.3, unauthenticated endpoints)',
  {
    needsToken: (original) => (facts) => facts?.id !== 'cloudc.readConfig' && original(facts),
  },
)

core.rule(
  'keen-list-by-query-unchecked',
  ['CORE-CAP-17'],
  'with GET and list=true any token may list rolesets, with LIST only who has the capability (000 1.5 and 7, 403)',
  anyoneMay((call) => asks(call, 'LIST', /(^|\/)rolesets$/) && call?.query.get('list') === 'true'),
)

core.rule(
  'keen-put-rotation-without-token',
  ['CORE-AUTH-01', 'CORE-AUTH-03'],
  'rotations with PUT need no good token (000 1.6, PUT and POST are synonyms; 5.1, a token is required)',
  {
    callerRefused: (original) => (given, token, request) =>
      request.method === 'PUT' && ROTATION.test(request.path) ? undefined : original(given, token, request),
  },
)

core.rule(
  'keen-reader-deletes-roleset',
  ['CORE-CAP-21'],
  'who may only read a roleset may delete it (000 7, 403 without access)',
  countsAs('read', (call) => asks(call, 'DELETE', ROLESET), 'delete'),
)

route(
  'keen-post-token-of-administrator',
  ['CLOUDC-TOK-05'],
  'with POST a token is that of the credentials of the mount, not that of the account of the roleset (000 4.3, token/:roleset)',
  'cloudc.createToken',
  (original) => (call) => {
    const name = call.params.roleset ?? ''
    const roleset = call.state.rolesets.get(name)
    if (roleset?.account.tokenKey === undefined) return original(call)
    const tokenKey = { ...roleset.account.tokenKey, file: call.state.config.credentials }
    const rolesets = new Map(call.state.rolesets).set(name, { ...roleset, account: { ...roleset.account, tokenKey } })
    return original({ ...call, state: Object.assign(Object.create(call.state) as CloudcState, { rolesets }) })
  },
)

route(
  'keen-post-key-of-any-type',
  ['CLOUDC-KEY-10'],
  'with POST a roleset of type access_token gives keys, too (000 4.3, key/:roleset: roleset must have secret_type service_account_key)',
  'cloudc.createKey',
  (original) => (call) => original({ ...call, rules: { ...call.rules, mayGiveKey: () => undefined } }),
)
