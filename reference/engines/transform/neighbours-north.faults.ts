/** Faults of effects on neighbours: other items, names, transformations, stores, mounts. */
import type { Json } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { replyData } from '../../mutations/wrappers.ts'
import { transformEngine } from './engine.ts'
import { about, batchIn, CODING, meant, nameOf, withBatch } from './north-help.ts'

const { rule, route } = faultsOf(transformEngine, 'transform')

route(
  'north-item-inherits-transformation',
  'TRANSFORM-BATCH-03',
  'an item without transformation takes that of the item before it (001 4.4: transformation required when the role has several; each object carries its own)',
  CODING,
  (original) => (call) => {
    let latest: Json | undefined
    const inheriting = withBatch(call, (items) =>
      items.map((item) => {
        latest = item.transformation ?? latest
        return latest === undefined ? item : { ...item, transformation: latest }
      }),
    )
    return original(inheriting)
  },
)

route(
  'north-deleted-transformation-leaves-roles',
  'TRANSFORM-TEMPLATE-13',
  'deleting a transformation also takes its name out of every role (001 4.4: GET role, data.transformations, the list as written)',
  'transform.deleteTransformation',
  (original) => (call) => {
    const { roles } = call.state
    for (const [role, names] of roles)
      roles.set(
        role,
        names.filter((name) => name !== nameOf(call)),
      )
    return original(call)
  },
)

route(
  'north-role-deletion-by-prefix',
  'TRANSFORM-ROLE-01',
  'deleting a role deletes also those whose names begin with its name (001 4.4: DELETE role/:name deletes that role)',
  'transform.deleteRole',
  (original) => (call) => {
    const { roles } = call.state
    if (roles.has(nameOf(call))) for (const name of [...roles.keys()]) if (name.startsWith(nameOf(call))) roles.delete(name)
    return original(call)
  },
)

route(
  'north-alphabet-written-by-case-variant',
  'TRANSFORM-ALPHABET-05',
  'a new alphabet whose name differs by case from another one overwrites that (001 4.4: POST alphabet/:name writes that alphabet)',
  'transform.writeAlphabet',
  (original) => (call) => {
    const names = [...call.state.alphabets.keys()]
    const alike = names.find((name) => name.toLowerCase() === nameOf(call).toLowerCase())
    return original(alike === undefined || names.includes(nameOf(call)) ? call : about(call, alike))
  },
)

route(
  'north-tokens-shared-by-transformations',
  'TRANSFORM-METADATA-06',
  'tokenizations of one mount share their tokens (001 4.4: validate, tokenized and decode are about the named transformation)',
  ['transform.writeTokenization', 'transform.writeTransformation'],
  (original) => async (call) => {
    const { transformations } = call.state
    const isNew = !transformations.has(nameOf(call))
    const given = await original(call)
    const made = transformations.get(nameOf(call))
    const other = [...transformations].find(([name, { type }]) => name !== nameOf(call) && type === 'tokenization')?.[1]
    if (isNew && made?.type === 'tokenization' && other !== undefined)
      transformations.set(nameOf(call), { ...made, key: other.key, cipher: other.cipher, id: other.id })
    return given
  },
)

rule(
  'north-separators-between-groups-go-along',
  'TRANSFORM-TEMPLATE-19',
  'what stands between two groups is transformed, too, where it can be (001 4.4: pattern, matches outside groups are retained)',
  {
    replacedIn: (original) => (value, spans, transform) => {
      try {
        return original(value, [[spans[0]?.[0] ?? 0, spans.at(-1)?.[1] ?? value.length]], transform)
      } catch {
        return original(value, spans, transform)
      }
    },
  },
)

route(
  'north-store-uses-login-of-other',
  'TRANSFORM-STORE-02',
  'a store at the connection string of another store logs in as that one does (001 4.4: store parameters username and password)',
  'transform.writeStore',
  (original) => (call) => {
    const others = [...call.state.stores].filter(([name]) => name !== nameOf(call)).map(([, { settings }]) => settings)
    const other = others.find(({ connectionString }) => connectionString === call.body.connection_string)
    const complete = call.body.username !== undefined && call.body.password !== undefined
    if (other === undefined || !complete) return original(call)
    return original({ ...call, body: { ...call.body, username: other.username, password: other.password } })
  },
)

rule(
  'north-transformation-by-beginning-of-name',
  'TRANSFORM-ACCESS-01',
  'the beginning of the name of a transformation of the role stands for it (001 4.4: transformation names one; 2.4: list of transformation names)',
  {
    chosenName: (original) => (item, transformations) => {
      const named = original(item, transformations)
      if (transformations.includes(named)) return named
      return transformations.find((name) => name.startsWith(named)) ?? named
    },
  },
)

route(
  'north-batch-results-grouped',
  'TRANSFORM-ACCESS-06',
  'results of a batch over several transformations come grouped by transformation (001 4.4: batch_results, each object carries its own parameters)',
  'transform.encode',
  replyData((data, call) => {
    const { batch_results: results } = data
    const items = batchIn(call)
    if (!Array.isArray(results) || items === undefined) return data
    const names = items.map(({ transformation }) => String(transformation ?? ''))
    return { ...data, batch_results: [...new Set(names)].flatMap((name) => results.filter((_, index) => names[index] === name)) }
  }),
)

route(
  'north-equal-values-of-batch-done-once',
  'TRANSFORM-BATCH-16',
  'equal values in a batch are done once, by the parameters of the first (001 4.4: each object carries its own ttl and tweak)',
  'transform.encode',
  replyData((data, call) => {
    const { batch_results: results } = data
    const items = batchIn(call)
    if (!Array.isArray(results) || items === undefined) return data
    const kinds = items.map(({ value, transformation }) => JSON.stringify([value ?? null, transformation ?? null]))
    return { ...data, batch_results: kinds.map((kind) => results[kinds.indexOf(kind)] ?? null) }
  }),
)

route(
  'north-template-takes-alphabet-along',
  'TRANSFORM-APART-01',
  'deleting a template deletes the alphabet of the same name (001 4.4: DELETE template/:name; GET alphabet/:name)',
  'transform.deleteTemplate',
  (original) => (call) => {
    call.state.alphabets.delete(nameOf(call))
    return original(call)
  },
)

route(
  'north-newest-token-sets-end-of-all',
  'TRANSFORM-TTL-06',
  "a further token of a value gives its end to the value's earlier tokens (001 4.4: encode ttl; metadata, expiration_time)",
  'transform.encode',
  (original) => async (call) => {
    const given = await original(call)
    for (const item of batchIn(call) ?? [call.body]) {
      const transformation = meant(call, item)
      if (transformation?.type !== 'tokenization' || typeof item.value !== 'string') continue
      const digest = call.rules.digestOf(transformation, 'value', item.value)
      const tokens = await call.state.internalStore.byValue(transformation.id, [digest])
      for (const token of tokens) token.expiresAt = tokens.at(-1)?.expiresAt
    }
    return given
  },
)
