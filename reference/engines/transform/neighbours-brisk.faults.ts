/** Faults in which a request touches, or is answered from, an object, a token or an item beside the one that it is about. */
import { coreEngine } from '../../core/core-engine.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { requestBody } from '../../mutations/wrappers.ts'
import type { TransformCall } from './batches.ts'
import { batchItems, dataOf, nameIn, withStore } from './brisk-wrappers.ts'
import { transformEngine } from './engine.ts'
import type { TransformState } from './state.ts'

const { rule, route } = faultsOf(transformEngine)
const { rule: coreRule } = faultsOf(coreEngine, 'transform')

route(
  'brisk-tokenized-by-another',
  ['TRANSFORM-TOKENIZED-03'],
  'a value counts as tokenized where any transformation of the role has a token of it (001 4.4, tokenized: `transformation`)',
  'transform.tokenized',
  (original) => async (call) => {
    const given = await original(call)
    if (dataOf(given).tokenized !== false) return given
    for (const transformation of call.state.roles.get(nameIn(call)) ?? []) {
      if (call.state.transformations.get(transformation)?.type !== 'tokenization') continue
      try {
        const other = await original({ ...call, body: { ...call.body, transformation } })
        if (dataOf(other).tokenized === true) return other
      } catch {}
    }
    return given
  },
)

route(
  'brisk-ttl-of-item-before',
  ['TRANSFORM-BATCH-19'],
  'an item of a batch without ttl gets that of the item before it (001 4.4, encode: each object carries its own; `ttl` default 0)',
  'transform.encode',
  batchItems((items) => {
    let ttl = items[0]?.ttl
    return items.map((item) => {
      ttl = item.ttl ?? ttl
      return ttl === undefined ? item : { ...item, ttl }
    })
  }),
)

route(
  'brisk-metadata-by-value',
  ['TRANSFORM-METADATA-03'],
  'metadata of a token is that of the newest token of the same value (001 4.4, metadata: `value` is a token, returns its metadata)',
  'transform.metadata',
  withStore((store) => ({
    async byToken(owner, digests) {
      const found = await store.byToken(owner, digests)
      for (const [digest, token] of found) {
        const newest = (await store.byValue(owner, [token.value])).at(-1)
        found.set(digest, { ...token, metadata: newest?.metadata ?? token.metadata })
      }
      return found
    },
  })),
)

route(
  'brisk-newest-token-only',
  ['TRANSFORM-VALIDATE-01'],
  'once a value is encoded again its earlier token is gone (001 4.4, decode; `max_ttl` default 0 = tokens may never expire)',
  ['transform.decode', 'transform.validate', 'transform.metadata'],
  withStore((store) => ({
    async byToken(owner, digests) {
      const found = await store.byToken(owner, digests)
      for (const [digest, token] of [...found]) {
        const newest = (await store.byValue(owner, [token.value])).at(-1)
        if (newest !== undefined && newest.token !== token.token) found.delete(digest)
      }
      return found
    },
  })),
)

coreRule(
  'brisk-templates-of-all-mounts',
  ['CORE-MOUNT-02'],
  'mounts of the engine within a namespace share their templates (001, introduction: mounts can be mounted elsewhere)',
  {
    stateOf: (original) => (engine, others, place) => {
      const fresh = original(engine, others, place)
      if (engine.type !== 'transform') return fresh
      const other = others.find((mount) => mount.engine.type === 'transform' && mount.namespace === place.namespace)
      return other === undefined ? fresh : { ...(fresh as TransformState), templates: (other.state as TransformState).templates }
    },
  },
)

rule(
  'brisk-roles-of-last-written',
  ['TRANSFORM-READ-11'],
  'a transformation created without allowed_roles gets those of the one written before (001 4.4: `allowed_roles` default [])',
  {
    allowedRolesOf: (original) => {
      let last: string[] = []
      return (body, previous) => {
        const absent = body.allowed_roles === undefined || body.allowed_roles === null
        last = absent && previous === undefined ? last : original(body, previous)
        return last
      }
    },
  },
)

route(
  'brisk-template-takes-alphabet',
  ['TRANSFORM-APART-01'],
  'the deletion of a template deletes the alphabet that it names, too (001 4.4, DELETE template)',
  'transform.deleteTemplate',
  (original) => async (call) => {
    const alphabet = call.state.templates.get(nameIn(call))?.alphabet ?? ''
    const given = await original(call)
    call.state.alphabets.delete(alphabet)
    return given
  },
)

route(
  'brisk-alphabet-takes-namesake',
  ['TRANSFORM-APART-01'],
  'the deletion of an alphabet deletes the template of the same name, too (001 4.4, DELETE alphabet)',
  'transform.deleteAlphabet',
  (original) => async (call) => {
    const given = await original(call)
    call.state.templates.delete(nameIn(call))
    return given
  },
)

route(
  'brisk-tweak-source-by-template',
  ['TRANSFORM-APART-01'],
  'a write of tweak_source changes that of every other fpe transformation of the same template (001 2.4, Transformation `tweak_source`)',
  ['transform.writeFpe', 'transform.writeTransformation'],
  (original) => async (call) => {
    const given = await original(call)
    const written = call.state.transformations.get(nameIn(call))
    if (written?.type !== 'fpe' || typeof call.body.tweak_source !== 'string') return given
    for (const other of call.state.transformations.values())
      if (other.type === 'fpe' && other.template === written.template) other.tweakSource = written.tweakSource
    return given
  },
)

rule(
  'brisk-templates-list-alphabets',
  ['TRANSFORM-STORE-05'],
  'the list of templates has the names of alphabets as well (001 4.4, LIST template: `data.keys`)',
  { templateNames: (original) => (state) => [...new Set([...original(state), ...state.alphabets.keys()])] },
)

route(
  'brisk-schema-of-first-store',
  ['TRANSFORM-KEPT-01'],
  'a store whose connection string another has gets the schema of that one (001 4.4, store `schema`)',
  'transform.writeStore',
  requestBody<TransformCall>((body, call) => {
    const others = [...call.state.stores].filter(([name]) => name !== nameIn(call))
    const same = others.find(([, { settings }]) => settings.connectionString === body.connection_string)
    return same === undefined ? body : { ...body, schema: same[1].settings.schema }
  }),
)

route(
  'brisk-equal-values-once',
  ['TRANSFORM-BATCH-16'],
  'of the items of a batch with the same value only the first is answered (001 4.4, encode: array of objects with `encoded_value`)',
  'transform.encode',
  batchItems((items) => items.filter((item, index) => items.findIndex((other) => other.value === item.value) === index)),
)
