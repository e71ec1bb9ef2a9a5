/** Faults of time and order: what was before a deletion, an update, a second call or the end of a token. */
import { createHmac } from 'node:crypto'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { transformEngine } from './engine.ts'
import { batchOf, eachItem, withStore } from './keen-help.ts'
import type { TransformState } from './state.ts'
import type { KeptToken } from './token-store.ts'

const { rule, route, change } = faultsOf(transformEngine, 'transform')

route(
  'keen-one-left-of-several',
  'TRANSFORM-BATCH-13',
  'transformation may be omitted where all but one of the role were deleted (001 4.4: encode parameters, required when it has several)',
  ['transform.encode', 'transform.decode'],
  (original) => (call) => {
    const left = (call.state.roles.get(call.params.role_name ?? '') ?? []).filter((name) => call.state.transformations.has(name))
    const [only] = left
    if (only === undefined || left.length > 1) return original(call)
    return original({ ...call, body: eachItem(call.body, (item) => ({ ...item, transformation: item.transformation ?? only })) })
  },
)

route(
  'keen-latest-token-of-value-counts',
  'TRANSFORM-TTL-06',
  'a value is not tokenized once its latest token has ended, though an earlier one lives (001 4.4: tokenized, a valid unexpired token)',
  'transform.tokenized',
  (original) => (call) =>
    original(
      withStore(call, (store) => ({
        byValue: async (owner, digests) => [
          ...new Map((await store.byValue(owner, digests)).map((token): [string, KeptToken] => [token.value, token])).values(),
        ],
      })),
    ),
)

rule(
  'keen-internal-tweak-of-settings',
  'TRANSFORM-FPE-09',
  'with an internal tweak nothing decodes once allowed_roles were updated (001 4.4: decode, decoded_value)',
  {
    internalTweak: () => (transformation) =>
      createHmac('sha256', transformation.key)
        .update(JSON.stringify([...transformation.allowedRoles].sort()))
        .digest()
        .subarray(0, 7),
  },
)

rule(
  'keen-allowed-once',
  'TRANSFORM-ACCESS-10',
  'a role that was allowed when it used a transformation stays so after allowed_roles shrink (001 4.4: allowed_roles)',
  {
    transformationAllows: (original) => {
      const seen = new Set<string>()
      return (transformation, role) => {
        const key = `${transformation.id} ${role}`
        if (original(transformation, role)) seen.add(key)
        return seen.has(key)
      }
    },
  },
)

route(
  'keen-ended-tokens-open-in-batch',
  'TRANSFORM-BATCH-19',
  'tokens that have ended are decoded where they come in a batch (001 4.4: encode parameters, ttl)',
  'transform.decode',
  (original) => (call) => original(batchOf(call.body) === undefined ? call : { ...call, rules: { ...call.rules, isAlive: () => true } }),
)

const lifetimes = remembered(() => new WeakMap<KeptToken, number>())

change(
  'keen-decoding-renews',
  'TRANSFORM-TTL-02',
  'each decoding lets a token live for its whole ttl again (001 4.4: encode parameters, ttl)',
  {
    routes: {
      'transform.encode': (original) => (call) =>
        original(
          withStore(call, (store) => ({
            async put(tokens) {
              for (const token of tokens) if (token.expiresAt !== undefined) lifetimes(call.state).set(token, token.expiresAt - call.now())
              await store.put(tokens)
            },
          })),
        ),
      'transform.decode': (original) => (call) =>
        original(
          withStore(call, (store) => ({
            async byToken(owner, digests) {
              const found = await store.byToken(owner, digests)
              for (const token of found.values()) {
                const ttl = lifetimes(call.state).get(token)
                if (ttl !== undefined && (token.expiresAt ?? 0) > call.now()) token.expiresAt = call.now() + ttl
              }
              return found
            },
          })),
        ),
    },
  },
)

const deletedRoles = remembered(() => new Map<string, string[]>())

change(
  'keen-role-remembers-transformations',
  'TRANSFORM-ROLE-09',
  'a role made again without transformations has those from before its deletion (001 4.4: role, default [])',
  {
    routes: {
      'transform.deleteRole': (original) => (call) => {
        const name = call.params.name ?? ''
        deletedRoles(call.state).set(name, call.state.roles.get(name) ?? deletedRoles(call.state).get(name) ?? [])
        return original(call)
      },
      'transform.writeRole': (original) => (call) => {
        const name = call.params.name ?? ''
        const before = call.state.roles.has(name) ? undefined : deletedRoles(call.state).get(name)
        if (before === undefined) return original(call)
        return original({ ...call, body: { ...call.body, transformations: call.body.transformations ?? before } })
      },
    },
  },
)

route(
  'keen-store-stays-connected',
  'TRANSFORM-STORE-02',
  'an update of a store shows in reads, but tokens go where they went before (001 4.4: store parameters, connection_string)',
  'transform.writeStore',
  (original) => async (call) => {
    const previous = call.state.stores.get(call.params.name ?? '')
    const reply = await original(call)
    const current = call.state.stores.get(call.params.name ?? '')
    if (previous !== undefined && current !== undefined) current.tokens = previous.tokens
    return reply
  },
)

route(
  'keen-role-drops-later-transformations',
  'TRANSFORM-ROLE-03',
  'a role beside known transformations loses names that are not there yet (001 4.4: role, transformations)',
  'transform.writeRole',
  (original) => async (call) => {
    const reply = await original(call)
    const names = call.state.roles.get(call.params.name ?? '') ?? []
    const known = names.filter((name) => call.state.transformations.has(name))
    if (known.length > 0) call.state.roles.set(call.params.name ?? '', known)
    return reply
  },
)

const firstChosen = remembered(() => new Map<string, string>())

route(
  'keen-only-transformation-pinned',
  'TRANSFORM-ACCESS-06',
  'a role of one transformation means the first that it ever used, also after an update (001 4.4: encode parameters, transformation)',
  'transform.encode',
  (original) => async (call) => {
    const role = call.params.role_name ?? ''
    const names = call.state.roles.get(role) ?? []
    const [only] = names
    if (only === undefined || names.length > 1 || call.body.transformation !== undefined || batchOf(call.body) !== undefined)
      return original(call)
    const pinned = firstChosen(call.state).get(role) ?? only
    const reply = await original({ ...call, body: { ...call.body, transformation: pinned } })
    firstChosen(call.state).set(role, pinned)
    return reply
  },
)

rule(
  'keen-templates-listed-by-count',
  'TRANSFORM-TEMPLATE-05',
  'templates are listed as they were when there were equally many (001 4.4: LIST template)',
  {
    templateNames: (original) => {
      const shown = new WeakMap<TransformState, string[]>()
      return (state) => {
        const before = shown.get(state)
        const names = before?.length === state.templates.size ? before : original(state)
        shown.set(state, names)
        return names
      }
    },
  },
)
