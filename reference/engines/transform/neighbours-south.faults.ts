/** Faults that reach a neighbour: another object, kind, name, item of a batch, mount or store. */
import { coreEngine } from '../../core/core-engine.ts'
import type { JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { requestBody } from '../../mutations/wrappers.ts'
import type { TransformCall } from './batches.ts'
import { nameOf } from './definitions.ts'
import { transformEngine } from './engine.ts'
import { aroundTokens, batchChanged } from './south-help.ts'
import { internalStore } from './token-store.ts'

const { rule, route } = faultsOf(transformEngine, 'transform')
const core = faultsOf(coreEngine, 'transform')

core.rule(
  'south-same-path-same-state',
  'TRANSFORM-APART-01',
  'mounts at one path in two namespaces keep their objects together (000 2.2: the effective path is the namespace followed by the path)',
  {
    stateOf: (original) => (engine, others, place) =>
      (engine.type === 'transform'
        ? others.find((other) => other.engine.type === 'transform' && other.path === place.path && other.namespace !== place.namespace)
            ?.state
        : undefined) ?? original(engine, others, place),
  },
)

route(
  'south-delete-by-prefix',
  'CORE-NAME-01',
  'the deletion of an alphabet takes those along whose names begin with its name (001 4.4: DELETE alphabet/:name)',
  'transform.deleteAlphabet',
  (original) => async (call) => {
    const reply = await original(call)
    for (const name of [...call.state.alphabets.keys()]) if (name.startsWith(nameOf(call))) call.state.alphabets.delete(name)
    return reply
  },
)

route(
  'south-deleted-role-leaves-allowed-roles',
  'TRANSFORM-APART-01',
  'a role that is deleted vanishes from allowed_roles of transformations (001 4.4: DELETE role/:name; GET transformation: allowed_roles)',
  'transform.deleteRole',
  (original) => async (call) => {
    const reply = await original(call)
    for (const transformation of call.state.transformations.values())
      transformation.allowedRoles = transformation.allowedRoles.filter((role) => role !== nameOf(call))
    return reply
  },
)

route(
  'south-template-takes-its-namesake-along',
  'TRANSFORM-APART-01',
  'the deletion of a template deletes the alphabet of the same name (001 4.4: DELETE template/:name; GET alphabet/:name)',
  'transform.deleteTemplate',
  (original) => async (call) => {
    const reply = await original(call)
    call.state.alphabets.delete(nameOf(call))
    return reply
  },
)

route(
  'south-tokens-common-to-transformations',
  'TRANSFORM-METADATA-06',
  'a value that one tokenization has a token for counts as tokenized in the others (001 4.4: tokenized, validate: transformation)',
  ['transform.writeTokenization', 'transform.writeTransformation'],
  (original) => async (call) => {
    const isNew = !call.state.transformations.has(nameOf(call))
    const reply = await original(call)
    const written = call.state.transformations.get(nameOf(call))
    const first = [...call.state.transformations.values()].find(({ type }) => type === 'tokenization')
    if (isNew && written?.type === 'tokenization' && first) Object.assign(written, { key: first.key, cipher: first.cipher, id: first.id })
    return reply
  },
)

route(
  'south-metadata-of-previous-item',
  'TRANSFORM-BATCH-20',
  'an item of a batch without metadata gets that of the one before (001 4.4: each object of batch_input carries its own)',
  'transform.encode',
  requestBody<TransformCall>((body) =>
    batchChanged(body, (items) => {
      let latest: JsonObject = {}
      return items.map((item) => {
        if (item?.metadata !== undefined) latest = { metadata: item.metadata }
        return typeof item === 'object' && item !== null && !Array.isArray(item) ? { ...latest, ...item } : item
      })
    }),
  ),
)

route(
  'south-tweak-of-first-item',
  'TRANSFORM-BATCH-02',
  'a batch is encoded with the tweak of its first item (001 4.4: the scalar tweak is ignored and each object carries its own)',
  'transform.encode',
  requestBody<TransformCall>((body) =>
    batchChanged(body, (items) => {
      const tweak = items[0]?.tweak
      return tweak === undefined ? items : items.map((item) => (item?.tweak === undefined ? item : { ...item, tweak }))
    }),
  ),
)

route(
  'south-template-names-unique-without-case',
  'TRANSFORM-TEMPLATE-05',
  'a template replaces the one whose name differs in case only (001 4.4: POST template/:name; LIST template: keys)',
  'transform.writeTemplate',
  (original) => async (call) => {
    const reply = await original(call)
    for (const name of [...call.state.templates.keys()])
      if (name !== nameOf(call) && name.toLowerCase() === nameOf(call).toLowerCase()) call.state.templates.delete(name)
    return reply
  },
)

route(
  'south-stores-of-one-database-one-user',
  'TRANSFORM-STORE-02',
  'a store logs in as the user of another one with the same connection string (001 4.4: store parameters username, password)',
  'transform.writeStore',
  (original) => (call) => {
    const others = [...call.state.stores].filter(([name]) => name !== nameOf(call))
    const other = others.find(([, { settings }]) => settings.connectionString === call.body.connection_string)?.[1].settings
    return original(other ? { ...call, body: { ...call.body, username: other.username, password: other.password } } : call)
  },
)

route(
  'south-deletion-empties-the-token-store',
  'TRANSFORM-APART-01',
  'the deletion of a tokenization ends the tokens of all others in builtin/internal (001 4.4: DELETE transformation/:name; decode)',
  'transform.deleteTransformation',
  (original) => async (call) => {
    const isTokenization = call.state.transformations.get(nameOf(call))?.type === 'tokenization'
    const reply = await original(call)
    if (isTokenization) call.state.internalStore = internalStore()
    return reply
  },
)

rule(
  'south-transformation-by-beginning',
  'TRANSFORM-ACCESS-01',
  'of a role with several, the first whose name begins with the one asked for is used (001 4.4: transformation, string)',
  {
    chosenName: (original) => (item, transformations) => {
      const named = original(item, transformations)
      return transformations.find((name) => name.startsWith(named)) ?? named
    },
  },
)

const firstMetadata = aroundTokens((store) => ({
  ...store,
  async put(tokens) {
    const earlier = await Promise.all(tokens.map(async ({ owner, value }) => (await store.byValue(owner, [value]))[0]))
    await store.put(tokens.map((token, index) => ({ ...token, metadata: earlier[index]?.metadata ?? token.metadata })))
  },
}))

route(
  'south-metadata-kept-by-value',
  'TRANSFORM-METADATA-03',
  'a second token of a value shows the metadata of the first (001 4.4: encode metadata; metadata: value (token), data.metadata)',
  'transform.encode',
  (original) => (call) => {
    firstMetadata(call.state)
    return original(call)
  },
)
