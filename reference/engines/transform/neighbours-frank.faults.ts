/** Faults in which a request has an effect on a neighbour, or takes a neighbour for what was meant. */
import { coreEngine } from '../../core/core-engine.ts'
import { invalid } from '../../core/errors.ts'
import type { JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import type { TransformCall } from './batches.ts'
import { transformEngine } from './engine.ts'
import { dataOf, isBatch, nameOf, roleOf, withBody, withData, withInternalStore, withState } from './frank-help.ts'

const { rule, route, change } = faultsOf(transformEngine, 'transform')
const core = faultsOf(coreEngine, 'transform')

rule(
  'frank-allowed-role-any-case',
  'TRANSFORM-ACCESS-15',
  'a role that differs by case from an allowed one may use a transformation (001 4.4: `allowed_roles`)',
  {
    transformationAllows:
      () =>
      ({ allowedRoles }, role) =>
        allowedRoles.some((allowed) => allowed.toLowerCase() === role.toLowerCase()),
  },
)

const alphabetsSeen = remembered(() => new Map<string, string>())

const forgetting =
  (original: (typeof transformEngine.routes)[number]['handle']) =>
  (call: TransformCall): ReturnType<typeof original> => {
    alphabetsSeen(call.services).delete(nameOf(call))
    return original(call)
  }

const bySeenAlphabets =
  (original: (typeof transformEngine.routes)[number]['handle']) =>
  (call: TransformCall): ReturnType<typeof original> => {
    const seen = alphabetsSeen(call.services)
    const alphabets = new Map(call.state.alphabets)
    for (const [name, letters] of alphabets) {
      if (!seen.has(name)) seen.set(name, letters)
      alphabets.set(name, seen.get(name) ?? letters)
    }
    return original(withState(call, { alphabets }))
  }

change(
  'frank-alphabet-of-other-mount',
  'TRANSFORM-APART-01',
  'an alphabet of another mount is used where it has the same name (001 4.4: template `alphabet`)',
  {
    routes: {
      'transform.writeAlphabet': forgetting,
      'transform.deleteAlphabet': forgetting,
      'transform.encode': bySeenAlphabets,
      'transform.decode': bySeenAlphabets,
    },
  },
)

route(
  'frank-role-delete-takes-suffixed',
  'TRANSFORM-ROLE-01',
  'deleting a role deletes those whose names go on with a hyphen (001 4.4: DELETE role/:name)',
  'transform.deleteRole',
  (original) => async (call) => {
    const given = await original(call)
    for (const name of [...call.state.roles.keys()]) if (name.startsWith(`${nameOf(call)}-`)) call.state.roles.delete(name)
    return given
  },
)

route(
  'frank-template-delete-takes-alphabet',
  'TRANSFORM-APART-01',
  'deleting a template deletes the alphabet that it names (001 4.4: DELETE template/:name)',
  'transform.deleteTemplate',
  (original) => (call) => {
    call.state.alphabets.delete(call.state.templates.get(nameOf(call))?.alphabet ?? '')
    return original(call)
  },
)

route(
  'frank-tokenized-by-any-transformation',
  'TRANSFORM-TOKENIZED-03',
  'a value counts as tokenized when another transformation of the role has a token of it (001 4.4: tokenized `transformation`)',
  'transform.tokenized',
  (original) => async (call) => {
    const given = await original(call)
    if (isBatch(call) || dataOf(given).tokenized !== false) return given
    for (const transformation of call.state.roles.get(roleOf(call)) ?? []) {
      const known = call.state.transformations.get(transformation)
      if (known?.type !== 'tokenization' || !known.allowedRoles.includes(roleOf(call))) continue
      const other = await original(withBody(call, { transformation }))
      if (dataOf(other).tokenized === true) return other
    }
    return given
  },
)

rule(
  'frank-ttl-of-item-before',
  'TRANSFORM-BATCH-19',
  'a batch item without ttl gets that of the item before (001 4.4: each object carries its own)',
  {
    batchOf: (original) => (body) => {
      let ttl: JsonObject[string] | undefined
      return original(body)?.map((item) => {
        ttl = item.ttl ?? ttl
        return ttl === undefined ? item : { ...item, ttl }
      })
    },
  },
)

route(
  'frank-batch-sorted-by-transformation',
  'TRANSFORM-ACCESS-06',
  'results of a mixed batch come transformation by transformation, not item by item (001 4.4: `data.batch_results`)',
  'transform.encode',
  (original) => async (call) => {
    const given = await original(call)
    const results = dataOf(given).batch_results
    if (!Array.isArray(results)) return given
    const names = (call.body.batch_input as JsonObject[]).map(({ transformation }) => String(transformation ?? ''))
    const sorted = [...new Set(names)].flatMap((name) => results.filter((_result, place) => names[place] === name))
    return withData(given, { ...dataOf(given), batch_results: sorted })
  },
)

route(
  'frank-schema-of-store-beside',
  'TRANSFORM-KEPT-01',
  'a second store of the same database keeps its tokens in the schema of the first (001 4.4: store `schema`)',
  'transform.writeStore',
  (original) => (call) => {
    const beside = [...call.state.stores].find(
      ([name, { settings }]) => name !== nameOf(call) && settings.connectionString === call.body.connection_string,
    )
    return original(beside === undefined ? call : withBody(call, { schema: beside[1].settings.schema }))
  },
)

rule(
  'frank-role-allows-part-of-name',
  'TRANSFORM-ACCESS-03',
  'a role may use a transformation whose name is part of one that it lists (001 4.4: `transformations`)',
  {
    roleAllows: () => (transformations, name) => transformations.join(',').includes(name),
  },
)

route(
  'frank-metadata-of-newest-token',
  'TRANSFORM-METADATA-03',
  'metadata tells of the newest token of the same value (001 4.4: metadata `value` is the token)',
  'transform.metadata',
  (original) => (call) => {
    const store = call.state.internalStore
    return original(
      withInternalStore(call, {
        async byToken(owner, digests) {
          const found = await store.byToken(owner, digests)
          for (const [digest, token] of found) found.set(digest, (await store.byValue(owner, [token.value])).at(-1) ?? token)
          return found
        },
      }),
    )
  },
)

route(
  'frank-alphabet-named-like-template',
  'TRANSFORM-APART-01',
  'an alphabet cannot be written under the name of a template (001 4.4: POST alphabet/:name)',
  'transform.writeAlphabet',
  (original) => (call) => {
    if (call.state.templates.has(nameOf(call))) throw invalid('the name is in use')
    return original(call)
  },
)

core.rule(
  'frank-state-by-path-alone',
  'TRANSFORM-APART-01',
  'mounts at the same path of two namespaces share what they hold (000 2.2: the effective path)',
  {
    stateOf: (original) => (engine, others, place) =>
      (engine.type === 'transform' && others.find((mount) => mount.engine.type === 'transform' && mount.path === place.path)?.state) ||
      original(engine, others, place),
  },
)
