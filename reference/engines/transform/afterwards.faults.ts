/** Faults that show with time or in an order: after deletion and re-creation, after expiry, at the second request, after a refusal. */
import { faultsOf } from '../../mutations/declare.ts'
import { transformEngine } from './engine.ts'
import type { TransformState } from './state.ts'
import type { KeptToken } from './token-store.ts'
import { withState } from './wrappers.ts'

const { rule, route } = faultsOf(transformEngine)

rule('time-use-extends-token', 'TF-TTL-06', 'each use of a token lets it live on for as long as it had at the first use', {
  isAlive: (original) => {
    const lives = new WeakMap<KeptToken, number>()
    return (token, now) => {
      const alive = original(token, now)
      if (alive && token.expiresAt !== undefined) {
        const life = lives.get(token) ?? token.expiresAt - now
        lives.set(token, life)
        token.expiresAt = now + life
      }
      return alive
    }
  },
})

route(
  'time-encoding-again-revives',
  'TF-TTL-06',
  'a further token for a value gives its other tokens the same end, expired ones too',
  'transform.encode',
  (original) => (call) => {
    const { internalStore } = call.state
    return original(
      withState(call, {
        internalStore: {
          ...internalStore,
          async put(tokens) {
            await internalStore.put(tokens)
            for (const { owner, value, expiresAt } of tokens)
              for (const token of await internalStore.byValue(owner, [value])) token.expiresAt = expiresAt
          },
        },
      }),
    )
  },
)

rule('time-deleted-store-listed', ['TF-STORE-06', 'TF-STORE-05'], 'a store that was listed once stays listed after its deletion', {
  storeNames: (original) => {
    const listed = new WeakMap<TransformState, Set<string>>()
    return (state) => {
      const names = new Set([...(listed.get(state) ?? []), ...original(state)])
      listed.set(state, names)
      return [...names]
    }
  },
})
