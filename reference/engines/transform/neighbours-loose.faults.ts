/** Faults in which a request has an effect on a neighbour: another item, transformation, template, store or mount than its own. */
import { coreEngine } from '../../core/core-engine.ts'
import { ApiError } from '../../core/errors.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { replyData } from '../../mutations/wrappers.ts'
import { transformEngine } from './engine.ts'
import { dataOf, itemsOf, requestItems, withState, withTransformations } from './loose-wrappers.ts'
import type { TransformState } from './state.ts'

const { route } = faultsOf(transformEngine)
const core = faultsOf(coreEngine, 'transform')

route(
  'transformation-delete-takes-prefixes',
  ['TRANSFORM-READ-07'],
  'deleting a transformation deletes all whose names begin with its name (001 4.4, DELETE transformation: delete)',
  'transform.deleteTransformation',
  (original) => (call) => {
    const { name = '' } = call.params
    for (const other of [...call.state.transformations.keys()]) {
      if (other !== name && other.startsWith(name)) call.state.transformations.delete(other)
    }
    return original(call)
  },
)

route(
  'alphabet-delete-drops-templates',
  ['TRANSFORM-APART-01'],
  'deleting an alphabet deletes the templates that name it (001 4.4, DELETE alphabet: delete)',
  'transform.deleteAlphabet',
  (original) => (call) => {
    const { templates } = call.state
    for (const [name, { alphabet }] of [...templates]) if (alphabet === call.params.name) templates.delete(name)
    return original(call)
  },
)

route(
  'role-delete-drops-transformations',
  ['TRANSFORM-ACCESS-09'],
  'deleting a role deletes the transformations on its list, which other roles use, too (001 4.4, DELETE role: delete)',
  'transform.deleteRole',
  (original) => (call) => {
    for (const name of call.state.roles.get(call.params.name ?? '') ?? []) call.state.transformations.delete(name)
    return original(call)
  },
)

route(
  'tokenized-in-any-of-role',
  ['TRANSFORM-TOKENIZED-03'],
  'tokenized looks in all transformations of the role, not in the one named (001 4.4, tokenized: value, transformation)',
  'transform.tokenized',
  (original) => async (call) => {
    const given = await original(call)
    if (dataOf(given).tokenized !== false) return given
    for (const transformation of call.state.roles.get(call.params.role_name ?? '') ?? []) {
      try {
        const other = await original({ ...call, body: { ...call.body, transformation } })
        if (dataOf(other).tokenized === true) return other
      } catch (cause) {
        if (!(cause instanceof ApiError)) throw cause
      }
    }
    return given
  },
)

core.rule(
  'mounts-share-alphabets',
  ['CORE-MOUNT-02'],
  'all transform mounts have one set of alphabets (000 1.2: engines are mounted at paths; 001 4.4: alphabet of the mount)',
  {
    stateOf: (original) => (engine, others, place) => {
      const state = original(engine, others, place)
      const namesake = others.find((mount) => engine.type === 'transform' && mount.engine.type === 'transform')
      if (namesake) Object.assign(state as TransformState, { alphabets: (namesake.state as TransformState).alphabets })
      return state
    },
  },
)

route(
  'batch-tweak-of-first-anew',
  ['TRANSFORM-BATCH-02', 'TRANSFORM-BATCH-03'],
  'all items of a batch are encoded under the tweak of the first (001 4.4, batch_input: each object carries its own tweak)',
  'transform.encode',
  requestItems((items) => items.map((item) => (item.tweak && items[0]?.tweak ? { ...item, tweak: items[0].tweak } : item))),
)

route(
  'batch-shows-last-tweak',
  ['TRANSFORM-BATCH-16'],
  'all items of a batch show the generated tweak of the last (001 4.4, encode: a tweak is returned and must be supplied back to decode)',
  'transform.encode',
  replyData((data) => {
    const results = itemsOf(data, 'batch_results')
    const tweak = results?.findLast((item) => item.tweak !== undefined)?.tweak
    return results && tweak ? { ...data, batch_results: results.map((item) => (item.tweak ? { ...item, tweak } : item)) } : data
  }),
)

route(
  'batch-transformation-of-first-anew',
  ['TRANSFORM-BATCH-01', 'TRANSFORM-BATCH-02'],
  'all items of a batch are encoded by the transformation of the first (001 4.4, batch_input: each object carries its own)',
  'transform.encode',
  requestItems((items) => {
    const transformation = items[0]?.transformation
    return transformation === undefined ? items : items.map((item) => ({ ...item, transformation }))
  }),
)

route(
  'template-list-shows-alphabets',
  ['TRANSFORM-TEMPLATE-05'],
  'the list of templates shows the alphabets, too (001 4.4, LIST template: data.keys)',
  'transform.listTemplates',
  replyData((data, call) => ({ ...data, keys: [...new Set([...(data.keys as string[]), ...call.state.alphabets.keys()])].sort() })),
)

route(
  'masking-character-of-latest',
  ['TRANSFORM-MASK-02'],
  'every masking uses the character of the transformation that was made last (001 4.4, masking: masking_character)',
  'transform.encode',
  (original) => (call) => {
    const latest = [...call.state.transformations.values()].findLast(({ type }) => type === 'masking')
    return original(withTransformations(call, (known) => ({ ...known, maskingCharacter: latest?.maskingCharacter ?? '' })))
  },
)

route(
  'store-delete-by-connection',
  ['TRANSFORM-STORE-23', 'TRANSFORM-STORE-05'],
  'deleting a store deletes all with the same connection_string (001 4.4, DELETE store: delete)',
  'transform.deleteStore',
  (original) => async (call) => {
    const { stores } = call.state
    const store = stores.get(call.params.name ?? '')
    for (const [name, other] of [...stores]) {
      if (other === store || other.settings.connectionString !== store?.settings.connectionString) continue
      stores.delete(name)
      await other.tokens.close()
    }
    return original(call)
  },
)

route(
  'schema-made-in-default',
  ['TRANSFORM-STORE-02'],
  'the table of a store is made in public, whatever its schema is (001 4.4, store parameters: schema; POST store/:name/schema)',
  'transform.makeSchema',
  (original) => (call) => {
    const { name = '' } = call.params
    const store = call.state.stores.get(name)
    if (!store) return original(call)
    return original(withState(call, { stores: new Map([[name, { ...store, settings: { ...store.settings, schema: 'public' } }]]) }))
  },
)
