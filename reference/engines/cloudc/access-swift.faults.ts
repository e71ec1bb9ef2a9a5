/** Faults about who may do what in a cloud-C mount: carriers, verbs, capabilities, tokens that have ended. */
import { coreEngine } from '../../core/core-engine.ts'
import type { RequestFacts } from '../../core/rules.ts'
import { type Asked, anyoneMay, bearerIgnored, countsAs, denyOverlooked, goodForEver } from '../../mutations/callers.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { isProvisioning } from '../../mutations/request-kinds.ts'
import type { CloudcRules } from './rules.ts'
import type { CloudcState } from './state.ts'

const { rule } = faultsOf(coreEngine, 'cloudc')

/** A call of this engine whose path has a form. */
const asks =
  (form: RegExp, ...methods: string[]) =>
  (call: Asked): boolean =>
    call !== undefined && 'policyUrls' in call.rules && form.test(call.path) && (methods.length === 0 || methods.includes(call.method))

const sends =
  (form: RegExp, ...methods: string[]) =>
  (request: RequestFacts): boolean =>
    !isProvisioning(request) && form.test(request.path) && (methods.length === 0 || methods.includes(request.method))

rule(
  'token-for-anyone',
  ['CORE-CAP-05'],
  'whoever has a token gets access tokens of any roleset (000 7, 403)',
  anyoneMay(asks(/\/token\//)),
)

rule(
  'key-post-by-read',
  ['CORE-CAP-04'],
  'a token that may only read key/:roleset gets keys by POST with any parameters (000 7, 403; 5.4)',
  countsAs('read', asks(/\/key\//, 'POST'), 'update'),
)

rule(
  'rotate-by-read',
  ['CORE-CAP-04'],
  'a token that may only read rotates accounts and their keys (000 7, 403)',
  countsAs('read', asks(/\/rotate(-key)?$/), 'update'),
)

rule(
  'config-deny-overlooked',
  ['CORE-CAP-01'],
  'a denied token reads and writes the config (000 7, 403)',
  denyOverlooked(asks(/\/config$/)),
)

rule(
  'list-deny-overlooked',
  ['CORE-CAP-17'],
  'a denied token gets the list by GET with list=true, though not by LIST (000 1.5; 7, 403)',
  denyOverlooked((call) => asks(/\/rolesets$/)(call) && call?.query.get('list') === 'true'),
)

rule(
  'refused-config-stored',
  ['CORE-CAP-04'],
  'lease times of the config are stored before the caller is found not to be allowed (000 7, 403; readings: nothing changed)',
  {
    capabilityGranted: (original) => (granted, needed, call) => {
      if (call && asks(/\/config$/, 'POST')(call)) {
        const [state, { configOf }] = [call.state as CloudcState, call.rules as CloudcRules]
        const { ttl, maxTtl } = configOf(call.body, state.config, (text) => text)
        state.config = { ...state.config, ttl, maxTtl }
      }
      return original(granted, needed, call)
    },
  },
)

rule(
  'delete-by-any-token',
  ['CORE-AUTH-03', 'CORE-AUTH-05'],
  'a roleset is deleted for any token text, issued or not (000 7, 403: wrong credentials)',
  {
    callerRefused: (original) => (given, token, request) =>
      given !== undefined && sends(/\/roleset\//, 'DELETE')(request) ? undefined : original(given, token, request),
  },
)

rule('put-rotate-anonymous', ['CORE-AUTH-01'], 'a rotation by PUT needs no token (000 1.6: PUT and POST are synonyms; 5.1)', {
  callerRefused: (original) => (given, token, request) =>
    given === undefined && sends(/\/roleset\/[^/]+\/rotate(-key)?$/, 'PUT')(request) ? undefined : original(given, token, request),
})

rule('bearer-unverified', ['CORE-AUTH-03'], 'a bearer is taken for good on access tokens without being looked up (000 5.1; 7, 403)', {
  callerRefused: (original) => (given, token, request) =>
    sends(/\/token\//)(request) && /^bearer /i.test(request.headers.authorization ?? '') ? undefined : original(given, token, request),
})

rule(
  'bearer-unread-on-rolesets',
  ['CORE-AUTH-07'],
  'requests for rolesets do not take the token as a bearer (000 2.1, Authorization: alternative token carrier)',
  bearerIgnored(sends(/\/rolesets?(\/|$)/)),
)

rule(
  'key-after-token-end',
  ['CORE-AUTH-15'],
  'a token that got a key once gets more after its end (000 7, 403)',
  goodForEver(sends(/\/key\//)),
)

rule('key-by-token-policy', ['CORE-CAP-01'], 'whoever may read token/:roleset gets a key of the roleset of that name (000 7, 403)', {
  patternMatches: (original) => (pattern, path) =>
    original(pattern, path) || (path.includes('/key/') && original(pattern, path.replace('/key/', '/token/'))),
})
