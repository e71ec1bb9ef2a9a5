/** Faults that show in an order of requests: the second call, after an update, a deletion, an expiry, a refusal or an outage. */
import { secret } from '../../core/envelope.ts'
import { ApiError } from '../../core/errors.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { brokenAfterFailure, emptiedListing, remembered } from '../../mutations/remembering.ts'
import type { TransformCall } from './batches.ts'
import { transformEngine } from './engine.ts'
import { CODING, meant, TRANSFORMATION_WRITES, withInternalStore, withRules, withState } from './loose-wrappers.ts'
import type { TransformRules } from './rules.ts'
import type { Template, Transformation, TransformState } from './state.ts'

const { rule, route } = faultsOf(transformEngine)

const lettersSeen = remembered(() => new Map<string, string>())

route(
  'alphabet-as-first-used',
  ['TRANSFORM-ALPHABET-12'],
  'coding goes on with an alphabet as it was when it was used first (001 4.4, POST alphabet; template: alphabet)',
  CODING,
  (original) => (call) => {
    const name = call.state.templates.get(meant(call)?.template ?? '')?.alphabet ?? ''
    const current = call.state.alphabets.get(name)
    if (current === undefined) return original(call)
    const seen = lettersSeen(call.state)
    if (!seen.has(name)) seen.set(name, current)
    return original(withState(call, { alphabets: new Map(call.state.alphabets).set(name, seen.get(name) ?? current) }))
  },
)

const templatesSeen = remembered(() => new Map<string, Template>())

route(
  'template-late-by-one',
  ['TRANSFORM-TEMPLATE-13'],
  'the first encoding after an update of a template goes by the template as it was (001 4.4, POST template: pattern)',
  'transform.encode',
  (original) => (call) => {
    const name = meant(call)?.template ?? ''
    const current = call.state.templates.get(name)
    if (current === undefined) return original(call)
    const seen = templatesSeen(call.state)
    const used = seen.get(name) ?? current
    seen.set(name, current)
    return original(withState(call, { templates: new Map(call.state.templates).set(name, used) }))
  },
)

const transformationsSeen = remembered(() => new Map<string, Transformation>())

route(
  'decode-by-deleted-transformation',
  ['TRANSFORM-READ-07'],
  'a transformation that was there at a decoding goes on decoding after its deletion (001 4.4, DELETE transformation: delete)',
  'transform.decode',
  (original) => (call) => {
    const seen = transformationsSeen(call.state)
    for (const [name, known] of call.state.transformations) seen.set(name, known)
    return original(withState(call, { transformations: new Map(seen) }))
  },
)

rule('role-update-adds', ['TRANSFORM-ROLE-02'], 'an update adds to the list of a role (001 4.4, POST role: creates or updates)', {
  roleOf: (original) => (body, previous) => [...new Set([...(previous ?? []), ...original(body, previous)])],
})

rule(
  'allowed-once-allowed',
  ['TRANSFORM-ACCESS-10'],
  'a role that has used a transformation may do so after it left allowed_roles (001 4.4, allowed_roles)',
  {
    transformationAllows: (original) => {
      const known = new Set<string>()
      return (transformation, role) => {
        const key = `${transformation.id} ${role}`
        if (original(transformation, role)) known.add(key)
        return known.has(key)
      }
    },
  },
)

route(
  'tokenized-after-expiry',
  ['TRANSFORM-TTL-04'],
  'tokenized counts tokens that have ended (001 4.4, tokenized: valid unexpired token)',
  'transform.tokenized',
  (original) => (call) => original(withRules(call, { isAlive: () => true })),
)

route(
  'tokenized-knows-latest',
  ['TRANSFORM-TTL-06'],
  'tokenized knows only the newest token of a value, which may end before an older one (001 4.4, tokenized: valid unexpired)',
  'transform.tokenized',
  (original) => (call) =>
    original(
      withInternalStore(call, (store) => ({
        byValue: async (owner, digests) => {
          const found = await store.byValue(owner, digests)
          return [...new Map(found.map((token) => [token.value, token])).values()]
        },
      })),
    ),
)

route(
  'store-broken-by-failure',
  ['TRANSFORM-KEPT-06'],
  'a store that failed once fails ever after, though its database is back (001 4.4, encode: returns data.encoded_value)',
  'transform.encode',
  brokenAfterFailure<TransformCall>((call) => call.state.stores.get(meant(call)?.stores[0] ?? ''), 'the store cannot be reached'),
)

rule('sessions-outlive-lifetime', ['TRANSFORM-POOL-05'], 'sessions of a store outlive their lifetime (001 4.4, max_connection_lifetime)', {
  poolLimits: (original) => (settings) => ({ ...original(settings), lifetime: 0 }),
})

route(
  'refused-update-deletes',
  ['TRANSFORM-TOKENIZATION-03'],
  'an update of a transformation that is refused deletes it (001 4.4, type: immutable; 000 7, 400: invalid request)',
  TRANSFORMATION_WRITES,
  (original) => async (call) => {
    try {
      return await original(call)
    } catch (cause) {
      if (cause instanceof ApiError) call.state.transformations.delete(call.params.name ?? '')
      throw cause
    }
  },
)

route(
  'refused-template-stays',
  ['TRANSFORM-TEMPLATE-08'],
  'a template that is refused is there afterwards (001 4.4, template: type only regex; 000 7, 400: invalid request)',
  'transform.writeTemplate',
  (original) => async (call) => {
    try {
      return await original(call)
    } catch (cause) {
      const { type, pattern } = call.body
      const { name = '' } = call.params
      if (typeof type === 'string' && typeof pattern === 'string' && !call.state.templates.has(name))
        call.state.templates.set(name, call.rules.templateOf({ type, pattern }, undefined))
      throw cause
    }
  },
)

route(
  'list-emptied-200',
  ['TRANSFORM-FILTER-07'],
  'after the last role was deleted the list is 200 with no keys (000 1, Listing: an empty listing returns 404)',
  'transform.listRoles',
  emptiedListing<TransformState, TransformRules>(() => secret({ keys: [] })),
)
