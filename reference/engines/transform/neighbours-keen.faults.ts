/** Faults in which one thing changes what belongs to another: items of a batch, tokens, names, roles, mounts. */
import { coreEngine } from '../../core/core-engine.ts'
import { invalid } from '../../core/errors.ts'
import type { Json, JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { transformEngine } from './engine.ts'
import { batchOf, dataOf, resultsOf, withData, withStore } from './keen-help.ts'
import type { TransformState } from './state.ts'

const { rule, route, change } = faultsOf(transformEngine, 'transform')
const core = faultsOf(coreEngine, 'transform')

route(
  'keen-first-tweak-for-all',
  'TRANSFORM-BATCH-08',
  'all items of a batch show the tweak that was generated for the first (001 4.4: encode, must be supplied back to decode)',
  'transform.encode',
  (original) => async (call) => {
    const reply = await original(call)
    const results = resultsOf(reply)
    const first = results?.find(({ tweak }) => tweak !== undefined)?.tweak
    if (results === undefined || first === undefined) return reply
    return withData(reply, { batch_results: results.map((result) => (result.tweak === undefined ? result : { ...result, tweak: first })) })
  },
)

route(
  'keen-metadata-by-value',
  'TRANSFORM-METADATA-03',
  'another token for the same value overwrites the metadata of the earlier tokens (001 4.4: metadata, of the token)',
  'transform.encode',
  (original) => (call) =>
    original(
      withStore(call, (store) => ({
        async put(tokens) {
          for (const token of tokens) {
            for (const earlier of await store.byValue(token.owner, [token.value])) earlier.metadata = token.metadata
          }
          await store.put(tokens)
        },
      })),
    ),
)

rule(
  'keen-patterns-cached-without-case',
  'TRANSFORM-ALPHABET-12',
  'patterns that differ in case only share the one compiled first (001 4.4: template, pattern)',
  {
    spansOf: (original) => {
      const first = new Map<string, string>()
      return (pattern, value) => {
        const known = first.get(pattern.toLowerCase()) ?? pattern
        first.set(pattern.toLowerCase(), known)
        return original(known, value)
      }
    },
  },
)

route(
  'keen-template-takes-alphabet-along',
  'TRANSFORM-APART-01',
  'the deletion of a template deletes an alphabet of the same name (001 4.4: DELETE template)',
  'transform.deleteTemplate',
  (original) => async (call) => {
    const reply = await original(call)
    call.state.alphabets.delete(call.params.name ?? '')
    return reply
  },
)

route(
  'keen-role-leaves-allowed-roles',
  'TRANSFORM-APART-01',
  'the deletion of a role takes its name out of the allowed_roles of all transformations (001 4.4: GET transformation, allowed_roles)',
  'transform.deleteRole',
  (original) => async (call) => {
    const reply = await original(call)
    for (const transformation of call.state.transformations.values()) {
      transformation.allowedRoles = transformation.allowedRoles.filter((role) => role !== call.params.name)
    }
    return reply
  },
)

rule('keen-token-with-a-tail', 'TRANSFORM-METADATA-06', 'what begins with a token counts as this token (001 4.4: validate, valid)', {
  digestOf: (original) => (transformation, purpose, text) =>
    original(transformation, purpose, purpose === 'token' ? [...text].slice(0, 40).join('') : text),
})

core.rule(
  'keen-alphabets-over-namespaces',
  'TRANSFORM-APART-01',
  'mounts of the same path in two namespaces share their alphabets (000 2.2: effective path)',
  {
    stateOf: (original) => (engine, others, place) => {
      const state = original(engine, others, place)
      if (engine.type !== 'transform') return state
      const namesake = others.find((one) => one.engine.type === 'transform' && one.path === place.path && one.namespace !== place.namespace)
      return namesake === undefined
        ? state
        : Object.assign(state as TransformState, { alphabets: (namesake.state as TransformState).alphabets })
    },
  },
)

route(
  'keen-item-goes-on-with-transformation',
  'TRANSFORM-BATCH-03',
  'an item of a batch without transformation takes that of the item before (001 4.4: encode parameters, each object carries its own)',
  ['transform.encode', 'transform.decode'],
  (original) => (call) => {
    const batch = batchOf(call.body)
    if (batch === undefined) return original(call)
    let latest: Json | undefined
    const items = batch.map((item) => {
      latest = item?.transformation ?? latest
      return latest === undefined || item === null || typeof item !== 'object' ? item : { ...item, transformation: latest }
    })
    return original({ ...call, body: { ...call.body, batch_input: items } })
  },
)

route(
  'keen-equal-values-once',
  'TRANSFORM-BATCH-16',
  'equal values of a batch get the result of the first, whatever their tweaks, ttls and metadata (001 4.4: encode parameters, batch_input)',
  'transform.encode',
  (original) => async (call) => {
    const reply = await original(call)
    const [batch, results] = [batchOf(call.body), resultsOf(reply)]
    if (batch === undefined || results === undefined) return reply
    const first = new Map<string, JsonObject>()
    const shared = results.map((result, index) => {
      const key = JSON.stringify([batch[index]?.transformation ?? null, batch[index]?.value ?? null])
      const known = first.get(key) ?? result
      if (result.encoded_value !== undefined) first.set(key, known)
      return known
    })
    return withData(reply, { batch_results: shared })
  },
)

route(
  'keen-role-written-to-case-variant',
  'TRANSFORM-ROLE-05',
  'a role is written over one whose name differs in case only (001 4.4: POST role, :name)',
  'transform.writeRole',
  (original) => (call) => {
    const name = call.params.name ?? ''
    const namesake = [...call.state.roles.keys()].find((known) => known.toLowerCase() === name.toLowerCase())
    return original({ ...call, params: { ...call.params, name: namesake ?? name } })
  },
)

const makers = remembered(() => new Map<string, string>())

change(
  'keen-token-of-its-role-only',
  'TRANSFORM-BATCH-03',
  'a token is decoded only for the role that made it, though others may use it (001 4.4: decode/:role_name)',
  {
    routes: {
      'transform.encode': (original) => async (call) => {
        const reply = await original(call)
        for (const result of resultsOf(reply) ?? [dataOf(reply)]) {
          if (/^\w{40}$/.test(String(result.encoded_value)))
            makers(call.state).set(String(result.encoded_value), call.params.role_name ?? '')
        }
        return reply
      },
      'transform.decode': (original) => (call) => {
        const maker = makers(call.state).get(String(call.body.value))
        if (maker !== undefined && maker !== call.params.role_name) throw invalid('no such token')
        return original(call)
      },
    },
  },
)

route(
  'keen-tokenized-anywhere-in-role',
  'TRANSFORM-TOKENIZED-03',
  'a value counts as tokenized where another transformation of the role has a token for it (001 4.4: tokenized, transformation)',
  'transform.tokenized',
  (original) => async (call) => {
    const reply = await original(call)
    if (dataOf(reply).tokenized !== false) return reply
    const role = call.params.role_name ?? ''
    for (const name of call.state.roles.get(role) ?? []) {
      const other = call.state.transformations.get(name)
      if (other?.type !== 'tokenization' || !other.allowedRoles.includes(role)) continue
      const answer = await original({ ...call, body: { ...call.body, transformation: name } })
      if (dataOf(answer).tokenized === true) return answer
    }
    return reply
  },
)
