/** Faults of time and order: updates, deletion and re-creation, expiry, what happened before. */

import { faultsOf } from '../../mutations/declare.ts'
import { brokenAfterFailure, remembered } from '../../mutations/remembering.ts'
import type { TransformCall } from './batches.ts'
import { type Handler, meant, roleOf, withInternalStore, withRules, withState } from './candid-help.ts'
import { transformEngine } from './engine.ts'
import type { Template } from './state.ts'
import type { KeptToken } from './token-store.ts'

const { rule, route, change } = faultsOf(transformEngine)

rule(
  'candid-role-update-adds',
  'TRANSFORM-ROLE-02',
  'an update of a role adds to its transformations instead of replacing them (001 4.4: role, creates or updates)',
  {
    roleOf: (original) => (body, previous) => [...new Set([...(previous ?? []), ...original(body, previous)])],
  },
)

const admitted = new WeakMap<Uint8Array, Set<string>>()
rule(
  'candid-allowed-once-for-ever',
  'TRANSFORM-ACCESS-10',
  'a role that used a transformation may do so after an update of allowed_roles without it (001 4.4: allowed_roles)',
  {
    transformationAllows: (original) => (transformation, role) => {
      // The key of a transformation outlives its updates.
      const known = admitted.get(transformation.key) ?? new Set<string>()
      admitted.set(transformation.key, known)
      if (original(transformation, role)) known.add(role)
      return known.has(role)
    },
  },
)

const compiledTemplates = remembered(() => new Map<string, Template>())
route(
  'candid-template-update-unseen',
  'TRANSFORM-TEMPLATE-13',
  'once a template was used its updates have no effect on encoding and decoding (001 4.4: template, pattern marks the characters)',
  ['transform.encode', 'transform.decode'],
  (original) => (call) => {
    const { roles, templates, transformations } = call.state
    const seen = compiledTemplates(call.state)
    for (const name of roles.get(roleOf(call)) ?? []) {
      const used = transformations.get(name)?.template ?? ''
      const template = templates.get(used)
      if (template !== undefined && !seen.has(used)) seen.set(used, template)
    }
    return original(withState(call, { templates: new Map([...templates].map(([name, template]) => [name, seen.get(name) ?? template])) }))
  },
)

const buried = remembered(() => new Map<string, string[]>())
const revived =
  (original: Handler): Handler =>
  (call) => {
    const name = call.params.name ?? ''
    const allowed = call.state.transformations.has(name) ? undefined : buried(call.state).get(name)
    return original(allowed === undefined ? call : { ...call, body: { allowed_roles: allowed, ...call.body } })
  }
change(
  'candid-recreated-keeps-allowed-roles',
  'TRANSFORM-READ-11',
  'a transformation that is deleted and made anew without allowed_roles has those of before (001 4.4: allowed_roles, default [])',
  {
    routes: {
      'transform.writeFpe': revived,
      'transform.writeMasking': revived,
      'transform.writeTokenization': revived,
      'transform.deleteTransformation': (original) => (call) => {
        const name = call.params.name ?? ''
        const known = call.state.transformations.get(name)
        if (known !== undefined) buried(call.state).set(name, known.allowedRoles)
        return original(call)
      },
    },
  },
)

route(
  'candid-tokenized-after-expiry',
  'TRANSFORM-TTL-04',
  'a value stays tokenized when its only token has expired (001 4.4: tokenized, valid unexpired token)',
  'transform.tokenized',
  (original) => (call) => original(withRules(call, { isAlive: () => true })),
)

const issued = new WeakMap<KeptToken, number>()
change(
  'candid-decode-prolongs',
  'TRANSFORM-TTL-07',
  'each decoding of a token lets its ttl begin anew (001 4.4: encode, ttl; metadata, expiration_time)',
  {
    routes: {
      'transform.encode': (original) => (call) => {
        const store = call.state.internalStore
        return original(
          withInternalStore(call, {
            async put(tokens) {
              for (const token of tokens) issued.set(token, call.now())
              await store.put(tokens)
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
                const since = issued.get(token)
                if (since === undefined || token.expiresAt === undefined || token.expiresAt <= call.now()) continue
                token.expiresAt += call.now() - since
                issued.set(token, call.now())
              }
              return found
            },
          }),
        )
      },
    },
  },
)

rule(
  'candid-maximum-only-raised',
  'TRANSFORM-TOKENIZATION-03',
  'an update that lowers the max_ttl of a transformation has no effect (001 4.4: tokenization, max_ttl)',
  {
    maxTtlOf: (original) => (body, kind, previous) => {
      const given = original(body, kind, previous)
      return previous !== undefined && previous.maxTtl > 0 && given > 0 ? Math.max(previous.maxTtl, given) : given
    },
  },
)

route(
  'candid-store-update-unseen',
  'TRANSFORM-STORE-02',
  'tokens go on to the database that a store was written with first, whatever an update says (001 4.4: store, connection_string)',
  'transform.writeStore',
  (original) => async (call) => {
    const { stores } = call.state
    const name = call.params.name ?? ''
    const previous = stores.get(name)
    const reply = await original(call)
    const written = stores.get(name)
    if (previous !== undefined && written !== undefined) stores.set(name, { settings: written.settings, tokens: previous.tokens })
    return reply
  },
)

route(
  'candid-store-broken-after-failure',
  'TRANSFORM-RACE-05',
  'a store whose database failed once encodes nothing more until it is written again (001 4.4: encode; stores)',
  'transform.encode',
  brokenAfterFailure<TransformCall>((call) => call.state.stores.get(meant(call)?.stores[0] ?? ''), 'the store is out of order'),
)

const usedRoles = remembered(() => new Map<string, string[]>())
route(
  'candid-deleted-role-works',
  'TRANSFORM-ACCESS-03',
  'a role that was used goes on encoding and decoding after its deletion (001 4.4: DELETE role/:name)',
  ['transform.encode', 'transform.decode'],
  (original) => (call) => {
    const { roles } = call.state
    const used = usedRoles(call.state)
    const current = roles.get(roleOf(call))
    if (current !== undefined) used.set(roleOf(call), current)
    const role = current ?? used.get(roleOf(call))
    return original(role === undefined ? call : withState(call, { roles: new Map(roles).set(roleOf(call), role) }))
  },
)

route(
  'candid-update-makes-new-key',
  'TRANSFORM-FPE-09',
  'an update of an fpe transformation makes a new key: what was encoded before decodes to something else (001 1: encodes and decodes)',
  'transform.writeFpe',
  (original) => async (call) => {
    const { transformations } = call.state
    const name = call.params.name ?? ''
    const isUpdate = transformations.has(name)
    const reply = await original(call)
    const written = transformations.get(name)
    const key = call.services.random.bytes(32)
    if (isUpdate && written !== undefined) transformations.set(name, { ...written, key, cipher: call.rules.cipher(key) })
    return reply
  },
)
