/** Faults of coding many values, and of values at an edge: what one item takes from another, and limits met exactly. */
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import type { TransformCall } from './batches.ts'
import { transformEngine } from './engine.ts'
import type { Template } from './state.ts'
import { CODING, dataOf, type Handle, withState } from './wrappers.ts'

const { rule, route, change } = faultsOf(transformEngine)

const latestTemplates = remembered(() => new Map<string, Template>())

const byLatestTemplates =
  (original: Handle): Handle =>
  (call) => {
    const latest = latestTemplates(call.services)
    const templates = new Map([...call.state.templates].map(([name, own]) => [name, latest.get(name) ?? own]))
    return original(withState(call, { templates }))
  }

change(
  'rushed-template-of-another-mount',
  ['TRANSFORM-APART-01'],
  'values are coded by the template of that name which any mount wrote last',
  {
    routes: {
      'transform.writeTemplate': (original) => async (call) => {
        const reply = await original(call)
        const written = call.state.templates.get(call.params.name ?? '')
        if (written) latestTemplates(call.services).set(call.params.name ?? '', written)
        return reply
      },
      ...Object.fromEntries(CODING.map((operation) => [operation, byLatestTemplates])),
    },
  },
)

/** The other transformations of a role that have tokens. */
const siblings = (call: TransformCall): string[] =>
  (call.state.roles.get(call.params.role_name ?? '') ?? []).filter(
    (name) => name !== call.body.transformation && call.state.transformations.get(name)?.type === 'tokenization',
  )

route(
  'rushed-tokenized-by-sibling',
  ['TRANSFORM-TOKENIZED-03'],
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

const CHUNK = 64

rule('rushed-batch-in-chunks', ['TRANSFORM-BATCH-11'], 'from the 65th item on a batch repeats the results from its beginning', {
  batchResults: (original) => (results) => original(results.map((result, index) => results[index % CHUNK] ?? result)),
})

rule('rushed-ttl-at-maximum', ['TRANSFORM-MAXTTL-03'], 'a token whose ttl equals the maximum exactly never ends', {
  tokenTtl: (original) => (requested, maximum) => (requested === maximum ? 0 : original(requested, maximum)),
})

rule('rushed-zero-tweak', ['TRANSFORM-FORMAT-06'], 'a tweak of seven zero bytes is read as one of all ones', {
  tweakOf: (original) => (item) => {
    const tweak = original(item)
    return tweak.every((byte) => byte === 0) ? original({ ...item, tweak: '/////////w==' }) : tweak
  },
})
