/** Routes of stores of tokens in databases. */
import type { Call, Route } from '../../core/engine.ts'
import { empty, secret } from '../../core/envelope.ts'
import { invalid } from '../../core/errors.ts'
import type { Reply } from '../../core/reply.ts'
import { kept, nameOf, removed } from './definitions.ts'
import type { TransformRules } from './rules.ts'
import type { SqlKind, SqlSession } from './sql-kind.ts'
import { sqlStore } from './sql-store.ts'
import type { StoreSettings, TransformState } from './state.ts'

type StoreCall = Call<TransformState, TransformRules>

const kindOf = (call: StoreCall, settings: StoreSettings): SqlKind => {
  const kind = call.rules.sqlKindOf(settings.connectionString)
  if (kind === undefined) throw invalid('connection_string names no database that this server knows')
  return kind
}

const write = async (call: StoreCall): Promise<Reply> => {
  const { body, rules, state } = call
  const previous = state.stores.get(nameOf(call))
  rules.storeComplete(body, previous?.settings)
  const settings = rules.storeSettings(body, previous?.settings)
  if (!rules.storeTypeKnown(settings.type)) throw invalid('type must be sql')
  if (!settings.supported.every((one) => rules.storeSupports(one))) throw invalid('a store supports tokenization only')
  state.stores.set(nameOf(call), { settings, tokens: sqlStore(rules, kindOf(call, settings), settings, call.services.clock) })
  await previous?.tokens.close()
  return empty()
}

const makeSchema = async (call: StoreCall): Promise<Reply> => {
  const { body, rules } = call
  const { settings } = kept(call, call.state.stores)
  const credentials = rules.schemaCredentials(body)
  if (!rules.storeSupports(rules.schemaFor(body))) throw invalid('transformation_type must be tokenization')
  const kind = kindOf(call, settings)
  let session: SqlSession | undefined
  try {
    session = await rules.openedSession(kind, settings, credentials)
    await session.run(rules.creation(kind, rules.tableOf(kind, settings.schema)))
  } catch (error) {
    throw rules.storeFailure(error, settings)
  } finally {
    if (session !== undefined) await rules.schemaMade(session)
  }
  return empty()
}

export const storeRoutes: Route<TransformState, TransformRules>[] = [
  {
    id: 'transform.writeStore',
    method: 'POST',
    path: 'store/:name',
    exists: (call) => call.state.stores.has(nameOf(call)),
    handle: write,
  },
  { id: 'transform.makeSchema', method: 'POST', path: 'store/:name/schema', handle: makeSchema },
  {
    id: 'transform.readStore',
    method: 'GET',
    path: 'store/:name',
    handle: (call) => secret(call.rules.shownStore(kept(call, call.state.stores).settings)),
  },
  {
    id: 'transform.listStores',
    method: 'LIST',
    path: 'store',
    handle: (call) => call.services.listing(call.rules.storeNames(call.state)),
  },
  {
    id: 'transform.deleteStore',
    method: 'DELETE',
    path: 'store/:name',
    async handle(call) {
      const store = call.state.stores.get(nameOf(call))
      const reply = removed(call, call.state.stores, call.rules.forgetsStore())
      await store?.tokens.close()
      return reply
    },
  },
]
