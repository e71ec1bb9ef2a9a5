/** Faults in who may do what: a capability, a carrier of the token, a verb or a namespace that is looked at in one place only. */
import { coreEngine } from '../../core/core-engine.ts'
import type { RequestFacts } from '../../core/rules.ts'
import { type Asked, anyoneMay, countsAs, denyOverlooked, goodForEver } from '../../mutations/callers.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { isProvisioning } from '../../mutations/request-kinds.ts'
import { cloudcEngine } from './engine.ts'
import { isOurs, withRules } from './loose-words.ts'

const { route } = faultsOf(cloudcEngine)
const { rule } = faultsOf(coreEngine, 'cloudc')

const ROLESET = /(^|\/)roleset\/[^/]+$/
const KEY = /(^|\/)key\/[^/]+$/
const TOKEN = /(^|\/)token\/[^/]+$/

const asks =
  (method: string, form: RegExp) =>
  (call: Asked): boolean =>
    isOurs(call) && call.method === method && form.test(call.path)

const at =
  (form: RegExp, method?: string) =>
  (request: RequestFacts): boolean =>
    !isProvisioning(request) && form.test(request.path) && (method === undefined || request.method === method)

rule(
  'rotate-key-unchecked',
  ['CORE-CAP-04'],
  'whoever has a token may rotate a key (000 7, 403 forbidden; 5.4 capabilities)',
  anyoneMay(asks('POST', /\/rotate-key$/)),
)

rule(
  'create-may-update',
  ['CORE-CAP-07'],
  'who may create rolesets may change the ones that exist (000 1.6, the create and update capabilities are told apart)',
  countsAs('create', asks('POST', ROLESET), 'update'),
)

rule(
  'list-query-unchecked',
  ['CORE-CAP-17'],
  'GET with list=true lists rolesets for any caller, the verb LIST does not (000 1.5, either form; 7, 403 forbidden)',
  anyoneMay((call) => asks('LIST', /\/rolesets$/)(call) && call?.query.get('list') === 'true'),
)

rule(
  'deny-overlooked-token',
  ['CORE-CAP-01'],
  'a caller whose policy denies a token by GET gets it (000 7, 403 forbidden)',
  denyOverlooked(asks('GET', TOKEN)),
)

rule(
  'reader-for-ever',
  ['CORE-AUTH-15'],
  'a token that has read rolesets goes on reading them when it is revoked (000 5.1, a client token is required)',
  goodForEver(at(ROLESET, 'GET')),
)

rule(
  'any-text-rotates',
  ['CORE-AUTH-03', 'CORE-AUTH-05'],
  'a rotation asks for a token, but takes any text for one (000 7, 403 wrong credentials)',
  {
    callerRefused: (original) => (given, token, request) =>
      given !== undefined && at(/(^|\/)roleset\/[^/]+\/rotate$/)(request) ? undefined : original(given, token, request),
  },
)

rule(
  'key-path-as-prefix',
  ['CORE-CAP-01', 'CORE-CAP-04'],
  'a policy on the key path of one roleset covers rolesets whose names begin with it (000 7, 403 forbidden)',
  {
    patternMatches: (original) => (pattern, path) =>
      original(pattern, path) || (KEY.test(path) && KEY.test(pattern) && !/[*+]/.test(pattern) && path.startsWith(pattern)),
  },
)

rule(
  'header-first-namespace',
  ['CORE-NS-01', 'CORE-NS-02'],
  'keys and tokens go by the first segment of the namespace header only (000 2.2, "<ns1>/<ns2>/")',
  {
    effectivePath: (original) => (header, request, namespaces) =>
      original(at(KEY)(request) || at(TOKEN)(request) ? header?.replace(/^\//, '').split('/')[0] : header, request, namespaces),
  },
)

route(
  'key-type-unchecked-by-post',
  ['CLOUDC-KEY-10'],
  'POST gives keys of a roleset for access tokens, GET refuses (000 4.3, "roleset must have secret_type service_account_key")',
  'cloudc.createKey',
  withRules(() => ({ mayGiveKey: () => undefined })),
)
