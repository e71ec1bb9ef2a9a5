/** Faults that show in an order of requests: the second call, after an update, a deletion, an expiry, a refusal or an outage. */
import { secret } from '../../core/envelope.ts'
import { ApiError } from '../../core/errors.ts'
import type { Reply } from '../../core/reply.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { brokenAfterFailure, emptiedListing, remembered } from '../../mutations/remembering.ts'
import { replyData } from '../../mutations/wrappers.ts'
import type { TransformCall } from './batches.ts'
import { transformEngine } from './engine.ts'
import { CODING, meant, TRANSFORMATION_WRITES, withInternalStore, withRules, withState } from './loose-wrappers.ts'
import type { TransformRules } from './rules.ts'
import type { Template, Transformation, TransformState } from './state.ts'
import type { KeptToken } from './token-store.ts'

const { rule, route, change } = faultsOf(transformEngine)

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

const rolesSeen = remembered(() => new Map<string, string[]>())

route(
  'encode-by-deleted-role',
  [],
  'a role that has encoded goes on encoding after its deletion (001 4.4, DELETE role: delete)',
  'transform.encode',
  (original) => (call) => {
    const { role_name: name = '' } = call.params
    const current = call.state.roles.get(name)
    const seen = rolesSeen(call.state)
    if (current) seen.set(name, current)
    const roles = new Map(call.state.roles)
    if (seen.has(name)) roles.set(name, seen.get(name) ?? [])
    return original(withState(call, { roles }))
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

const graves = remembered(() => new Map<string, string[]>())

change(
  'role-rises-again',
  [],
  'a role made under the name of a deleted one has its transformations where none are given (001 4.4, transformations: list, default [])',
  {
    routes: {
      'transform.deleteRole': (original) => (call) => {
        const { name = '' } = call.params
        graves(call.state).set(name, call.state.roles.get(name) ?? [])
        return original(call)
      },
      'transform.writeRole': (original) => (call) => {
        const { name = '' } = call.params
        const transformations = call.state.roles.has(name) ? undefined : graves(call.state).get(name)
        return original(transformations ? { ...call, body: { transformations, ...call.body } } : call)
      },
    },
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

const latestTokens = remembered(() => new Map<string, string>())
const valueKey = ({ owner, value }: KeptToken): string => `${owner} ${value}`

const latestOnly = (original: (call: TransformCall) => Reply | Promise<Reply>) => (call: TransformCall) =>
  original(
    withInternalStore(call, (store) => ({
      byToken: async (owner, digests) => {
        const found = [...(await store.byToken(owner, digests))]
        return new Map(found.filter(([, token]) => latestTokens(call.state).get(valueKey(token)) === token.token))
      },
    })),
  )

change('second-token-ends-first', [], 'a new token for a value makes its older ones invalid (001 4.4, decode; validate: data.valid)', {
  routes: {
    'transform.encode': (original) => (call) =>
      original(
        withInternalStore(call, (store) => ({
          put: async (tokens) => {
            await store.put(tokens)
            for (const token of tokens) latestTokens(call.state).set(valueKey(token), token.token)
          },
        })),
      ),
    'transform.decode': latestOnly,
    'transform.validate': latestOnly,
    'transform.metadata': latestOnly,
  },
})

route(
  'tokenized-after-expiry',
  ['TRANSFORM-TTL-04'],
  'tokenized counts tokens that have ended (001 4.4, tokenized: valid unexpired token)',
  'transform.tokenized',
  (original) => (call) => original(withRules(call, { isAlive: () => true })),
)

const validated = remembered(() => new Set<string>())

route(
  'validated-once-valid',
  [],
  'a token that was valid when it was asked about stays so after its end (001 4.4, validate: data.valid)',
  'transform.validate',
  replyData((data, call) => {
    const key = `${call.params.role_name} ${call.body.transformation} ${call.body.value}`
    if (data.valid === true) validated(call.state).add(key)
    return data.valid === false && validated(call.state).has(key) ? { ...data, valid: true } : data
  }),
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

route(
  'store-update-not-connected',
  [],
  'an updated store goes on with the connection that it had (001 4.4, POST store: connection_string, username, password)',
  'transform.writeStore',
  (original) => async (call) => {
    const { name = '' } = call.params
    const before = call.state.stores.get(name)
    const given = await original(call)
    const after = call.state.stores.get(name)
    if (before && after) call.state.stores.set(name, { settings: after.settings, tokens: before.tokens })
    return given
  },
)

rule('sessions-outlive-lifetime', ['TRANSFORM-POOL-05'], 'sessions of a store outlive their lifetime (001 4.4, max_connection_lifetime)', {
  poolLimits: (original) => (settings) => ({ ...original(settings), lifetime: 0 }),
})

rule('masking-character-frozen', [], 'an update leaves masking_character as it is (001 4.4, masking_character; only type is immutable)', {
  maskingCharacterOf: (original) => (body, kind, previous) => previous?.maskingCharacter ?? original(body, kind, previous),
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

const listed = remembered((): { reply: Reply | undefined } => ({ reply: undefined }))

change('alphabet-list-kept', [], 'a list of alphabets shows deleted ones until the next write (001 4.4, DELETE alphabet: delete)', {
  routes: {
    'transform.writeAlphabet': (original) => (call) => {
      listed(call.state).reply = undefined
      return original(call)
    },
    'transform.listAlphabets': (original) => async (call) => {
      const known = listed(call.state)
      known.reply ??= await original(call)
      return known.reply
    },
  },
})

route(
  'list-emptied-200',
  ['TRANSFORM-FILTER-07'],
  'after the last role was deleted the list is 200 with no keys (000 1, Listing: an empty listing returns 404)',
  'transform.listRoles',
  emptiedListing<TransformState, TransformRules>(() => secret({ keys: [] })),
)

route(
  'update-renews-key',
  [],
  'an update of an fpe transformation changes its key, so that older values are lost (001 4.4, decode: data.decoded_value)',
  'transform.writeFpe',
  (original) => (call) => {
    const { name = '' } = call.params
    const before = call.state.transformations.get(name)
    const key = call.services.random.bytes(32)
    if (before?.type === 'fpe') call.state.transformations.set(name, { ...before, key, cipher: call.rules.cipher(key) })
    return original(call)
  },
)
