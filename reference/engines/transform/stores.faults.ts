/** Faults of stores: what is written and read of them, their sessions, and the call that makes what they need in a database. */
import { empty, secret } from '../../core/envelope.ts'
import { ApiError, invalid } from '../../core/errors.ts'
import { faultsOf } from '../../faults/declare.ts'
import { insteadOfHandling, insteadOfRefusal, refusal, replyData } from '../../faults/wrappers.ts'
import type { TransformCall } from './batches.ts'
import { nameOf } from './definitions.ts'
import { transformEngine } from './engine.ts'
import { postgresTokens } from './postgres-tokens.ts'
import { sqlStore } from './sql-store.ts'
import type { Store } from './state.ts'
import { before, beside, byRules } from './wrappers.ts'

const { rule, route, change, declared } = faultsOf(transformEngine)

const WRITE = 'transform.writeStore'
const MAKE = 'transform.makeSchema'

const isSameLogin = ({ settings: a }: Store, { settings: b }: Store): boolean =>
  a.connectionString === b.connectionString && a.username === b.username && a.password === b.password
for (const [id, clauses, title, works] of [
  ['update-old-sessions', ['TRANSFORM-STORE-02', 'TRANSFORM-KEPT-15'], 'a store that is written again works on as before', () => true],
  ['update-old-schema', ['TRANSFORM-STORE-02'], 'a new schema has no effect while the login stays the same', isSameLogin],
] as [string, [string], string, (one: Store, other: Store) => boolean][])
  route(id, clauses, title, WRITE, (original) => async (call) => {
    const old = call.state.stores.get(nameOf(call))
    const reply = await original(call)
    const { settings } = call.state.stores.get(nameOf(call))!
    if (old === undefined || !works(old, { ...old, settings })) return reply
    const tokens = sqlStore(call.rules, call.rules.sqlKindOf(old.settings.connectionString)!, old.settings, call.services.clock)
    call.state.stores.set(nameOf(call), { settings, tokens })
    return reply
  })
rule('connection-without-options', 'TRANSFORM-STORE-01', 'a connection string is shown without what follows the question mark', {
  shownStore: (original) => (settings) => original({ ...settings, connectionString: settings.connectionString.split('?', 1)[0]! }),
})
rule('username-fills-both', 'TRANSFORM-KEPT-08', 'the user name fills both slots of a connection string', {
  openedSession: (original) => (kind, settings, credentials) =>
    original(kind, settings, { ...credentials, password: credentials.username }),
})
rule('password-in-url', 'TRANSFORM-STORE-24', 'a read shows the connection string with its slots filled', {
  shownStore: (original) => (settings) =>
    original({ ...settings, connectionString: settings.connectionString.replace('{{password}}', settings.password) }),
})
rule('password-read', 'TRANSFORM-STORE-24', 'a read shows the password', {
  shownStore: (original) => (settings) => ({ ...original(settings), password: settings.password }),
})
rule('password-listed', 'TRANSFORM-STORE-24', 'the listing shows names with passwords', {
  storeNames: (original) => (state) => original(state).map((name) => `${name}?${state.stores.get(name)?.settings.password}`),
})
rule('failure-shows-password', 'TRANSFORM-STORE-25', 'a failure shows what was tried', {
  storeFailure: () => (_error, settings) => new ApiError(500, `cannot use ${settings.username}:${settings.password}`),
})
route(
  'store-unknown-empty',
  'TRANSFORM-STORE-04',
  'an unknown store reads as an empty one',
  'transform.readStore',
  insteadOfRefusal(() => secret({ type: 'sql', connection_string: '', supported_transformations: [] })),
)
rule('store-type-any', 'TRANSFORM-STORE-08', 'any type is taken', { storeTypeKnown: () => () => true })
rule('supports-nothing', 'TRANSFORM-STORE-09', 'a store supports nothing unless it is said', {
  storeSettings: (original) => (body, previous) =>
    body.supported_transformations === undefined ? { ...original(body, previous), supported: [] } : original(body, previous),
})
route(
  'supports-any',
  'TRANSFORM-STORE-10',
  'a store may be for any transformation',
  WRITE,
  byRules(() => ({ storeSupports: () => true })),
)
const deleted = beside(() => new Set<string>())
change('store-once', 'TRANSFORM-STORE-23', 'the name of a deleted store is not free again', {
  routes: {
    'transform.deleteStore': before((state, name) => deleted(state).add(name)),
    [WRITE]: before((state, name) => {
      if (deleted(state).has(name)) throw invalid('this name was used before')
    }),
  },
})
rule('strange-taken', 'TRANSFORM-STORE-26', 'what names no database is taken for one, and nothing is kept', {
  sqlKindOf: (original) => (text) =>
    original(text) ?? { ...postgresTokens, open: async () => ({ run: async () => [], close: async () => {}, onLost: () => {} }) },
})

rule('sessions-unbounded', ['TRANSFORM-POOL-01', 'TRANSFORM-POOL-02'], 'every request may open a session, and they stay', {
  poolLimits: (original) => (settings) => ({ ...original(settings), open: 64, idle: 64 }),
})
rule('sessions-stay', ['TRANSFORM-POOL-03', 'TRANSFORM-POOL-04'], 'sessions that were opened stay', {
  poolLimits: (original) => (settings) => ({ ...original(settings), open: 16, idle: 16 }),
})
rule('sessions-for-ever', ['TRANSFORM-POOL-05', 'TRANSFORM-POOL-06'], 'sessions are used for ever', {
  poolLimits: (original) => (settings) => ({ ...original(settings), lifetime: 0 }),
})
rule('lifetime-zero-refused', 'TRANSFORM-POOL-09', 'a lifetime of 0 is refused', {
  storeSettings: (original) => (body, previous) => {
    if (body.max_connection_lifetime === 0) throw invalid('max_connection_lifetime must be positive')
    return original(body, previous)
  },
})
rule('lifetime-text', 'TRANSFORM-POOL-06', 'a lifetime with a unit is ignored', {
  storeSettings: (original) => (body, previous) =>
    original(/[a-z]/.test(String(body.max_connection_lifetime)) ? { ...body, max_connection_lifetime: 0 } : body, previous),
})

rule('schema-nothing-made', ['TRANSFORM-SCHEMA-01', 'TRANSFORM-SCHEMA-02'], 'the call for the schema makes nothing', {
  creation: () => () => [],
})
route('schema-type-unknown', 'TRANSFORM-SCHEMA-02', 'transformation_type is not known', MAKE, (original) => (call) => {
  if (typeof call.body.transformation_type === 'string') throw invalid('unknown parameter')
  return original(call)
})
route(
  'schema-any-type',
  'TRANSFORM-SCHEMA-03',
  'the schema is made for any transformation',
  MAKE,
  byRules(() => ({ storeSupports: () => true })),
)
for (const [field, clause] of [
  ['username', 'TRANSFORM-SCHEMA-04'],
  ['password', 'TRANSFORM-SCHEMA-05'],
] as const)
  route(
    `schema-without-${field}`,
    clause,
    `without ${field} the call is answered`,
    MAKE,
    insteadOfHandling<TransformCall>(
      () => empty(),
      ({ body }) => body[field] === undefined,
    ),
  )
route(
  'schema-user-kept',
  ['TRANSFORM-SCHEMA-09', 'TRANSFORM-SCHEMA-10'],
  'the store works on with the credentials of the call',
  MAKE,
  (original) => async (call) => {
    const reply = await original(call)
    const { rules, state, services } = call
    const store = state.stores.get(nameOf(call))!
    const settings = { ...store.settings, ...rules.schemaCredentials(call.body) }
    state.stores.set(nameOf(call), {
      settings,
      tokens: sqlStore(rules, rules.sqlKindOf(settings.connectionString)!, settings, services.clock),
    })
    await store.tokens.close()
    return reply
  },
)
rule('schema-session-open', 'TRANSFORM-SCHEMA-10', 'the session of the call stays open', {
  schemaMade: (original) => async (session) => void setTimeout(() => void original(session), 60_000).unref(),
})
const passwords = beside(() => new Map<string, string>())
change('schema-password-read', 'TRANSFORM-SCHEMA-11', 'a read of the store shows the password of the call', {
  routes: {
    [MAKE]: before((state, name, { body }) => passwords(state).set(name, String(body.password))),
    'transform.readStore': replyData((data, call) => ({ ...data, schema_password: passwords(call.state).get(nameOf(call)) ?? '' })),
  },
})
route(
  'schema-password-refused',
  'TRANSFORM-SCHEMA-11',
  'a refusal shows the password of the call',
  MAKE,
  refusal((refused, { body }) => new ApiError(refused.status, `not with ${String(body.password)}`)),
)
route(
  'schema-of-nothing',
  'TRANSFORM-SCHEMA-12',
  'the call for an unknown store is answered',
  MAKE,
  insteadOfRefusal(
    () => empty(),
    (call) => !call.state.stores.has(nameOf(call)),
  ),
)
rule('schema-emptied', 'TRANSFORM-SCHEMA-13', 'a second call begins with an empty table', {
  creation: (original) => (kind, table) => [{ sql: `DROP TABLE IF EXISTS ${table}`, values: [] }, ...original(kind, table)],
})
for (const [id, title, quote] of [
  ['unquoted', 'put into statements as it is', ''],
  ['half-quoted', 'quoted, and quotes in it are not', '"'],
] as const)
  rule(`schema-${id}`, 'TRANSFORM-SCHEMA-16', `the name of the schema is ${title}`, {
    tableOf: (original) => (kind, schema) => (kind.hasSchemas ? `${quote}${schema}${quote}.transform_tokens` : original(kind, schema)),
  })
const running = new Map<string, number>()
route('race-schema', 'TRANSFORM-RACE-04', 'calls for one schema at once leave it half made', MAKE, (original) => async (call) => {
  const name = nameOf(call)
  running.set(name, (running.get(name) ?? 0) + 1)
  try {
    const reply = await original(call)
    const store = call.state.stores.get(name)
    const put = (): Promise<void> => Promise.reject(new ApiError(500, 'the schema is half made'))
    if (running.get(name)! > 1 && store) call.state.stores.set(name, { ...store, tokens: { ...store.tokens, put } })
    return reply
  } finally {
    running.set(name, running.get(name)! - 1)
  }
})

export const faults = declared
