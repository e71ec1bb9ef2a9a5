/** Faults of the cloud-C engine: the second time, after an update, a deletion, a rotation or an end. */
import { empty, secret } from '../../core/envelope.ts'
import { ApiError, invalid } from '../../core/errors.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { insteadOfRefusal } from '../../mutations/wrappers.ts'
import { cloudcEngine } from './engine.ts'
import { KEY_ROUTES, keyPrefix, leaseOf, nameIn, TOKEN_ROUTES, without, withRules } from './gale-help.ts'
import { type CloudcCall, grantAll } from './provider-calls.ts'
import type { Bindings, CloudcState, Roleset, SecretType } from './state.ts'

const { route, change } = faultsOf(cloudcEngine, 'cloudc')

const rotations = remembered(() => new Set<string>())
route(
  'gale-second-rotation-leaves-account',
  'CLOUDC-ROT-10',
  'from the second rotation on the account before stays with its rights (000, 3: invalidates secrets generated earlier)',
  'cloudc.rotate',
  (original) => async (call) => {
    const rotated = rotations(call.state)
    const again = rotated.has(nameIn(call))
    const reply = await original(again ? withRules(call, { deletesAccount: () => false, takesBack: () => false }) : call)
    rotated.add(nameIn(call))
    return reply
  },
)

const keyRotations = remembered(() => new Set<string>())
route(
  'gale-second-rotate-key-does-nothing',
  'CLOUDC-ROT-13',
  'the second rotate-key of an account changes nothing (000, 4.3: rotates the service-account key)',
  'cloudc.rotateKey',
  (original) => async (call) => {
    const rotated = keyRotations(call.state)
    const email = call.state.rolesets.get(nameIn(call))?.account.email
    if (email !== undefined && rotated.has(email)) return empty()
    const reply = await original(call)
    if (email !== undefined) rotated.add(email)
    return reply
  },
)

const holds = (after: Bindings, before: Bindings): boolean =>
  Object.entries(before).every(([resource, roles]) => roles.every((role) => after[resource]?.includes(role)))
route(
  'gale-wider-bindings-keep-secrets',
  'CLOUDC-BIND-19',
  'an update that only adds to the bindings keeps account and secrets (000, 3: updating bindings revokes all secrets)',
  'cloudc.writeRoleset',
  (original) => async (call) => {
    const { body, rules, state } = call
    const before = state.rolesets.get(nameIn(call))
    if (before === undefined || typeof body.bindings !== 'string' || body.bindings === '') return original(call)
    const bindings = await rules.bindingsOf(body.bindings)
    if (!holds(bindings, before.bindings) || !rules.changesBindings(before.bindings, bindings)) return original(call)
    for (const resource of Object.keys(bindings)) rules.policyUrls(resource)
    const reply = await original({ ...call, body: without(body, 'bindings') })
    await grantAll(call, bindings, before.account.email)
    const kept = state.rolesets.get(nameIn(call))
    if (kept !== undefined) state.rolesets.set(nameIn(call), { ...kept, bindings })
    return reply
  },
)

const isNew = (call: CloudcCall): boolean => !call.state.rolesets.has(nameIn(call))

const deletedScopes = remembered(() => new Map<string, string[]>())
change(
  'gale-scopes-after-deletion',
  'CLOUDC-SET-11',
  'a roleset made anew under a deleted name has the scopes from before (000, 4.3: default [])',
  {
    routes: {
      'cloudc.deleteRoleset': (original) => (call) => {
        const roleset = call.state.rolesets.get(nameIn(call))
        if (roleset !== undefined) deletedScopes(call.state).set(nameIn(call), roleset.scopes)
        return original(call)
      },
      'cloudc.writeRoleset': (original) => (call) => {
        const { body } = call
        const scopes = deletedScopes(call.state).get(nameIn(call))
        const taken = scopes !== undefined && isNew(call) && body.token_scopes === undefined && body.secret_type !== 'service_account_key'
        return original(taken ? { ...call, body: { ...body, token_scopes: scopes } } : call)
      },
    },
  },
)

const deletedTypes = remembered(() => new Map<string, SecretType>())
change(
  'gale-type-fixed-after-deletion',
  'CLOUDC-SET-21',
  'a deleted name cannot be used for a roleset of the other type (000, 4.3: deletes the roleset; only an update may not change the type)',
  {
    routes: {
      'cloudc.deleteRoleset': (original) => (call) => {
        const roleset = call.state.rolesets.get(nameIn(call))
        if (roleset !== undefined) deletedTypes(call.state).set(nameIn(call), roleset.secretType)
        return original(call)
      },
      'cloudc.writeRoleset': (original) => async (call) => {
        const type = deletedTypes(call.state).get(nameIn(call))
        if (type !== undefined && isNew(call) && call.rules.secretTypeOf(call.body, undefined) !== type)
          throw invalid('secret_type cannot be updated')
        return original(call)
      },
    },
  },
)

const onceFull = new WeakSet<CloudcState>()
change(
  'gale-emptied-listing',
  'CLOUDC-SET-14',
  'once the last roleset is deleted, the listing is 200 without names (000, 1.5: an empty listing returns 404)',
  {
    routes: {
      'cloudc.deleteRoleset': (original) => (call) => {
        if (!isNew(call)) onceFull.add(call.state)
        return original(call)
      },
      'cloudc.listRolesets': insteadOfRefusal<CloudcCall>(
        () => secret({ keys: [] }),
        ({ state }) => onceFull.has(state),
      ),
    },
  },
)

route(
  'gale-renewed-key-goes-at-first-end',
  'CLOUDC-LEASE-07',
  'a key goes when its first time is over, though its lease was renewed (000, 4.3: leased envelope with `renewable` true)',
  KEY_ROUTES,
  (original) => async (call) => {
    const reply = await original(call)
    const lease = leaseOf(call, reply)
    if (lease !== undefined) call.services.clock.after(lease.ttl, () => void lease.request.revoke().catch(() => undefined))
    return reply
  },
)

route(
  'gale-next-key-ends-one-before',
  'CLOUDC-KEY-04',
  'a second key of a roleset ends the lease of the one before (000, 4.3: each key is leased for its own TTL)',
  KEY_ROUTES,
  (original) => async (call) => {
    const { leases } = call.services
    const earlier = leases.withPrefix(keyPrefix(call, nameIn(call)))
    const reply = await original(call)
    for (const id of earlier) await leases.revoke(id).catch(() => undefined)
    return reply
  },
)

const firstScopes = remembered(() => new Map<string, string[]>())
route(
  'gale-scopes-until-next-key',
  'CLOUDC-SET-20',
  'changed scopes hold for tokens only once the key is rotated (000, 4.3: scopes are those of the roleset)',
  TOKEN_ROUTES,
  (original) => (call) => {
    const roleset = call.state.rolesets.get(nameIn(call))
    const key = roleset?.account.tokenKey?.name
    if (roleset === undefined || key === undefined) return original(call)
    const known = firstScopes(call.state)
    const scopes = known.get(key) ?? roleset.scopes
    known.set(key, scopes)
    return original(withRules(call, { tokenScopes: () => scopes }))
  },
)

route(
  'gale-refused-update-changes-scopes',
  'CLOUDC-BIND-16',
  'an update that is refused has changed the scopes already (000, 7: 400, invalid request; nothing is changed by it)',
  'cloudc.writeRoleset',
  (original) => async (call) => {
    const { rolesets } = call.state
    const before = rolesets.get(nameIn(call))
    try {
      return await original(call)
    } catch (cause) {
      const { token_scopes: scopes } = call.body
      if (cause instanceof ApiError && before?.secretType === 'access_token' && Array.isArray(scopes))
        rolesets.set(nameIn(call), { ...before, scopes: scopes.filter((scope) => typeof scope === 'string') })
      throw cause
    }
  },
)

const madeAs = remembered(() => new Map<string, { roleset: Roleset; config: CloudcState['config'] }>())
const remembersMaking =
  (original: (typeof cloudcEngine.routes)[number]['handle']): typeof original =>
  async (call) => {
    const fresh = isNew(call)
    const { config } = call.state
    const reply = await original(call)
    const roleset = call.state.rolesets.get(nameIn(call))
    if (fresh && roleset !== undefined) madeAs(call.state).set(nameIn(call), { roleset, config })
    return reply
  }

change(
  'gale-rotation-binds-as-first-written',
  'CLOUDC-ROT-04',
  'a rotated account gets the bindings with which the roleset was created, not the updated ones (000, 2.5 and 4.3: bindings; rotates)',
  {
    routes: {
      'cloudc.writeRoleset': remembersMaking,
      'cloudc.rotate': (original) => (call) => {
        const made = madeAs(call.state).get(nameIn(call))
        return original(made === undefined ? call : withRules(call, { boundResources: () => made.roleset.bindings }))
      },
    },
  },
)

const byConfigAtCreation: typeof remembersMaking = (original) => (call) => {
  const made = madeAs(call.state).get(nameIn(call))
  return original(
    made === undefined ? call : withRules(call, { leaseTimes: (body, _now, mount) => call.rules.leaseTimes(body, made.config, mount) }),
  )
}
change(
  'gale-lease-times-as-at-creation',
  'CLOUDC-LEASE-03',
  'keys have the lease times that were configured when the roleset was created (000, 4.3: TTL and max TTL from engine config)',
  {
    routes: {
      'cloudc.writeRoleset': remembersMaking,
      'cloudc.readKey': byConfigAtCreation,
      'cloudc.createKey': byConfigAtCreation,
    },
  },
)
