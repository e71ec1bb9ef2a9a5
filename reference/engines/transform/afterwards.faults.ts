/** Faults that show with time or in an order: after deletion and re-creation, after expiry, at the second request, after a refusal. */
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { transformEngine } from './engine.ts'
import type { Template, TransformState } from './state.ts'
import type { KeptToken } from './token-store.ts'
import { CODING, type Handle, overInternalStore, withState } from './wrappers.ts'

const { rule, route, change } = faultsOf(transformEngine)

const oldAlphabets = remembered(() => new Map<string, string>())
const byOldAlphabets =
  (original: Handle): Handle =>
  (call) => {
    const old = oldAlphabets(call.state)
    const alphabets = new Map([...call.state.alphabets].map(([name, alphabet]) => [name, old.get(name) ?? alphabet]))
    return original(withState(call, { alphabets }))
  }

change(
  'time-alphabet-recreated-old',
  'TRANSFORM-ALPHABET-12',
  'an alphabet that was deleted and made again codes with its old characters',
  {
    routes: {
      'transform.deleteAlphabet': (original) => (call) => {
        const name = call.params.name ?? ''
        const alphabet = call.state.alphabets.get(name)
        if (alphabet !== undefined) oldAlphabets(call.state).set(name, alphabet)
        return original(call)
      },
      'transform.writeAlphabet': (original) => (call) => {
        const name = call.params.name ?? ''
        if (call.state.alphabets.has(name)) oldAlphabets(call.state).delete(name)
        return original(call)
      },
      ...Object.fromEntries(CODING.map((operation) => [operation, byOldAlphabets])),
    },
  },
)

rule('time-use-extends-token', 'TRANSFORM-TTL-06', 'each use of a token lets it live on for as long as it had at the first use', {
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
  'time-tokenized-newest-token',
  'TRANSFORM-TTL-06',
  'a value whose newest token has expired counts as not tokenized, whatever older ones it has',
  'transform.tokenized',
  overInternalStore((internalStore) => ({
    byValue: async (owner, digests) => [
      ...new Map((await internalStore.byValue(owner, digests)).map((token) => [token.value, token])).values(),
    ],
  })),
)

const deletedTemplates = remembered(() => new Map<string, Template>())

change(
  'time-template-recreated-alphabet',
  'TRANSFORM-TEMPLATE-13',
  'a template that is made again without an alphabet has the one from before its deletion',
  {
    routes: {
      'transform.deleteTemplate': (original) => (call) => {
        const name = call.params.name ?? ''
        const template = call.state.templates.get(name)
        if (template !== undefined) deletedTemplates(call.state).set(name, template)
        return original(call)
      },
      'transform.writeTemplate': (original) => (call) => {
        const name = call.params.name ?? ''
        const deleted = deletedTemplates(call.state).get(name)
        if (call.state.templates.has(name) || deleted === undefined) return original(call)
        return original({ ...call, body: { alphabet: deleted.alphabet, ...call.body } })
      },
    },
  },
)

route(
  'time-older-path-new-key',
  'TRANSFORM-FPE-09',
  'writing an existing transformation by the older path gives it another key',
  'transform.writeTransformation',
  (original) => async (call) => {
    const name = call.params.name ?? ''
    const known = call.state.transformations.has(name)
    const reply = await original(call)
    const transformation = call.state.transformations.get(name)
    if (known && transformation) {
      transformation.key = call.services.random.bytes(32)
      transformation.cipher = call.rules.cipher(transformation.key)
    }
    return reply
  },
)

route(
  'time-refused-template-kept',
  'TRANSFORM-TEMPLATE-02',
  'an update of a template that is refused changes its alphabet all the same',
  'transform.writeTemplate',
  (original) => async (call) => {
    const name = call.params.name ?? ''
    const previous = call.state.templates.get(name)
    try {
      return await original(call)
    } catch (cause) {
      const { alphabet } = call.body
      if (previous && typeof alphabet === 'string') call.state.templates.set(name, { ...previous, alphabet })
      throw cause
    }
  },
)

route(
  'time-encoding-again-revives',
  'TRANSFORM-TTL-06',
  'a further token for a value gives its other tokens the same end, expired ones too',
  'transform.encode',
  overInternalStore((internalStore) => ({
    async put(tokens) {
      await internalStore.put(tokens)
      for (const { owner, value, expiresAt } of tokens)
        for (const token of await internalStore.byValue(owner, [value])) token.expiresAt = expiresAt
    },
  })),
)

rule(
  'time-deleted-store-listed',
  ['TRANSFORM-STORE-06', 'TRANSFORM-STORE-05'],
  'a store that was listed once stays listed after its deletion',
  {
    storeNames: (original) => {
      const listed = new WeakMap<TransformState, Set<string>>()
      return (state) => {
        const names = new Set([...(listed.get(state) ?? []), ...original(state)])
        listed.set(state, names)
        return [...names]
      }
    },
  },
)
