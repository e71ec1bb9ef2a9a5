/** Faults of who may ask: tokens and their carriers, verbs, capabilities, namespaces, kinds of rolesets. */
import { parsedObject } from '../../clouds/provider-requests.ts'
import { coreEngine } from '../../core/core-engine.ts'
import { notFound } from '../../core/errors.ts'
import type { RequestFacts } from '../../core/rules.ts'
import type { Token } from '../../core/tokens.ts'
import { countsAs, denyOverlooked, goodForEver } from '../../mutations/callers.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { requestsTo } from '../../mutations/locating.ts'
import { replyData } from '../../mutations/wrappers.ts'
import { newTokenKey } from './accounts.ts'
import { isCloudc, ruled } from './birch-help.ts'
import { cloudcEngine } from './engine.ts'
import type { CloudcCall } from './provider-calls.ts'

const { route } = faultsOf(cloudcEngine, 'cloudc')
const core = faultsOf(coreEngine, 'cloudc')

const { here, locating } = requestsTo('cloudc')

core.rule(
  'birch-deny-overlooked-at-key-rotation',
  'CORE-CAP-04',
  'whoever is denied rotate-key may rotate the key (000 7: 403 forbidden, no access to the feature)',
  denyOverlooked((call) => isCloudc(call) && call?.path.endsWith('/rotate-key') === true),
)

core.rule(
  'birch-reader-posts-for-tokens',
  'CORE-CAP-04',
  'whoever may read a token may ask for it with POST, too (000 1.6: a write needs its own capability)',
  countsAs('read', (call) => isCloudc(call) && call?.method === 'POST' && /(^|\/)token\/[^/]+$/.test(call.path), 'update'),
)

core.rule(
  'birch-ended-token-reads-rolesets',
  'CORE-AUTH-15',
  'a token that ended still reads rolesets if it did before (000 5: a client token is required)',
  {
    ...locating,
    ...goodForEver(({ method, path }) => here() && method === 'GET' && /\/roleset\/[^/]+$/.test(path)),
  },
)

core.rule(
  'birch-help-for-everybody',
  'CORE-HELP-05',
  'help is given to callers without permission on the path (000 1.7: if the caller has permission)',
  {
    ...locating,
    helpAllowed: (original) => (granted) => here() || original(granted),
  },
)

core.rule(
  'birch-listing-without-token',
  'CORE-AUTH-01',
  'rolesets are listed for callers without a token (000 5: unauthenticated endpoints, verify and public_key)',
  {
    needsToken: (original) => (route) => route?.id !== 'cloudc.listRolesets' && original(route),
  },
)

const ADMINISTRATION = 'https://www.googleapis.com/auth/cloud-platform'

route(
  'birch-posted-token-of-key-roleset',
  'CLOUDC-TOK-10',
  'POST gives an access token of a roleset for keys, GET does not (000 4.3: roleset must have secret_type access_token)',
  'cloudc.createToken',
  (original) => async (call) => {
    const name = call.params.roleset ?? ''
    const roleset = call.state.rolesets.get(name)
    if (roleset?.secretType !== 'service_account_key') return original(call)
    const tokenKey = roleset.account.tokenKey ?? (await newTokenKey(call, roleset.account.email))
    call.state.rolesets.set(name, { ...roleset, account: { ...roleset.account, tokenKey } })
    return original(ruled(call, { mayGiveToken: () => undefined, tokenScopes: () => [ADMINISTRATION] }))
  },
)

/** What the request carried that is being located. */
let carried: { header: string | undefined; path: string } = { header: undefined, path: '' }

core.rule(
  'birch-namespace-half-in-path',
  'CORE-NS-02',
  'a namespace that is given in part by the header and in part by the path is not found (000 2.2: <ns1>/ with path <ns2>/secret/foo)',
  {
    effectivePath: (original) => (header, request, namespaces) => {
      carried = { header, path: request.path }
      return original(header, request, namespaces)
    },
    pathBelow: (original) => (mount, path, type) => {
      if (type === 'cloudc' && carried.header && carried.path !== path) throw notFound('unsupported path')
      return original(mount, path, type)
    },
  },
)

core.rule(
  'birch-put-not-for-keys',
  'CORE-MEDIA-02',
  'PUT is no verb for keys, though GET and POST are (000 1.6: PUT and POST are synonyms)',
  {
    ...locating,
    callerRefused: (original) => (given, token, request) =>
      here() && request.method === 'PUT' && /\/key\/[^/]+$/.test(request.path) ? 405 : original(given, token, request),
  },
)

core.rule(
  'birch-wrong-verb-at-rotation',
  'CORE-STATUS-08',
  'a verb that rotations do not have gives 404 (000 7: 405, unsupported method for the path)',
  {
    wrongMethodStatus: (original) => (method, routes) =>
      routes.some(({ id }) => /^cloudc\.rotate/.test(id)) ? 404 : original(method, routes),
  },
)

const ours = new WeakSet<RequestFacts>()

core.rule(
  'birch-denial-without-errors',
  'CORE-ERROR-01',
  'a refusal with 403 has its text under error, not errors (000 2.4: errors, array of strings)',
  {
    ...locating,
    callerRefused: (original) => (given, token, request) => {
      if (here()) ours.add(request)
      return original(given, token, request)
    },
    failure: (original) => (status, body, request) =>
      original(status, status === 403 && ours.has(request) ? { error: 'permission denied' } : body, request),
  },
)

const allowed = new WeakMap<Token, Set<string>>()

core.rule(
  'birch-grant-remembered-by-folder',
  'CORE-CAP-14',
  'a token that was let at one roleset, token or key is let at all beside it (000 7: 403 forbidden, no access)',
  {
    capabilityGranted: (original) => (granted, needed, call) => {
      const isGranted = original(granted, needed, call)
      if (call?.token === undefined || !isCloudc(call)) return isGranted
      const known = allowed.get(call.token) ?? new Set<string>()
      allowed.set(call.token, known)
      const kind = `${needed} ${call.mount.namespace}${call.path.replace(/[^/]+$/, '')}`
      if (isGranted) known.add(kind)
      return isGranted || (known.has(kind) && !granted.has('deny'))
    },
  },
)

route(
  'birch-root-reads-credentials',
  'CLOUDC-CONF-03',
  'a root token reads the credentials, without their private key (000 4.3: credentials omitted; 2.5: omitted on read)',
  'cloudc.readConfig',
  replyData((data, { state, token }: CloudcCall) => {
    if (!token?.policies.includes('root') || state.config.credentials === '') return data
    return { ...data, credentials: JSON.stringify({ ...parsedObject(state.config.credentials), private_key: undefined }) }
  }),
)
