/** Legal alternatives of stores and of what they keep. */
import { ApiError, invalid } from '../../core/errors.ts'
import { variantsOf } from '../../faults/declare.ts'
import { transformEngine } from './engine.ts'
import { postgresTokens } from './postgres-tokens.ts'

const { rule, route, change, declared } = variantsOf(transformEngine)

route(
  'store-verified',
  'when the database is first asked is not said',
  'a store that cannot log in is refused when it is written',
  'transform.writeStore',
  (original) => async (call) => {
    const settings = call.rules.storeSettings(call.body, call.state.stores.get(call.params.name ?? '')?.settings)
    const kind = call.rules.sqlKindOf(settings.connectionString)
    if (kind !== undefined && settings.type === 'sql') {
      const opened = call.rules.openedSession(kind, settings, settings)
      const session = await opened.catch(() => Promise.reject(invalid('the store cannot log in')))
      await session.close()
    }
    return original(call)
  },
)
rule('store-strange-late', 'refused when it is written or when it is used', 'a connection string of nothing is stored and fails', {
  sqlKindOf: (original) => (text) =>
    original(text) ?? { ...postgresTokens, open: () => Promise.reject(new ApiError(400, 'connection_string names no database')) },
})
rule('store-read-bare', 'further members of a read: open', 'a read of a store shows what is stated and nothing else', {
  shownStore:
    () =>
    ({ type, connectionString, supported }) => ({ type, connection_string: connectionString, supported_transformations: supported }),
})
rule('store-schema-of-url', 'schema where a database has none within it', 'MariaDB keeps tokens in the database of the connection string', {
  tableOf: (original) => (kind, schema) => original(kind, kind.hasSchemas ? schema : 'public'),
})
rule('store-fails-502', 'a failing backend: 4xx, 500 or 502', 'a failing database is a bad gateway', {
  storeFailure: (original) => (error, settings) => original(error, settings).with(502),
})
route(
  'store-in-use-stays',
  'whether a store in use may be deleted is not said',
  'a store that a transformation names is not deleted',
  'transform.deleteStore',
  (original) => (call) => {
    for (const { stores } of call.state.transformations.values())
      if (stores.includes(call.params.name ?? '')) throw invalid('a transformation keeps its tokens there')
    return original(call)
  },
)
const made = new WeakMap<object, Set<string>>()
route(
  'schema-once',
  'whether a second call is taken is not said',
  'a schema that is there is not made again',
  'transform.makeSchema',
  (original) => async (call) => {
    const { connectionString = '', schema = '' } = call.state.stores.get(call.params.name ?? '')?.settings ?? {}
    const place = `${connectionString} ${schema}`
    const known = made.get(call.state) ?? new Set()
    made.set(call.state, known)
    if (known.has(place)) throw invalid('the schema is there')
    const reply = await original(call)
    known.add(place)
    return reply
  },
)
change('kept-updates', 'whether UPDATE is needed is not said', 'tokens are made by INSERT and UPDATE, and decoding notes the time', {
  rules: {
    insertion: (original) => (kind, table, tokens) => [
      ...original(kind, table, tokens),
      { sql: `UPDATE ${table} SET metadata = metadata WHERE owner = ''`, values: [] },
    ],
    lookup: (original) => (kind, table, by, owner, digests) => [
      { sql: `UPDATE ${table} SET metadata = metadata WHERE owner = ''`, values: [] },
      ...original(kind, table, by, owner, digests),
    ],
  },
})
rule('sessions-fewer', 'upper bounds', 'a store has one session less than it may, and none that idles', {
  poolLimits: (original) => (settings) => {
    const { open, lifetime } = original(settings)
    return { open: Math.max(1, open - 1), idle: 0, lifetime }
  },
})

export const variants = declared
