/** Faults of coding many values, and of values at an edge: what one item or group takes from another, and limits met exactly. */
import type { JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import type { TransformCall } from './batches.ts'
import { transformEngine } from './engine.ts'
import type { Template } from './state.ts'
import { CODING, dataOf, type Handle, requestItems, withState } from './wrappers.ts'

const { rule, route, change } = faultsOf(transformEngine)

const latestTemplates = remembered(() => new Map<string, Template>())

const byLatestTemplates =
  (original: Handle): Handle =>
  (call) => {
    const latest = latestTemplates(call.services)
    const templates = new Map([...call.state.templates].map(([name, own]) => [name, latest.get(name) ?? own]))
    return original(withState(call, { templates }))
  }

change('rushed-template-of-another-mount', [], 'values are coded by the template of that name which any mount wrote last', {
  routes: {
    'transform.writeTemplate': (original) => async (call) => {
      const reply = await original(call)
      const written = call.state.templates.get(call.params.name ?? '')
      if (written) latestTemplates(call.services).set(call.params.name ?? '', written)
      return reply
    },
    ...Object.fromEntries(CODING.map((operation) => [operation, byLatestTemplates])),
  },
})

route(
  'rushed-metadata-of-item-before',
  [],
  'an item of a batch without metadata gets the metadata of the item before it',
  'transform.encode',
  requestItems((item, index, body) => {
    const before = (body.batch_input as JsonObject[])[index - 1]
    return item.metadata === undefined && before?.metadata !== undefined ? { ...item, metadata: before.metadata } : item
  }),
)

/** The other transformations of a role that have tokens. */
const siblings = (call: TransformCall): string[] =>
  (call.state.roles.get(call.params.role_name ?? '') ?? []).filter(
    (name) => name !== call.body.transformation && call.state.transformations.get(name)?.type === 'tokenization',
  )

route(
  'rushed-tokenized-by-sibling',
  [],
  'a value counts as tokenized when another transformation of the role has a token for it',
  'transform.tokenized',
  (original) => async (call) => {
    const reply = await original(call)
    if (dataOf(reply).tokenized !== false) return reply
    const role = call.params.role_name ?? ''
    for (const transformation of siblings(call)) {
      if (!call.state.transformations.get(transformation)?.allowedRoles.includes(role)) continue
      const other = await original({ ...call, body: { ...call.body, transformation } })
      if (dataOf(other).tokenized === true) return other
    }
    return reply
  },
)

rule('rushed-adjacent-group', [], 'a group that begins right where the one before it ends is left as it is', {
  spansOf: (original) => (pattern, value) =>
    original(pattern, value)?.filter(([start], index, all) => index === 0 || start !== all[index - 1]?.[1]),
})

const CHUNK = 64

rule('rushed-batch-in-chunks', [], 'from the 65th item on a batch repeats the results from its beginning', {
  batchResults: (original) => (results) => original(results.map((result, index) => results[index % CHUNK] ?? result)),
})

rule('rushed-ttl-at-maximum', [], 'a token whose ttl equals the maximum exactly never ends', {
  tokenTtl: (original) => (requested, maximum) => (requested === maximum ? 0 : original(requested, maximum)),
})

rule('rushed-zero-tweak', [], 'a tweak of seven zero bytes is read as one of all ones', {
  tweakOf: (original) => (item) => {
    const tweak = original(item)
    return tweak.every((byte) => byte === 0) ? original({ ...item, tweak: '/////////w==' }) : tweak
  },
})
