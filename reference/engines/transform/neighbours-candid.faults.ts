/** Faults that reach a neighbour: another object, name, token, item, mount or schema. */
import { coreEngine } from '../../core/core-engine.ts'
import type { Json, JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { dataOf, itemsOf, roleOf, withData, withInternalStore } from './candid-help.ts'
import { transformEngine } from './engine.ts'
import type { TransformState } from './state.ts'

const { rule, route } = faultsOf(transformEngine)
const core = faultsOf(coreEngine, 'transform')

route(
  'candid-alphabet-delete-prefix',
  'CORE-NAME-01',
  'deleting an alphabet deletes those whose names begin with its name, too (001 4.4: DELETE alphabet/:name)',
  'transform.deleteAlphabet',
  (original) => (call) => {
    const { name = '' } = call.params
    for (const known of [...call.state.alphabets.keys()]) if (known.startsWith(name) && known !== name) call.state.alphabets.delete(known)
    return original(call)
  },
)

route(
  'candid-transformation-delete-cascades',
  'TRANSFORM-READ-11',
  'deleting a transformation deletes the template that it names, which others use (001 4.4: DELETE transformation/:name)',
  'transform.deleteTransformation',
  (original) => (call) => {
    const template = call.state.transformations.get(call.params.name ?? '')?.template
    if (template) call.state.templates.delete(template)
    return original(call)
  },
)

route(
  'candid-tokenized-any-transformation',
  'TRANSFORM-TOKENIZED-03',
  'a value counts as tokenized when another transformation of the role has a token of it (001 4.4: tokenized, transformation)',
  'transform.tokenized',
  (original) => async (call) => {
    const reply = await original(call)
    if (dataOf(reply).tokenized !== false) return reply
    for (const name of call.state.roles.get(roleOf(call)) ?? []) {
      const transformation = call.state.transformations.get(name)
      if (transformation?.type !== 'tokenization' || !call.rules.transformationAllows(transformation, roleOf(call))) continue
      const other = await original({ ...call, body: { ...call.body, transformation: name } })
      if (dataOf(other).tokenized === true) return other
    }
    return reply
  },
)

route(
  'candid-batch-metadata-inherited',
  'TRANSFORM-BATCH-20',
  'an item of a batch without metadata gets that of the item before it (001 4.4: encode, each object carries its own)',
  'transform.encode',
  (original) => (call) => {
    const items = itemsOf(call)
    if (items === undefined) return original(call)
    let metadata: Json | undefined
    const filled = items.map((item) => {
      metadata = item.metadata ?? metadata
      return metadata === undefined ? item : { ...item, metadata }
    })
    return original({ ...call, body: { ...call.body, batch_input: filled } })
  },
)

rule(
  'candid-schema-in-default-schema',
  'TRANSFORM-STORE-02',
  'the schema call makes its table in the default schema, not in that of the store (001 4.4: schema)',
  {
    creation: (original) => (kind) => original(kind, kind.quoted('transform_tokens')),
  },
)

core.rule(
  'candid-mounts-share-alphabets',
  'CORE-MOUNT-02',
  'two mounts of a namespace share their alphabets (000 Conventions: engines can be mounted at any path; 001 4.4: alphabet)',
  {
    stateOf: (original) => (engine, others, place) => {
      const state = original(engine, others, place)
      const sibling = others.find((mount) => mount.engine.type === 'transform' && mount.namespace === place.namespace)
      if (engine.type !== 'transform' || sibling === undefined) return state
      return { ...(state as TransformState), alphabets: (sibling.state as TransformState).alphabets }
    },
  },
)

route(
  'candid-metadata-of-newest-token',
  'TRANSFORM-METADATA-03',
  'the metadata of a token is that of the newest token of the same value (001 4.4: metadata, value is the token)',
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

rule(
  'candid-tokenized-ignores-case',
  'TRANSFORM-TOKENIZED-02',
  'a value counts as tokenized when one that differs by case has a token (001 4.4: tokenized)',
  {
    digestOf: (original) => (transformation, purpose, text) =>
      original(transformation, purpose, purpose === 'value' ? text.toLowerCase() : text),
  },
)

route(
  'candid-batch-one-tweak-returned',
  'TRANSFORM-BATCH-08',
  'all items of a batch are answered with the generated tweak of the first (001 4.4: encode, the tweak must be supplied back to decode)',
  'transform.encode',
  (original) => async (call) => {
    const reply = await original(call)
    const results = dataOf(reply).batch_results as JsonObject[] | undefined
    const tweak = results?.find((item) => item.tweak !== undefined)?.tweak
    if (results === undefined || tweak === undefined) return reply
    return withData(reply, { batch_results: results.map((item) => (item.tweak === undefined ? item : { ...item, tweak })) })
  },
)

rule(
  'candid-filter-dot-any-character',
  'TRANSFORM-FILTER-06',
  'a period in the filter of roles fits any character (001 4.4: filter, glob on names)',
  {
    fits: () => (name, filter) => new RegExp(`^${filter.replace(/[+?^${}()|[\]\\]/g, '\\$&').replace(/\*+/g, '.*')}$`, 's').test(name),
  },
)
