/** Faults that take two requests, or time: what an update, a deletion, a refusal or an end leaves behind, or fails to. */
import { createHmac } from 'node:crypto'
import { secret } from '../../core/envelope.ts'
import { invalid } from '../../core/errors.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { requestBody } from '../../mutations/wrappers.ts'
import type { TransformCall } from './batches.ts'
import { dataOf, nameIn, type Wrap, withRules, withStore } from './brisk-wrappers.ts'
import { transformEngine } from './engine.ts'
import type { Kind, Template } from './state.ts'
import type { KeptToken } from './token-store.ts'

const { rule, route, change } = faultsOf(transformEngine)

route(
  'brisk-update-loses-tokens',
  ['TRANSFORM-ACCESS-10'],
  'an update of a tokenization makes its earlier tokens unknown (001 4.4, decode; `max_ttl` default 0 = tokens may never expire)',
  'transform.writeTokenization',
  (original) => async (call) => {
    const known = call.state.transformations.has(nameIn(call))
    const given = await original(call)
    const written = call.state.transformations.get(nameIn(call))
    if (known && written !== undefined) written.id = call.services.random.uuid()
    return given
  },
)

const usedTemplates = remembered(() => new Map<string, Template>())

route(
  'brisk-template-as-first-used',
  ['TRANSFORM-TEMPLATE-13'],
  'a template goes on as it was when it was used first, whatever is written later (001 4.4, POST template: `pattern`)',
  ['transform.encode', 'transform.decode'],
  (original) => (call) => {
    const seen = usedTemplates(call.state)
    const templates = new Map(call.state.templates)
    for (const used of call.state.roles.get(nameIn(call)) ?? []) {
      const name = call.state.transformations.get(used)?.template ?? ''
      const current = templates.get(name)
      if (current === undefined) {
        seen.delete(name)
        continue
      }
      const first = seen.get(name) ?? current
      seen.set(name, first)
      templates.set(name, first)
    }
    return original({ ...call, state: { ...call.state, templates } })
  },
)

const usedRoles = remembered(() => new Map<string, string[]>())

route(
  'brisk-decode-after-role-deleted',
  ['TRANSFORM-ROLE-09'],
  'a role that has decoded once goes on decoding after it was deleted (001 4.4, DELETE role; decode by `:role_name`)',
  'transform.decode',
  (original) => async (call) => {
    const seen = usedRoles(call.state)
    const role = call.state.roles.get(nameIn(call)) ?? seen.get(nameIn(call))
    if (role === undefined) return original(call)
    const given = await original({ ...call, state: { ...call.state, roles: new Map(call.state.roles).set(nameIn(call), role) } })
    seen.set(nameIn(call), role)
    return given
  },
)

const deletedRoles = remembered(() => new Map<string, string[]>())

change(
  'brisk-role-comes-back-full',
  ['TRANSFORM-ROLE-09'],
  'a role created without a list after a deletion has the list of the deleted one (001 4.4, POST role: `transformations` default [])',
  {
    routes: {
      'transform.deleteRole': (original) => (call) => {
        const role = call.state.roles.get(nameIn(call))
        if (role !== undefined) deletedRoles(call.state).set(nameIn(call), role)
        return original(call)
      },
      'transform.writeRole': requestBody<TransformCall>((body, call) => {
        const gone = deletedRoles(call.state).get(nameIn(call))
        const fresh = !call.state.roles.has(nameIn(call)) && (body.transformations ?? null) === null
        return fresh && gone !== undefined ? { ...body, transformations: gone } : body
      }),
    },
  },
)

const deletedKinds = remembered(() => new Map<string, Kind>())

const refusedAsAnother =
  (kind: Kind): Wrap =>
  (original) =>
  (call) => {
    const gone = deletedKinds(call.state).get(nameIn(call))
    if (gone !== undefined && gone !== kind) throw invalid('the type of a transformation cannot be changed')
    return original(call)
  }

change(
  'brisk-type-outlives-deletion',
  ['TRANSFORM-READ-09'],
  'the name of a deleted transformation cannot be taken by one of another type (001 4.4, DELETE transformation; then POST creates)',
  {
    routes: {
      'transform.deleteTransformation': (original) => (call) => {
        const known = call.state.transformations.get(nameIn(call))
        if (known !== undefined) deletedKinds(call.state).set(nameIn(call), known.type)
        return original(call)
      },
      'transform.writeFpe': refusedAsAnother('fpe'),
      'transform.writeMasking': refusedAsAnother('masking'),
      'transform.writeTokenization': refusedAsAnother('tokenization'),
    },
  },
)

rule(
  'brisk-role-list-grows',
  ['TRANSFORM-ROLE-02'],
  'a second write of a role adds its transformations to those that were there (001 4.4, POST role: creates or updates)',
  { roleOf: (original) => (body, previous) => [...new Set([...(previous ?? []), ...original(body, previous)])] },
)

route(
  'brisk-tokenized-after-end',
  ['TRANSFORM-TTL-04'],
  'a value counts as tokenized after its only token has expired (001 4.4, tokenized: valid unexpired token)',
  'transform.tokenized',
  withRules(() => ({ isAlive: () => true })),
)

const validOnce = remembered(() => new Set<string>())

route(
  'brisk-valid-once-seen',
  ['TRANSFORM-TTL-03'],
  'a token that was found valid before stays so after it has expired (001 4.4, validate: `data.valid`; encode `ttl`)',
  'transform.validate',
  (original) => async (call) => {
    const given = await original(call)
    const seen = validOnce(call.state)
    const key = JSON.stringify([nameIn(call), call.body.transformation ?? null, call.body.value ?? null])
    if (dataOf(given).valid === true) seen.add(key)
    return dataOf(given).valid === false && seen.has(key) ? secret({ valid: true }) : given
  },
)

const lives = new WeakMap<KeptToken, number>()

change(
  'brisk-life-from-last-decode',
  ['TRANSFORM-TTL-07'],
  'the ttl of a token counts from its last decoding (001 4.4, encode `ttl`; metadata `data.expiration_time`)',
  {
    routes: {
      'transform.encode': withStore((store, call) => ({
        put(tokens) {
          for (const token of tokens) if (token.expiresAt !== undefined) lives.set(token, token.expiresAt - call.now())
          return store.put(tokens)
        },
      })),
      'transform.decode': withStore((store, call) => ({
        async byToken(owner, digests) {
          const found = await store.byToken(owner, digests)
          for (const token of found.values()) {
            const life = lives.get(token)
            if (life !== undefined && token.expiresAt !== undefined && token.expiresAt > call.now()) token.expiresAt = call.now() + life
          }
          return found
        },
      })),
    },
  },
)

route(
  'brisk-refused-pattern-kept',
  ['TRANSFORM-TEMPLATE-02'],
  'an update of a template that is refused for its type changes its pattern all the same (001 4.4, POST template: only `regex`)',
  'transform.writeTemplate',
  (original) => async (call) => {
    const before = call.state.templates.get(nameIn(call))
    const { pattern, type } = call.body
    try {
      return await original(call)
    } catch (cause) {
      const typed = before !== undefined && typeof pattern === 'string' && type !== 'regex'
      if (typed) call.state.templates.set(nameIn(call), { ...before, pattern })
      throw cause
    }
  },
)

route(
  'brisk-store-goes-on-as-before',
  ['TRANSFORM-STORE-02'],
  'an update of a store is shown, but tokens go where they went before (001 4.4, POST store: `connection_string`, `schema`)',
  'transform.writeStore',
  (original) => async (call) => {
    const before = call.state.stores.get(nameIn(call))
    const given = await original(call)
    const written = call.state.stores.get(nameIn(call))
    if (before !== undefined && written !== undefined) written.tokens = before.tokens
    return given
  },
)

rule(
  'brisk-internal-tweak-moves',
  ['TRANSFORM-FPE-09'],
  'values under an internal tweak do not decode once allowed_roles has changed (001 4.4, `tweak_source` internal; encode and decode)',
  {
    internalTweak: () => (transformation) =>
      createHmac('sha256', transformation.key).update(transformation.allowedRoles.join(',')).digest().subarray(0, 7),
  },
)
