/** Faults of the call that makes what a store needs in its database. */
import { empty } from '../../core/envelope.ts'
import { ApiError, invalid } from '../../core/errors.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { insteadOfHandling, insteadOfRefusal, refusal, replyData, requestNestedAs } from '../../mutations/wrappers.ts'
import type { TransformCall } from './batches.ts'
import { transformEngine } from './engine.ts'
import { sqlStore } from './sql-store.ts'
import { byRules } from './wrappers.ts'

const { rule, route, change } = faultsOf(transformEngine)

const MAKE = 'transform.makeSchema'
const KEPT_OPEN_MS = 60_000

rule('schema-nothing-made', ['TRANSFORM-SCHEMA-01', 'TRANSFORM-SCHEMA-02'], 'the call for the schema makes nothing', {
  creation: () => () => [],
})
route(
  'schema-default-nothing',
  'TRANSFORM-SCHEMA-01',
  'without transformation_type nothing is made',
  MAKE,
  insteadOfHandling<TransformCall>(
    () => empty(),
    ({ body }) => body.transformation_type === undefined,
  ),
)
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
for (const [field, missing, nested] of [
  ['username', 'TRANSFORM-SCHEMA-04', 'TRANSFORM-SCHEMA-06'],
  ['password', 'TRANSFORM-SCHEMA-05', 'TRANSFORM-SCHEMA-07'],
] as const) {
  route(
    `schema-without-${field}`,
    missing,
    `without ${field} the call is answered`,
    MAKE,
    insteadOfHandling<TransformCall>(
      () => empty(),
      ({ body }) => body[field] === undefined,
    ),
  )
  route(`schema-object-${field}`, nested, `an object for ${field} reaches the database`, MAKE, requestNestedAs(field, 'object'))
}
route(
  'schema-object-type',
  'TRANSFORM-SCHEMA-08',
  'an object for transformation_type is left out',
  MAKE,
  requestNestedAs('transformation_type'),
)
route(
  'schema-user-kept',
  ['TRANSFORM-SCHEMA-09', 'TRANSFORM-SCHEMA-10'],
  'the store works on with the credentials of the call',
  MAKE,
  (original) => async (call) => {
    const reply = await original(call)
    const name = call.params.name ?? ''
    const store = call.state.stores.get(name)!
    const settings = { ...store.settings, ...call.rules.schemaCredentials(call.body) }
    const kind = call.rules.sqlKindOf(settings.connectionString)!
    call.state.stores.set(name, { settings, tokens: sqlStore(call.rules, kind, settings, call.services.clock) })
    await store.tokens.close()
    return reply
  },
)
rule('schema-session-open', 'TRANSFORM-SCHEMA-10', 'the session of the call stays open', {
  schemaMade: (original) => async (session) => void setTimeout(() => void original(session), KEPT_OPEN_MS).unref(),
})
const passwords = new Map<string, string>()
change('schema-password-read', 'TRANSFORM-SCHEMA-11', 'a read of the store shows the password of the call', {
  routes: {
    [MAKE]: (original) => (call) => {
      passwords.set(call.params.name ?? '', String(call.body.password))
      return original(call)
    },
    'transform.readStore': replyData((data, call) => ({ ...data, schema_password: passwords.get(call.params.name ?? '') ?? '' })),
  },
})
route(
  'schema-password-in-refusal',
  'TRANSFORM-SCHEMA-11',
  'a refusal shows the password of the call',
  MAKE,
  refusal((refused, call) => new ApiError(refused.status, `not with ${String(call.body.password)}`)),
)
route(
  'schema-of-nothing',
  'TRANSFORM-SCHEMA-12',
  'the call for an unknown store is answered',
  MAKE,
  insteadOfRefusal(
    () => empty(),
    (call) => !call.state.stores.has(call.params.name ?? ''),
  ),
)
rule('schema-made-anew', 'TRANSFORM-SCHEMA-13', 'a second call begins with an empty table', {
  creation: (original) => (kind, table) => [{ sql: `DROP TABLE IF EXISTS ${table}`, values: [] }, ...original(kind, table)],
})
route(
  'schema-wrong-password-answered',
  'TRANSFORM-SCHEMA-15',
  'a login that fails is answered',
  MAKE,
  insteadOfRefusal(
    () => empty(),
    (call) => typeof call.body.password === 'string' && call.body.transformation_type === undefined,
  ),
)
rule('schema-unquoted', 'TRANSFORM-SCHEMA-16', 'the name of the schema is put into statements as it is', {
  tableOf: (original) => (kind, schema) => (kind.hasSchemas ? `${schema}.transform_tokens` : original(kind, schema)),
})
rule('schema-quoted-only', 'TRANSFORM-SCHEMA-16', 'the name of the schema is quoted, and quotes in it are not', {
  tableOf: (original) => (kind, schema) => (kind.hasSchemas ? `"${schema}"."transform_tokens"` : original(kind, schema)),
})
const running = new Map<string, number>()
route('race-schema', 'TRANSFORM-RACE-04', 'calls for one schema at once leave it half made', MAKE, (original) => async (call) => {
  const name = call.params.name ?? ''
  running.set(name, (running.get(name) ?? 0) + 1)
  try {
    const reply = await original(call)
    const store = call.state.stores.get(name)
    if ((running.get(name) ?? 0) > 1 && store !== undefined) {
      const put = async (): Promise<void> => {
        throw new ApiError(500, 'the schema is half made')
      }
      call.state.stores.set(name, { ...store, tokens: { ...store.tokens, put } })
    }
    return reply
  } finally {
    running.set(name, (running.get(name) ?? 1) - 1)
  }
})
