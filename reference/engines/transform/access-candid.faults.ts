/** Faults of who may do what: tokens, capabilities, paths, namespaces, roles, users of databases. */
import { coreEngine } from '../../core/core-engine.ts'
import { anyoneMay, countsAs, goodForEver } from '../../mutations/callers.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { isCoding, isTransform, withRules } from './candid-help.ts'
import { transformEngine } from './engine.ts'
import { sqlStore } from './sql-store.ts'

const { rule, route } = faultsOf(transformEngine)
const core = faultsOf(coreEngine, 'transform')

rule(
  'candid-role-part-of-name',
  'TRANSFORM-ACCESS-18',
  'a role may use a transformation whose name is a part of one that it lists (001 4.4: role, transformations)',
  {
    roleAllows: () => (transformations, name) => transformations.join(',').includes(name),
  },
)

route(
  'candid-role-write-admits-itself',
  'TRANSFORM-ACCESS-19',
  'writing a role adds it to the allowed_roles of the transformations that it lists (001 4.4: allowed_roles, default [])',
  'transform.writeRole',
  (original) => async (call) => {
    const { roles, transformations } = call.state
    const reply = await original(call)
    const role = call.params.name ?? ''
    for (const name of roles.get(role) ?? []) {
      const transformation = transformations.get(name)
      if (transformation !== undefined && !transformation.allowedRoles.includes(role))
        transformations.set(name, { ...transformation, allowedRoles: [...transformation.allowedRoles, role] })
    }
    return reply
  },
)

route(
  'candid-batch-first-item-decides',
  'TRANSFORM-BATCH-18',
  'once an item of a batch may use its transformation, later items may use those that do not allow the role (001 4.4: allowed_roles)',
  ['transform.encode', 'transform.decode'],
  (original) => (call) => {
    let passed = false
    return original(
      withRules(call, {
        transformationAllows(transformation, role) {
          if (!passed) passed = call.rules.transformationAllows(transformation, role)
          return passed
        },
      }),
    )
  },
)

core.rule(
  'candid-create-overwrites-store',
  'CORE-CAP-07',
  'who may create stores may overwrite existing ones (000 1: policies distinguish create and update; 5)',
  countsAs('create', (call) => isTransform(call) && call?.method === 'POST' && /(^|\/)store\/[^/]+$/.test(call.path), 'update'),
)

core.rule(
  'candid-path-as-prefix',
  'CORE-CAP-04',
  'a policy for one role covers the roles whose names begin with its name (000 7: 403, no access; 5)',
  {
    patternMatches: (original) => (pattern, path) =>
      original(pattern, path) || (isCoding(path) && isCoding(pattern) && !/[*+]/.test(pattern) && path.startsWith(pattern)),
  },
)

core.rule(
  'candid-encoder-may-decode',
  'CORE-CAP-04',
  'who may encode with a role may decode with it (000 7: 403, no access; 001 4.4: encode and decode are two paths)',
  {
    patternMatches: (original) => (pattern, path) =>
      original(pattern, path) || (isCoding(path) && original(pattern, path.replace(/(^|\/)decode\/([^/]+)$/, '$1encode/$2'))),
  },
)

core.rule(
  'candid-revoked-token-encodes',
  'CORE-AUTH-15',
  'a token that encoded or decoded while it was good goes on doing so after it was revoked (000 7: 403, wrong credentials; 5)',
  goodForEver(({ path }) => isCoding(path)),
)

core.rule(
  'candid-anyone-lists-transformations',
  'CORE-CAP-17',
  'a token that has no capability at all may list transformations (000 7: 403, no access; 5)',
  anyoneMay((call) => isTransform(call) && call?.method === 'LIST' && /(^|\/)transformation$/.test(call.path)),
)

core.rule(
  'candid-first-namespace-of-header',
  'CORE-NS-01',
  'of a header that names a namespace in a namespace the first counts, for encoding and decoding (000 2.2: <ns1>/<ns2>/)',
  {
    effectivePath: (original) => (header, request, namespaces) =>
      original(isCoding(request.path) ? header?.split('/').find((segment) => segment !== '') : header, request, namespaces),
  },
)

rule(
  'candid-store-needs-delete',
  'TRANSFORM-KEPT-04',
  'a store deletes expired rows when it keeps a token, which its user may not (001 4.4: store user holds SELECT, INSERT and UPDATE only)',
  {
    insertion: (original) => (kind, table, tokens) => [
      { sql: `DELETE FROM ${table} WHERE expires_at < ${Math.floor(Date.now() / 1000)}`, values: [] },
      ...original(kind, table, tokens),
    ],
  },
)

route(
  'candid-schema-user-stays',
  'TRANSFORM-SCHEMA-10',
  'the user of the schema call is the one of the store from then on (001 4.4: schema, credentials are used only for this call)',
  'transform.makeSchema',
  (original) => async (call) => {
    const { rules, services, state } = call
    const reply = await original(call)
    const name = call.params.name ?? ''
    const store = state.stores.get(name)
    const kind = store && rules.sqlKindOf(store.settings.connectionString)
    if (store === undefined || kind === undefined) return reply
    const settings = { ...store.settings, ...rules.schemaCredentials(call.body) }
    state.stores.set(name, { settings, tokens: sqlStore(rules, kind, settings, services.clock) })
    await store.tokens.close()
    return reply
  },
)
