/** Faults of time and order: the second call, what was deleted and made again, updates, expiry, the database before and after. */
import type { JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import type { TransformCall } from './batches.ts'
import { transformEngine } from './engine.ts'
import {
  dataOf,
  isBatch,
  nameOf,
  roleOf,
  transformationName,
  transformationOf,
  withBody,
  withInternalStore,
  withRules,
  withState,
} from './frank-help.ts'
import type { Template } from './state.ts'
import type { KeptToken } from './token-store.ts'

type Handler = (typeof transformEngine.routes)[number]['handle']

const { route, change } = faultsOf(transformEngine, 'transform')

const WRITES = ['transform.writeFpe', 'transform.writeMasking', 'transform.writeTokenization', 'transform.writeTransformation']

const usedBy = remembered(() => new Map<string, Set<string>>())

route(
  'frank-decode-by-role-of-before',
  'TRANSFORM-ACCESS-09',
  'a role goes on decoding with a transformation that it used before an update took it away (001 4.4: role `transformations`)',
  'transform.decode',
  (original) => async (call) => {
    const { roles } = call.state
    const current = roles.get(roleOf(call))
    if (current === undefined || typeof call.body.transformation !== 'string') return original(call)
    const used = usedBy(call.state).get(roleOf(call)) ?? new Set<string>()
    const given = await original(withState(call, { roles: new Map(roles).set(roleOf(call), [...current, ...used]) }))
    usedBy(call.state).set(roleOf(call), used.add(call.body.transformation))
    return given
  },
)

const deletedRoles = remembered(() => new Map<string, string[]>())

change(
  'frank-role-list-survives-deletion',
  'TRANSFORM-ROLE-09',
  'a role made again has the list of the deleted one (001 4.4: `transformations`, default [])',
  {
    routes: {
      'transform.deleteRole': (original) => (call) => {
        const list = call.state.roles.get(nameOf(call))
        if (list !== undefined) deletedRoles(call.state).set(nameOf(call), list)
        return original(call)
      },
      'transform.writeRole': (original) => (call) => {
        const list = call.state.roles.has(nameOf(call)) ? undefined : deletedRoles(call.state).get(nameOf(call))
        return original(list === undefined ? call : withBody(call, { transformations: call.body.transformations ?? list }))
      },
    },
  },
)

const compiledTemplates = remembered(() => new Map<string, Template>())

const byCompiled =
  (original: Handler): Handler =>
  (call) => {
    const compiled = compiledTemplates(call.state)
    const templates = new Map(call.state.templates)
    for (const [name, template] of templates) {
      if (!compiled.has(name)) compiled.set(name, template)
      templates.set(name, compiled.get(name) ?? template)
    }
    return original(withState(call, { templates }))
  }

change(
  'frank-template-made-again-is-old',
  'TRANSFORM-TEMPLATE-13',
  'a template that is deleted and made again transforms by its old pattern (001 4.4: template `pattern`)',
  {
    routes: {
      'transform.writeTemplate': (original) => (call) => {
        if (call.state.templates.has(nameOf(call))) compiledTemplates(call.state).delete(nameOf(call))
        return original(call)
      },
      'transform.encode': byCompiled,
      'transform.decode': byCompiled,
    },
  },
)

route(
  'frank-fpe-update-renews-key',
  'TRANSFORM-FPE-09',
  'an update of an fpe transformation makes a new key: older values no longer decode (001 4.4: decode returns `data.decoded_value`)',
  'transform.writeFpe',
  (original) => async (call) => {
    const { transformations } = call.state
    const isUpdate = transformations.has(nameOf(call))
    const given = await original(call)
    const current = transformations.get(nameOf(call))
    if (isUpdate && current) transformations.set(nameOf(call), { ...current, cipher: call.rules.cipher(call.services.random.bytes(32)) })
    return given
  },
)

const lifetimes = new WeakMap<KeptToken, number>()

change('frank-decode-prolongs-token', 'TRANSFORM-TTL-02', 'each decoding lets a token live for its ttl anew (001 4.4: encode `ttl`)', {
  routes: {
    'transform.encode': (original) => (call) => {
      const store = call.state.internalStore
      return original(
        withInternalStore(call, {
          put(tokens) {
            for (const token of tokens) if (token.expiresAt !== undefined) lifetimes.set(token, token.expiresAt - call.now())
            return store.put(tokens)
          },
        }),
      )
    },
    'transform.decode': (original) => (call) => {
      const store = call.state.internalStore
      return original(
        withInternalStore(call, {
          async byToken(owner, digests) {
            const found = await store.byToken(owner, digests)
            for (const token of found.values()) {
              const lifetime = lifetimes.get(token)
              if (lifetime !== undefined && call.rules.isAlive(token, call.now())) token.expiresAt = call.now() + lifetime
            }
            return found
          },
        }),
      )
    },
  },
})

route(
  'frank-tokenized-by-newest-token',
  'TRANSFORM-TTL-06',
  'a value whose newest token has ended is not tokenized, though an older one lives (001 4.4: tokenized, a valid unexpired token)',
  'transform.tokenized',
  (original) => (call) => {
    const store = call.state.internalStore
    return original(
      withInternalStore(call, {
        byValue: async (owner, digests) => [
          ...new Map((await store.byValue(owner, digests)).map((token) => [token.value, token])).values(),
        ],
      }),
    )
  },
)

route(
  'frank-expiry-of-first-item-only',
  'TRANSFORM-BATCH-19',
  'in a batch of tokens only the first is asked whether it has ended (001 4.4: tokenization `max_ttl`, encode `ttl`)',
  'transform.decode',
  (original) => (call) => {
    let asked = false
    const isAlive = (token: KeptToken, now: number): boolean => {
      if (asked) return true
      asked = true
      return call.rules.isAlive(token, now)
    }
    return original(withRules(call, { isAlive }))
  },
)

const latestTweaks = remembered(() => new Map<string, JsonObject[string]>())

change(
  'frank-decode-by-latest-tweak',
  'TRANSFORM-TWEAK-09',
  'decode takes the tweak generated last instead of the one supplied back (001 4.4: encode, `generated`)',
  {
    routes: {
      'transform.encode': (original) => async (call) => {
        const given = await original(call)
        const { tweak } = dataOf(given)
        if (tweak !== undefined) latestTweaks(call.state).set(transformationName(call), tweak)
        return given
      },
      'transform.decode': (original) => (call) => {
        const tweak = latestTweaks(call.state).get(transformationName(call))
        const isGenerated = !isBatch(call) && transformationOf(call)?.tweakSource === 'generated'
        return original(isGenerated && tweak !== undefined ? withBody(call, { tweak }) : call)
      },
    },
  },
)

const listedNames = new WeakMap<object, string[]>()

change(
  'frank-listing-until-next-write',
  'TRANSFORM-READ-07',
  'a deleted transformation stays in the listing until one is written (001 4.4: DELETE transformation/:name)',
  {
    rules: {
      transformationNames: (original) => (state) => {
        const names = listedNames.get(state) ?? original(state)
        listedNames.set(state, names)
        return names
      },
    },
    routes: Object.fromEntries(
      WRITES.map((id) => [
        id,
        (original: Handler) => (call: TransformCall) => {
          listedNames.delete(call.state)
          return original(call)
        },
      ]),
    ),
  },
)
