/** Faults that show at a neighbour: another item, name, token, store or namespace than the one that was meant. */
import { coreEngine } from '../../core/core-engine.ts'
import { ApiError } from '../../core/errors.ts'
import type { JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { nameOf } from './definitions.ts'
import { transformEngine } from './engine.ts'
import { batchOf, chosen, dataOf, itemsOf, roleName, tokensOfValue, transformationOf, withResults } from './plain-help.ts'
import type { TransformState } from './state.ts'

const { rule, route } = faultsOf(transformEngine, 'transform')
const core = faultsOf(coreEngine, 'transform')

rule(
  'plain-role-list-as-prefixes',
  'TRANSFORM-ACCESS-18',
  'a role may use transformations whose names begin with one it lists (001 4.4: transformations)',
  {
    roleAllows: () => (transformations, name) => transformations.some((one) => name.startsWith(one)),
  },
)

route(
  'plain-template-delete-by-prefix',
  'CORE-NAME-01',
  'deleting a template deletes those whose names begin with its name, too (001 4.4: DELETE /transform/template/:name)',
  'transform.deleteTemplate',
  (original) => async (call) => {
    const reply = await original(call)
    for (const name of call.state.templates.keys()) if (name.startsWith(nameOf(call))) call.state.templates.delete(name)
    return reply
  },
)

route(
  'plain-role-delete-tidies-transformations',
  'TRANSFORM-APART-01',
  'deleting a role takes its name out of the allowed_roles of all transformations (001 4.4: GET /transform/transformation/:name)',
  'transform.deleteRole',
  (original) => async (call) => {
    const reply = await original(call)
    for (const transformation of call.state.transformations.values())
      transformation.allowedRoles = transformation.allowedRoles.filter((role) => role !== nameOf(call))
    return reply
  },
)

route(
  'plain-tokenized-by-any-transformation',
  'TRANSFORM-TOKENIZED-03',
  'a value counts as tokenized when another transformation of the role made a token of it (001 4.4: tokenized, transformation)',
  'transform.tokenized',
  (original) => async (call) => {
    const given = await original(call)
    if (batchOf(call) !== undefined) return given
    for (const transformation of call.state.roles.get(roleName(call)) ?? []) {
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
  'plain-roles-by-mount-path',
  'TRANSFORM-APART-01',
  'mounts at the same path of two namespaces share their roles (000 2.2: the namespace prefix)',
  {
    stateOf: (original) => (engine, others, place) => {
      const state = original(engine, others, place)
      if (engine.type !== transformEngine.type) return state
      const namesake = others.find((mount) => mount.engine.type === engine.type && mount.path === place.path)
      return namesake === undefined ? state : { ...(state as TransformState), roles: (namesake.state as TransformState).roles }
    },
  },
)

rule(
  'plain-item-inherits-transformation',
  'TRANSFORM-BATCH-03',
  'an item of a batch without transformation takes that of the item before it (001 4.4: each carries its own; required when several)',
  {
    batchOf: (original) => (body) => {
      let latest: JsonObject = {}
      return original(body)?.map((item) => {
        const whole = { ...latest, ...item }
        latest = whole.transformation === undefined ? {} : { transformation: whole.transformation }
        return whole
      })
    },
  },
)

route(
  'plain-equal-values-once',
  'TRANSFORM-BATCH-16',
  'items of a batch with equal values get the result of the first, whatever their tweaks (001 4.4: batch_input, each its own)',
  'transform.encode',
  (original) => async (call) =>
    withResults(await original(call), (results) => {
      const items = itemsOf(call)
      return results.map((result, index) => results[items.findIndex(({ value }) => value === items[index]?.value)] ?? result)
    }),
)

rule(
  'plain-filter-is-prefix',
  'TRANSFORM-FILTER-03',
  'a filter without star lists all roles whose names begin with it (001 4.4: filter, glob on names)',
  {
    fits: (original) => (name, filter) => original(name, filter.endsWith('*') ? filter : `${filter}*`),
  },
)

route(
  'plain-metadata-of-all-tokens',
  'TRANSFORM-METADATA-03',
  'the metadata of a new token becomes that of the older tokens of the same value (001 4.4: metadata of a token)',
  'transform.encode',
  (original) => async (call) => {
    const reply = await original(call)
    for (const item of itemsOf(call)) {
      const tokens = await tokensOfValue(call, transformationOf(call, item), item.value)
      const latest = tokens.at(-1)?.metadata ?? ''
      for (const token of tokens) token.metadata = latest
    }
    return reply
  },
)

route(
  'plain-schema-by-connection',
  'TRANSFORM-KEPT-01',
  'a store keeps its tokens in the schema of an older store with the same connection string (001 4.4: store parameter schema)',
  'transform.writeStore',
  (original) => (call) => {
    const namesake = [...call.state.stores].find(
      ([name, { settings }]) => name !== nameOf(call) && settings.connectionString === call.body.connection_string,
    )
    return original(namesake === undefined ? call : { ...call, body: { ...call.body, schema: namesake[1].settings.schema } })
  },
)

route(
  'plain-template-case-variant',
  'TRANSFORM-TEMPLATE-05',
  'a template is written over one whose name differs in case only (001 4.4: POST and GET /transform/template/:name)',
  'transform.writeTemplate',
  (original) => (call) => {
    const known = [...call.state.templates.keys()].find((name) => name.toLowerCase() === nameOf(call).toLowerCase())
    return original(known === undefined ? call : { ...call, params: { ...call.params, name: known } })
  },
)

route(
  'plain-results-by-transformation',
  'TRANSFORM-BATCH-02',
  'results of a batch stand together by transformation, not in the order of the items (001 4.4: batch_results for batch_input)',
  'transform.encode',
  (original) => async (call) =>
    withResults(await original(call), (results) => {
      const names = itemsOf(call).map((item) => chosen(call, item))
      const places = [...new Set(names)].flatMap((name) => names.flatMap((other, place) => (other === name ? [place] : [])))
      return places.map((place) => results[place]!)
    }),
)
