/** Faults of time and order: second calls, updates, deletion and re-creation, expiry, and failures that came before. */
import { invalid } from '../../core/errors.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import type { TransformCall } from './batches.ts'
import { nameOf } from './definitions.ts'
import { transformEngine } from './engine.ts'
import { aroundTokens, withRules, withState } from './south-help.ts'
import type { StoreSettings, Template } from './state.ts'

const { rule, route, change } = faultsOf(transformEngine, 'transform')

const grants = remembered(() => new Set<string>())

rule(
  'south-allowed-once-allowed-ever',
  'TRANSFORM-ACCESS-10',
  'a role that has used a transformation may do so after allowed_roles were narrowed (001 4.4: allowed_roles)',
  {
    transformationAllows: (original) => (transformation, role) => {
      // The key stays the same object over updates.
      const granted = grants(transformation.key)
      if (original(transformation, role)) granted.add(role)
      return granted.has(role)
    },
  },
)

route(
  'south-new-key-at-update',
  'TRANSFORM-FPE-09',
  'what was encoded before an update of its fpe transformation decodes to something else (001 1: encodes and decodes values)',
  'transform.writeFpe',
  (original) => async (call) => {
    const isNew = !call.state.transformations.has(nameOf(call))
    const reply = await original(call)
    const written = call.state.transformations.get(nameOf(call))
    if (!isNew && written) {
      written.key = call.services.random.bytes(32)
      written.cipher = call.rules.cipher(written.key)
    }
    return reply
  },
)

const firstTemplates = remembered(() => new Map<string, Template>())

route(
  'south-template-as-first-used',
  'TRANSFORM-TEMPLATE-13',
  'values are coded by a template as it was when it was used first (001 4.4: POST template: pattern marks the characters transformed)',
  ['transform.encode', 'transform.decode'],
  (original) => (call) => {
    const { roles, templates, transformations } = call.state
    const known = firstTemplates(call.state)
    for (const name of known.keys()) if (!templates.has(name)) known.delete(name)
    for (const name of roles.get(call.params.role_name ?? '') ?? []) {
      const template = transformations.get(name)?.template ?? ''
      const current = templates.get(template)
      if (current && !known.has(template)) known.set(template, current)
    }
    return original(withState(call, { templates: new Map([...templates, ...known]) }))
  },
)

const rolesUsed = remembered(() => new Map<string, string[]>())

route(
  'south-deleted-role-encodes',
  'TRANSFORM-ROLE-09',
  'a role that has encoded before goes on encoding when it is deleted (001 4.4: DELETE role/:name; encode/:role_name)',
  'transform.encode',
  (original) => (call) => {
    const role = call.params.role_name ?? ''
    const current = call.state.roles.get(role)
    const used = rolesUsed(call.state)
    if (current) used.set(role, current)
    return original(withState(call, { roles: new Map([...used, ...call.state.roles]) }))
  },
)

const deletedRoles = remembered(() => new Map<string, string[]>())

change(
  'south-role-comes-back',
  'TRANSFORM-ROLE-09',
  'a role that is made again without transformations has those of the one deleted (001 4.4: transformations, list, default [])',
  {
    routes: {
      'transform.deleteRole': (original) => (call) => {
        const role = call.state.roles.get(nameOf(call))
        if (role) deletedRoles(call.state).set(nameOf(call), role)
        return original(call)
      },
      'transform.writeRole': (original) => (call) => {
        const before = call.state.roles.has(nameOf(call)) ? undefined : deletedRoles(call.state).get(nameOf(call))
        return original(before ? { ...call, body: { transformations: before, ...call.body } } : call)
      },
    },
  },
)

const latestOnly = aroundTokens((store) => ({
  ...store,
  async byToken(owner, digests) {
    const found = await store.byToken(owner, digests)
    for (const [digest, { value }] of found) if ((await store.byValue(owner, [value])).at(-1)?.token !== digest) found.delete(digest)
    return found
  },
}))

route(
  'south-second-token-ends-first',
  'TRANSFORM-METADATA-03',
  'a value that is tokenized again leaves its first token invalid (001 4.4: ttl, default 0; max_ttl 0 = tokens may never expire)',
  'transform.encode',
  (original) => (call) => {
    latestOnly(call.state)
    return original(call)
  },
)

route(
  'south-ended-tokens-count',
  'TRANSFORM-TTL-04',
  'a value whose tokens have all ended counts as tokenized (001 4.4: tokenized, whether a plaintext has a valid unexpired token)',
  'transform.tokenized',
  (original) => (call) => original(withRules(call, { isAlive: () => true })),
)

const lifetimes = remembered(() => new Map<number, number>())

change(
  'south-decoding-renews',
  'TRANSFORM-TTL-02',
  'each decoding lets a token live for its ttl from then on (001 4.4: encode ttl, duration; metadata: data.expiration_time)',
  {
    routes: {
      'transform.encode': (original) => (call) =>
        original(
          withRules(call, {
            expiresAt(ttl, now) {
              const end = call.rules.expiresAt(ttl, now)
              if (end !== undefined) lifetimes(call.state).set(end, ttl)
              return end
            },
          }),
        ),
      'transform.decode': (original) => (call) =>
        original(
          withRules(call, {
            isAlive(token, now) {
              const isAlive = call.rules.isAlive(token, now)
              const ttl = lifetimes(call.state).get(token.expiresAt ?? 0)
              if (isAlive && ttl !== undefined) {
                token.expiresAt = now + ttl
                lifetimes(call.state).set(token.expiresAt, ttl)
              }
              return isAlive
            },
          }),
        ),
    },
  },
)

rule(
  'south-max-ttl-only-rises',
  'TRANSFORM-TOKENIZATION-03',
  'an update that lowers max_ttl leaves it as it was (001 4.4: POST tokenization: max_ttl, default 0 = tokens may never expire)',
  {
    maxTtlOf: (original) => (body, kind, previous) => {
      const given = original(body, kind, previous)
      const before = previous?.maxTtl ?? given
      return given === 0 || before === 0 ? 0 : Math.max(given, before)
    },
  },
)

const failed = new WeakSet<StoreSettings>()

rule(
  'south-failed-login-closes-the-store',
  'TRANSFORM-SCHEMA-15',
  'a schema call with a wrong password leaves the store without new sessions (001 4.4: schema credentials are used only for this call)',
  {
    openedSession: (original) => async (kind, settings, credentials) => {
      if (failed.has(settings)) throw new Error('the last attempt to connect failed')
      try {
        return await original(kind, settings, credentials)
      } catch (cause) {
        failed.add(settings)
        throw cause
      }
    },
  },
)

route(
  'south-role-before-its-transformations',
  'TRANSFORM-MASKING-04',
  'a role that is written before its transformations exist lacks them (001 4.4: GET role: data.transformations; 2.4: list of names)',
  'transform.writeRole',
  (original) => async (call) => {
    const reply = await original(call)
    const named = call.state.roles.get(nameOf(call)) ?? []
    call.state.roles.set(
      nameOf(call),
      named.filter((name) => call.state.transformations.has(name)),
    )
    return reply
  },
)

const kindsDeleted = remembered(() => new Map<string, string>())

type Handler = (typeof transformEngine.routes)[number]['handle']

const heldToOldKind =
  (kindOf: (call: TransformCall) => unknown) =>
  (original: Handler): Handler =>
  (call) => {
    const before = call.state.transformations.has(nameOf(call)) ? undefined : kindsDeleted(call.state).get(nameOf(call))
    if (before !== undefined && before !== kindOf(call)) throw invalid('the type of a transformation cannot be changed')
    return original(call)
  }

change(
  'south-type-outlives-deletion',
  'TRANSFORM-READ-09',
  'the name of a deleted transformation takes none of another type (001 4.4: DELETE transformation/:name; POST fpe, masking, tokenization)',
  {
    routes: {
      'transform.deleteTransformation': (original) => (call) => {
        const kind = call.state.transformations.get(nameOf(call))?.type
        if (kind) kindsDeleted(call.state).set(nameOf(call), kind)
        return original(call)
      },
      'transform.writeFpe': heldToOldKind(() => 'fpe'),
      'transform.writeMasking': heldToOldKind(() => 'masking'),
      'transform.writeTokenization': heldToOldKind(() => 'tokenization'),
      'transform.writeTransformation': heldToOldKind(({ body }) => body.type),
    },
  },
)
