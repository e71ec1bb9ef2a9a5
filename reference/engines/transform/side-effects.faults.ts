/** Faults in which a request changes something else than what it names: another object, token, item or mount. */
import { coreEngine } from '../../core/core-engine.ts'
import type { JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { transformEngine } from './engine.ts'
import type { TransformState } from './state.ts'
import { byRules, CODING, type Handle, overInternalStore, requestItems, withState } from './wrappers.ts'

const { route, change } = faultsOf(transformEngine)

route(
  'neighbour-template-same-pattern',
  'TRANSFORM-APART-01',
  'writing a template gives its alphabet to the others with the same pattern',
  'transform.writeTemplate',
  (original) => async (call) => {
    const reply = await original(call)
    const written = call.state.templates.get(call.params.name ?? '')
    for (const template of call.state.templates.values())
      if (written && template.pattern === written.pattern) template.alphabet = written.alphabet
    return reply
  },
)

route(
  'neighbour-role-joins-allowed',
  ['TRANSFORM-ACCESS-04', 'TRANSFORM-ACCESS-15'],
  'writing a role adds it to the allowed roles of the transformations that it names',
  'transform.writeRole',
  (original) => async (call) => {
    const reply = await original(call)
    const role = call.params.name ?? ''
    for (const name of call.state.roles.get(role) ?? []) {
      const transformation = call.state.transformations.get(name)
      if (transformation && !transformation.allowedRoles.includes(role))
        transformation.allowedRoles = [...transformation.allowedRoles, role]
    }
    return reply
  },
)

const alphabetsOfAll = remembered(() => new Map<string, string>())
const byLatestAlphabets =
  (original: Handle): Handle =>
  (call) => {
    const latest = alphabetsOfAll(call.services)
    const alphabets = new Map([...call.state.alphabets].map(([name, alphabet]) => [name, latest.get(name) ?? alphabet]))
    return original(withState(call, { alphabets }))
  }

change(
  'neighbour-alphabet-of-any-mount',
  'TRANSFORM-APART-01',
  'values are coded with the alphabet of that name that was written last in any mount',
  {
    routes: {
      'transform.writeAlphabet': (original) => async (call) => {
        const reply = await original(call)
        const name = call.params.name ?? ''
        alphabetsOfAll(call.services).set(name, call.state.alphabets.get(name) ?? '')
        return reply
      },
      ...Object.fromEntries(CODING.map((operation) => [operation, byLatestAlphabets])),
    },
  },
)

route(
  'neighbour-item-transformation',
  'TRANSFORM-BATCH-03',
  'an item of a batch that names no transformation takes that of the item before it',
  CODING,
  requestItems((item, index, body) => {
    const named = (body.batch_input as (JsonObject | null)[]).slice(0, index).findLast((before) => before?.transformation)
    return item && item.transformation === undefined && named ? { ...item, transformation: named.transformation! } : item
  }),
)

route(
  'neighbour-transformation-ends-roles',
  'TRANSFORM-READ-11',
  'deleting a transformation deletes the roles that have no other',
  'transform.deleteTransformation',
  (original) => async (call) => {
    const reply = await original(call)
    for (const [role, names] of [...call.state.roles])
      if (names.length === 1 && names[0] === call.params.name) call.state.roles.delete(role)
    return reply
  },
)

route(
  'neighbour-store-first-schema',
  'TRANSFORM-STORE-02',
  'stores with the same connection string keep their tokens in the schema of the first',
  'transform.writeStore',
  (original) => {
    const first = new Map<string, string>()
    return byRules((rules, call) => ({
      tableOf: (kind, schema) => {
        const address = String(call.body.connection_string ?? '')
        if (address === '') return rules.tableOf(kind, schema)
        if (!first.has(address)) first.set(address, schema)
        return rules.tableOf(kind, first.get(address) ?? schema)
      },
    }))(original)
  },
)

faultsOf(coreEngine, 'transform').rule('neighbour-stores-of-all-mounts', 'CORE-MOUNT-02', 'all mounts have the same stores', {
  stateOf: (original) => (engine, others, place) => {
    const state = original(engine, others, place)
    const other = others.find((mount) => mount.engine.type === 'transform')
    if (engine.type !== 'transform' || other === undefined) return state
    return { ...(state as TransformState), stores: (other.state as TransformState).stores }
  },
})

route(
  'neighbour-metadata-of-value',
  'TRANSFORM-METADATA-03',
  'a further token for a value replaces the metadata of those that it has',
  'transform.encode',
  overInternalStore((internalStore) => ({
    async put(tokens) {
      await internalStore.put(tokens)
      for (const { owner, value, metadata } of tokens)
        for (const token of await internalStore.byValue(owner, [value])) token.metadata = metadata
    },
  })),
)
