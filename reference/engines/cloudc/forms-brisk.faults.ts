/** Faults in the form of what is sent or shown: by one verb and not by the other, types, syntax, case and blanks. */
import { coreEngine } from '../../core/core-engine.ts'
import { invalid } from '../../core/errors.ts'
import type { Json } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { withBody } from '../../mutations/request-kinds.ts'
import { reply } from '../../mutations/wrappers.ts'
import { decodedText } from './bindings.ts'
import { cloudcEngine } from './engine.ts'

const { rule, route } = faultsOf(cloudcEngine)
const core = faultsOf(coreEngine, 'cloudc')

const isRoleset = (path: string): boolean => /\/roleset\/[^/]+$/.test(path)

/** The first hours or minutes of a duration with several units. */
const firstUnit = (value: Json | undefined): Json | undefined =>
  typeof value === 'string' ? value.replace(/^(\d+[hm])\d.*$/, '$1') : value

route(
  'posted-token-with-lease-time',
  ['CLOUDC-TOK-09'],
  'a token by POST has a lease_duration of its hour, though it has no lease (000 2.3: lease_duration 0 when no lease)',
  'cloudc.createToken',
  reply((given) => withBody(given, (body) => ({ ...body, lease_duration: 3600 }))),
)

route(
  'got-key-not-renewable',
  ['CLOUDC-LEASE-01'],
  'a key by GET is shown as not renewable (000 4.3, GET or POST key: returns leased envelope with renewable true)',
  'cloudc.readKey',
  reply((given) => withBody(given, (body) => ({ ...body, renewable: false }))),
)

rule(
  'block-syntax-in-base64-refused',
  ['CLOUDC-BIND-03'],
  'bindings in base64 are taken as JSON only (000 2.5: block syntax or JSON, raw or base64-encoded)',
  {
    bindingsOf: (original) => async (text) => {
      const decoded = decodedText(text)
      if (decoded !== text && !decoded.trim().startsWith('{')) throw invalid('bindings in base64 must be JSON')
      return original(text)
    },
  },
)

rule(
  'json-after-blanks-refused',
  ['CLOUDC-BIND-02'],
  'bindings in JSON that begin with a blank or a line end are taken for block syntax and refused (000 2.5: block syntax or JSON)',
  {
    bindingsOf: (original) => async (text) => {
      if (/^\s+\{/.test(decodedText(text))) throw invalid('bindings are not in block syntax')
      return original(text)
    },
  },
)

rule(
  'no-scopes-as-null',
  ['CLOUDC-SET-11'],
  'a roleset without scopes shows token_scopes null (000 2.5: list of strings; 4.3: default [])',
  {
    shownRoleset: (original) => (roleset, bindings) => {
      const shown = original(roleset, bindings)
      return roleset.scopes.length === 0 ? { ...shown, token_scopes: null } : shown
    },
  },
)

route(
  'list-in-lower-case',
  ['CLOUDC-SET-14'],
  'a listing shows names in lower case (000 4.3, LIST rolesets: data.keys; 1: returns the keys)',
  'cloudc.listRolesets',
  () => (call) => call.services.listing([...call.state.rolesets.keys()].map((name) => name.toLowerCase())),
)

rule(
  'scopes-joined-by-comma',
  ['CLOUDC-TOK-04'],
  'several scopes reach the provider as one text with commas (000 4.3: scopes are those of the roleset, an array of strings)',
  { tokenScopes: (original) => (roleset) => [original(roleset).join(',')] },
)

rule(
  'second-unit-dropped',
  ['CLOUDC-CONF-05'],
  'of a duration such as 1h30m in the configuration only the first part counts (000 4.3, POST config: int seconds or duration string)',
  {
    configOf: (original) => (body, before, credentialsOf) => {
      const times = Object.entries(body).filter(([field]) => field === 'ttl' || field === 'max_ttl')
      const cut = Object.fromEntries(times.map(([field, value]) => [field, firstUnit(value) ?? null]))
      return original({ ...body, ...cut }, before, credentialsOf)
    },
  },
)

core.rule(
  'help-paths-from-root',
  ['CORE-HELP-03'],
  'help about a roleset gives its openapi paths from the root of the service (000 1: its paths are relative to the queried path)',
  {
    helpPath: (original) => (relative, queried) =>
      isRoleset(queried) ? `/${queried}${original(relative, queried)}` : original(relative, queried),
  },
)

core.rule(
  'put-drops-scopes',
  ['CORE-WRITE-01'],
  'a roleset written by PUT does not get the token_scopes of the body (000 1: PUT and POST are synonyms)',
  {
    parseBody: (original) => (bytes, request) => {
      const { text, body } = original(bytes, request)
      if (request.method !== 'PUT' || !isRoleset(request.path)) return { text, body }
      return { text, body: Object.fromEntries(Object.entries(body).filter(([field]) => field !== 'token_scopes')) }
    },
  },
)
