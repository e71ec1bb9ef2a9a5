/** Faults of who may ask: tokens and their carriers, verbs, capabilities, namespaces, and what roles may use. */
import { coreEngine } from '../../core/core-engine.ts'
import { anyoneMay, bearerIgnored, denyOverlooked } from '../../mutations/callers.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { requestsTo } from '../../mutations/locating.ts'
import { transformEngine } from './engine.ts'
import { isTransform, withRules } from './south-help.ts'

const { rule, route } = faultsOf(transformEngine, 'transform')
const core = faultsOf(coreEngine, 'transform')
const { here, locating } = requestsTo('transform')

const CODING = /(^|\/)(encode|decode)\/[^/]+$/
const DECODING = /(^|\/)decode\/([^/]+)$/

rule(
  'south-no-allowed-roles-means-all',
  'TRANSFORM-READ-11',
  'a transformation without allowed roles is open to every role (001 4.4: allowed_roles, list, default []; access needs both lists)',
  {
    transformationAllows: (original) => (transformation, role) =>
      transformation.allowedRoles.length === 0 || original(transformation, role),
  },
)

route(
  'south-batch-checked-by-first-item',
  'TRANSFORM-ACCESS-04',
  'of a batch only the first item is held against allowed_roles (001 4.4: each object of batch_input carries its own transformation)',
  ['transform.encode', 'transform.decode'],
  (original) => (call) => {
    let checked = 0
    const batched = Array.isArray(call.body.batch_input)
    return original(
      withRules(call, {
        transformationAllows(transformation, role) {
          checked += 1
          return (batched && checked > 1) || call.rules.transformationAllows(transformation, role)
        },
      }),
    )
  },
)

rule(
  'south-named-beside-the-roles-list',
  'TRANSFORM-ACCESS-16',
  'a role uses a transformation that its list lacks, when the request names it (001 4.4, 2.4: transformations, list of transformation names)',
  { roleAllows: (original) => (transformations, name) => transformations.length > 0 || original(transformations, name) },
)

route(
  'south-metadata-for-any-role',
  'TRANSFORM-ACCESS-19',
  'metadata of a token is told through roles that the transformation does not allow (001 4.4: allowed_roles)',
  'transform.metadata',
  (original) => (call) => original(withRules(call, { transformationAllows: () => true })),
)

core.rule(
  'south-coding-without-bearer',
  'CORE-AUTH-07',
  'encode and decode take a token from the own header only (000 5.1: or in header Authorization as Bearer <token>)',
  { ...locating, ...bearerIgnored(({ path }) => here() && CODING.test(path)) },
)

core.rule(
  'south-validate-unauthenticated',
  'CORE-AUTH-01',
  'tokens are validated for callers without a client token (001 head: all endpoints require a client token unless marked)',
  { needsToken: (original) => (asked) => original(asked) && asked?.id !== 'transform.validate' },
)

core.rule(
  'south-deny-not-for-batches',
  'CORE-CAP-04',
  'a policy that denies a role of decode lets batches through (000 7: 403, no access)',
  denyOverlooked((call) => isTransform(call) && DECODING.test(call?.path ?? '') && call?.body.batch_input !== undefined),
)

core.rule(
  'south-store-read-by-anyone',
  'CORE-CAP-14',
  'a store is shown to every token, whatever its policies (000 7: 403, no access, or 404 where the caller may not view a path)',
  anyoneMay((call) => isTransform(call) && call?.method === 'GET' && /(^|\/)store\/[^/]+$/.test(call.path)),
)

core.rule(
  'south-help-without-permission',
  'CORE-HELP-05',
  'help of a path is given to who has no permission on it (000 1.7: if the caller has permission)',
  {
    ...locating,
    helpAllowed: (original) => (granted) => original(granted) || (here() && !granted.has('deny')),
  },
)

core.rule(
  'south-mount-of-parent-namespace',
  'CORE-NS-07',
  'a namespace without this engine at a path reaches the one of its parent there (000 2.2: effective path; 7: 404, invalid path)',
  {
    mountsSeen: (original) => (all, namespace) => {
      const own = original(all, namespace)
      const inherited = all.filter(
        (mount) =>
          mount.engine.type === 'transform' &&
          mount.namespace !== namespace &&
          namespace.startsWith(mount.namespace) &&
          !own.some(({ path }) => path === mount.path),
      )
      return [...own, ...inherited]
    },
  },
)

rule(
  'south-schema-by-the-stores-user',
  'TRANSFORM-SCHEMA-15',
  "a schema is made by the store's own user instead of the one of the call (001 4.4: schema username, to allow a DDL-capable user)",
  {
    openedSession: (original) => (kind, settings) => original(kind, settings, { username: settings.username, password: settings.password }),
  },
)

core.rule(
  'south-tokenization-not-by-put',
  'CORE-WRITE-01',
  'PUT writes no tokenization at its typed path (000 1.6: PUT and POST are synonyms)',
  {
    ...locating,
    callerRefused: (original) => (given, token, request) => {
      const refused = original(given, token, request)
      const isTyped = /(^|\/)transformation\/tokenization\/[^/]+$/.test(request.path)
      return refused ?? (request.method === 'PUT' && here() && isTyped ? 405 : undefined)
    },
  },
)
