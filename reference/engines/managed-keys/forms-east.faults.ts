/** Faults of form: one thing by two routes, absent and empty, types, spelling, blanks, letters beyond ASCII. */
import { coreEngine } from '../../core/core-engine.ts'
import { ApiError } from '../../core/errors.ts'
import type { Json } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { withBody } from '../../mutations/request-kinds.ts'
import { isNested, reply } from '../../mutations/wrappers.ts'
import { ALL, isHere, lastRequest, ruled } from './east-help.ts'
import { managedKeysEngine } from './engine.ts'

const { rule, route } = faultsOf(managedKeysEngine)
const core = faultsOf(coreEngine, 'managed-keys')

route(
  'east-get-lists-all-kinds',
  'MANAGED-KEYS-LIST-02',
  'GET with list=true shows the names of all kinds, LIST those of one (000 1.5: LIST or GET with list=true; 4.2: LIST :type)',
  'managedKeys.list',
  (original) => (call) => original(call.query.get('list') === 'true' ? ruled(call, { listed: () => true }) : call),
)

rule('east-empty-left-out', 'MANAGED-KEYS-PKCS-14', 'a read leaves out what is empty or 0 (000 4.2: GET, top-level fields)', {
  shownKey: (original) => (key, fields) => {
    const isEmpty = (value: Json) => value === '' || value === 0
    return original(key, Object.fromEntries(Object.entries(fields).filter(([, value]) => !isEmpty(value))))
  },
})

const tested = lastRequest()

core.rule('east-test-by-post-only', 'CORE-WRITE-01', 'PUT on test/sign is answered 405 (000 1.6: PUT and POST are synonyms)', {
  effectivePath: tested.effectivePath,
  check: (original) => (call, asked) => {
    if (asked.id === 'managedKeys.testSign' && tested.asked()?.method === 'PUT') throw new ApiError(405, 'unsupported operation')
    original(call, asked)
  },
})

rule(
  'east-only-ascii-is-upper-case',
  'MANAGED-KEYS-NAME-03',
  'upper-case letters beyond ASCII are taken in names (000 2.6: unique lowercase name)',
  {
    nameAllowed: () => (name) => !/[A-Z]/.test(name),
  },
)

rule(
  'east-any-text-is-true',
  'MANAGED-KEYS-PKCS-13',
  'the text "false" sets any_mount and force_rw_session (000 4.2: any_mount, force_rw_session, "false")',
  {
    valueIn: (original) => (kind, body, field, fallback) => {
      const value = original(kind, body, field, fallback)
      return /^(any_mount|force_rw_session)$/.test(field) && typeof body[field] === 'string' ? Boolean(body[field]) : value
    },
  },
)

rule(
  'east-object-written-out',
  'MANAGED-KEYS-CKMS-06',
  'an object or a nested array for a text is kept as its JSON (000 4.2: types of parameters; 7: 400 invalid data)',
  {
    valueIn: (original) => (kind, body, field, fallback) =>
      typeof fallback === 'string' && field !== 'usages' && isNested(body[field])
        ? JSON.stringify(body[field])
        : original(kind, body, field, fallback),
  },
)

core.rule(
  'east-empty-list-errors-null',
  'CORE-ERROR-01',
  'the error body of an empty listing has null for errors (000 2.4: errors, array of strings)',
  {
    failure: (original) => (status, body, request) => {
      const { errors } = body as { errors?: Json }
      const isEmpty = status === 404 && isHere(request) && Array.isArray(errors) && errors.length === 0
      return original(status, isEmpty ? { errors: null } : body, request)
    },
  },
)

core.rule(
  'east-help-from-top',
  'CORE-HELP-03',
  'help on a kind or key names paths below sys/managed-keys, not below the path asked (000 1.7: relative to the queried path)',
  {
    helpPath: (original) => (relative, queried) => {
      const below = /^sys\/managed-keys\/(.+)$/.exec(queried)?.[1]
      const path = original(relative, queried)
      return below === undefined ? path : `/${below}${path === '/' ? '' : path}`
    },
  },
)

route(
  'east-list-percent-encoded',
  'MANAGED-KEYS-LIST-01',
  'a listing shows names as they are written in a URL (000 4.2: LIST returns keys, array of names)',
  'managedKeys.list',
  reply((given) =>
    withBody(given, (body) => ({
      ...body,
      keys: Array.isArray(body.keys) ? body.keys.map((name) => encodeURIComponent(String(name))) : [],
    })),
  ),
)

rule(
  'east-pin-trimmed',
  'MANAGED-KEYS-SIGN-04',
  'blanks around a PIN are dropped, so that a wrong one passes (000 4.2: pin, login PIN; test/sign, success means valid)',
  {
    request: (original) => (request) => original({ ...request, pin: request.pin.trim() }),
  },
)

rule(
  'east-part-of-value-is-in-set',
  'MANAGED-KEYS-BVAULT-06',
  'a value that is part of a stated one is accepted, such as RSA for RSA-HSM (000 4.2: key_type, only value RSA-HSM)',
  {
    inSet: (original) => (value, set, field) => original(value, set, field) || set.some((stated) => stated.includes(value)),
  },
)

route(
  'east-namespace-of-header-only',
  'MANAGED-KEYS-NS-03',
  'with the administrative namespace in the path the keys are those of the root (000 2.2: header and path are equivalent)',
  ALL,
  (original) => (call) => {
    const isNamed = ['x-service-namespace', 'x-vault-namespace'].some((header) => call.headers[header])
    return original(isNamed ? call : { ...call, mount: { ...call.mount, namespace: '' } })
  },
)
