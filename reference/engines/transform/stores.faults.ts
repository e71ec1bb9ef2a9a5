/** Faults of what is written and read of stores. */
import { secret } from '../../core/envelope.ts'
import { ApiError, invalid } from '../../core/errors.ts'
import type { JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { insteadOfRefusal, requestDefault, requestNestedAs } from '../../mutations/wrappers.ts'
import { transformEngine } from './engine.ts'
import { postgresTokens } from './postgres-tokens.ts'
import { sqlStore } from './sql-store.ts'
import { byRules, firstWriteWins, withoutContinued } from './wrappers.ts'

const { rule, route } = faultsOf(transformEngine)

const WRITE = 'transform.writeStore'
const NOWHERE = 'postgresql://{{username}}:{{password}}@127.0.0.1:9/none'

route('store-dropped', 'TRANSFORM-STORE-01', 'a write of a store stores nothing', WRITE, () => () => ({ status: 204 }))
route(
  'store-first-wins',
  'TRANSFORM-STORE-02',
  'a second write of a store is dropped',
  WRITE,
  firstWriteWins((state) => state.stores),
)
route(
  'store-old-sessions',
  ['TRANSFORM-STORE-02', 'TRANSFORM-KEPT-15'],
  'a store that is written again works on as before',
  WRITE,
  (original) => async (call) => {
    const name = call.params.name ?? ''
    const before = call.state.stores.get(name)
    const reply = await original(call)
    const after = call.state.stores.get(name)
    if (before !== undefined && after !== undefined) {
      const tokens = sqlStore(call.rules, call.rules.sqlKindOf(before.settings.connectionString)!, before.settings, call.services.clock)
      call.state.stores.set(name, { settings: after.settings, tokens })
    }
    return reply
  },
)
rule('store-slot-filled', 'TRANSFORM-STORE-03', 'a read shows the connection string with the user name in it', {
  shownStore: (original) => (settings) => ({
    ...original(settings),
    connection_string: settings.connectionString.replace('{{username}}', settings.username),
  }),
})
rule('store-type-upper', 'TRANSFORM-STORE-03', 'a read shows the type in capitals', {
  shownStore: (original) => (settings) => ({ ...original(settings), type: settings.type.toUpperCase() }),
})
route(
  'store-unknown-empty',
  'TRANSFORM-STORE-04',
  'an unknown store reads as an empty one',
  'transform.readStore',
  insteadOfRefusal(() => secret({ type: 'sql', connection_string: '', supported_transformations: [] })),
)
rule('store-list-continued', 'TRANSFORM-STORE-05', 'names that continue another one are not listed', {
  storeNames: (original) => (state) => withoutContinued(original(state)),
})
rule('store-list-cut', 'TRANSFORM-STORE-05', 'the newest store is not listed', {
  storeNames: (original) => (state) => original(state).slice(0, -1),
})
rule('store-stays', 'TRANSFORM-STORE-06', 'the deletion of a store is answered and does nothing', { forgetsStore: () => () => false })
route(
  'store-neighbours-gone',
  'TRANSFORM-STORE-06',
  'with a store go those whose names begin like it',
  'transform.deleteStore',
  (original) => (call) => {
    const name = call.params.name ?? ''
    for (const other of [...call.state.stores.keys()]) if (other.startsWith(name) && other !== name) call.state.stores.delete(other)
    return original(call)
  },
)
for (const [field, clause, value] of [
  ['type', 'TRANSFORM-STORE-07', 'sql'],
  ['connection_string', 'TRANSFORM-STORE-11', NOWHERE],
  ['username', 'TRANSFORM-STORE-12', ''],
  ['password', 'TRANSFORM-STORE-13', ''],
] as const)
  route(`store-without-${field.replace('_', '-')}`, clause, `a store without ${field} is created`, WRITE, requestDefault(field, value))
rule('store-type-any', 'TRANSFORM-STORE-08', 'any type is taken', { storeTypeKnown: () => () => true })
rule('store-supports-nothing', 'TRANSFORM-STORE-09', 'a store supports nothing unless it is said', {
  storeSettings: (original) => (body, previous) => ({
    ...original(body, previous),
    ...(body.supported_transformations === undefined ? { supported: [] } : {}),
  }),
})
rule('store-supports-text', 'TRANSFORM-STORE-09', 'a read shows what is supported as one text', {
  shownStore: (original) => (settings) => ({ ...original(settings), supported_transformations: settings.supported.join(',') }),
})
route(
  'store-supports-any',
  'TRANSFORM-STORE-10',
  'a store may be for any transformation',
  WRITE,
  byRules(() => ({ storeSupports: () => true })),
)
route(
  'store-supports-one',
  'TRANSFORM-STORE-10',
  'one supported transformation among others is enough',
  WRITE,
  byRules((rules, call) => {
    const named = call.body.supported_transformations
    return { storeSupports: (one) => (Array.isArray(named) && named.includes('tokenization')) || rules.storeSupports(one) }
  }),
)
for (const [field, clause, value] of [
  ['connection_string', 'TRANSFORM-STORE-14', NOWHERE],
  ['username', 'TRANSFORM-STORE-15', 'nobody'],
  ['password', 'TRANSFORM-STORE-16', 'nothing'],
  ['schema', 'TRANSFORM-STORE-17', 'public'],
  ['max_open_connections', 'TRANSFORM-STORE-18', 4],
  ['max_idle_connections', 'TRANSFORM-STORE-19', 4],
  ['max_connection_lifetime', 'TRANSFORM-STORE-20', 0],
  ['supported_transformations', 'TRANSFORM-STORE-21', ['tokenization']],
] as [string, string, JsonObject[string]][])
  route(`store-object-${field.replaceAll('_', '-')}`, clause, `an object for ${field} is left out`, WRITE, requestNestedAs(field, value))
route(
  'store-once',
  'TRANSFORM-STORE-23',
  'the name of a deleted store is not free again',
  [WRITE, 'transform.deleteStore'],
  (() => {
    const gone = new Set<string>()
    return (original) => (call) => {
      const name = `${call.mount.path} ${call.params.name}`
      if (call.method === 'DELETE') gone.add(name)
      else if (gone.has(name)) throw invalid('this name was used before')
      return original(call)
    }
  })(),
)
rule('store-password-read', 'TRANSFORM-STORE-24', 'a read shows the password', {
  shownStore: (original) => (settings) => ({ ...original(settings), username: settings.username, password: settings.password }),
})
rule('store-password-in-url', ['TRANSFORM-STORE-24', 'TRANSFORM-STORE-03'], 'a read shows the connection string with its slots filled', {
  shownStore: (original) => (settings) => ({
    ...original(settings),
    connection_string: settings.connectionString.replace('{{username}}', settings.username).replace('{{password}}', settings.password),
  }),
})
rule('store-failure-shows-password', 'TRANSFORM-STORE-25', 'a failure shows what was tried', {
  storeFailure: () => (_error, settings) => new ApiError(500, `cannot use ${settings.username}:${settings.password}`),
})
rule('store-strange-taken', 'TRANSFORM-STORE-26', 'what names no database is taken for one, and nothing is kept', {
  sqlKindOf: (original) => (text) =>
    original(text) ?? { ...postgresTokens, open: async () => ({ run: async () => [], close: async () => {}, onLost: () => {} }) },
})
