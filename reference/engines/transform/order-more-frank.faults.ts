/** More faults of time and order: stores that are written again or fail once, and types of what was deleted. */
import { ApiError, invalid } from '../../core/errors.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { transformEngine } from './engine.ts'
import { nameOf, withState } from './frank-help.ts'
import type { Store } from './state.ts'
import type { TokenStore } from './token-store.ts'

type Handler = (typeof transformEngine.routes)[number]['handle']

const { route, change } = faultsOf(transformEngine, 'transform')

const isSameLogin = ({ settings: a }: Store, { settings: b }: Store): boolean =>
  a.connectionString === b.connectionString && a.username === b.username && a.password === b.password

route(
  'frank-store-update-keeps-pool',
  'TRANSFORM-STORE-02',
  'a new schema of a store has no effect on its tokens while the login stays the same (001 4.4: store `schema`)',
  'transform.writeStore',
  (original) => async (call) => {
    const previous = call.state.stores.get(nameOf(call))
    const given = await original(call)
    const current = call.state.stores.get(nameOf(call))
    if (previous && current && isSameLogin(previous, current))
      call.state.stores.set(nameOf(call), { settings: current.settings, tokens: previous.tokens })
    return given
  },
)

const brokenStores = new WeakSet<TokenStore>()

route(
  'frank-store-stays-broken',
  'TRANSFORM-SCHEMA-02',
  'a store that was used before its schema was made goes on failing afterwards (001 4.4: POST store/:name/schema)',
  'transform.encode',
  (original) => (call) => {
    const guarded = ({ settings, tokens }: Store): Store => ({
      settings,
      tokens: {
        ...tokens,
        async put(made) {
          if (brokenStores.has(tokens)) throw new ApiError(500, 'the store is out of order')
          try {
            await tokens.put(made)
          } catch (error) {
            brokenStores.add(tokens)
            throw error
          }
        },
      },
    })
    return original(withState(call, { stores: new Map([...call.state.stores].map(([name, store]) => [name, guarded(store)])) }))
  },
)

const typesOf = remembered(() => new Map<string, string>())

const ofSameType =
  (kind: string | undefined) =>
  (original: Handler): Handler =>
  async (call) => {
    const known = typesOf(call.state)
    const wanted = kind ?? call.body.type
    const before = known.get(nameOf(call))
    if (!call.state.transformations.has(nameOf(call)) && typeof wanted === 'string' && before !== undefined && before !== wanted)
      throw invalid('the type of a transformation cannot be changed')
    const given = await original(call)
    known.set(nameOf(call), call.state.transformations.get(nameOf(call))?.type ?? '')
    return given
  }

change(
  'frank-type-outlives-deletion',
  'TRANSFORM-READ-09',
  'after deletion a transformation cannot be made again as one of another type (001 4.4: DELETE, delete)',
  {
    routes: {
      'transform.writeFpe': ofSameType('fpe'),
      'transform.writeMasking': ofSameType('masking'),
      'transform.writeTokenization': ofSameType('tokenization'),
      'transform.writeTransformation': ofSameType(undefined),
    },
  },
)
