/** Faults of time and order: second calls, narrowing updates, deletion and re-creation, refused updates, expiry. */
import { empty, secret } from '../../core/envelope.ts'
import { textOf } from '../../core/fields.ts'
import type { Lease } from '../../core/leases.ts'
import type { Reply } from '../../core/reply.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { cloudcEngine } from './engine.ts'
import type { Account, Bindings, CloudcState, SecretType } from './state.ts'
import { type Handler, KEYS, leasesBelow, nameOf, withLeases, withRules } from './west-help.ts'

const { rule, route, change } = faultsOf(cloudcEngine, 'cloudc')

const timesRebound = remembered(() => new Map<string, number>())

route(
  'west-second-rebinding-ends-nothing',
  'CLOUDC-BIND-19',
  'from the second update of bindings on, the account and the keys before it stay (000 3: updating bindings revokes all secrets)',
  'cloudc.writeRoleset',
  (original) => async (call) => {
    const name = nameOf(call)
    const times = timesRebound(call.state)
    if (!call.state.rolesets.has(name)) times.delete(name)
    const before = times.get(name) ?? 0
    let changes = false
    const changesBindings: typeof call.rules.changesBindings = (old, fresh) => {
      changes = call.rules.changesBindings(old, fresh)
      return changes
    }
    const given = await original(withRules(call, { changesBindings, endsKeys: () => before === 0, deletesAccount: () => before === 0 }))
    if (changes) times.set(name, before + 1)
    return given
  },
)

const isWithin = (inner: Bindings, outer: Bindings): boolean =>
  Object.entries(inner).every(([resource, roles]) => roles.every((role) => outer[resource]?.includes(role)))

route(
  'west-narrowed-bindings-stored-only',
  'CLOUDC-BIND-08',
  'an update that only takes bindings away is stored, but revokes nothing (000 3: updating bindings revokes all secrets)',
  'cloudc.writeRoleset',
  (original) => async (call) => {
    let narrowed: Bindings | undefined
    const changesBindings = (before: Bindings, after: Bindings): boolean => {
      const changes = call.rules.changesBindings(before, after)
      if (changes && isWithin(after, before)) narrowed = after
      return changes && narrowed === undefined
    }
    const given = await original(withRules(call, { changesBindings }))
    const roleset = call.state.rolesets.get(nameOf(call))
    if (roleset !== undefined && narrowed !== undefined) call.state.rolesets.set(nameOf(call), { ...roleset, bindings: narrowed })
    return given
  },
)

const typesBefore = remembered(() => new Map<string, SecretType>())

change(
  'west-recreated-with-old-type',
  'CLOUDC-SET-03',
  'a roleset made again after its deletion has the type of the deleted one (000 4.3: `secret_type`, default `access_token`)',
  {
    routes: {
      'cloudc.deleteRoleset': (original) => (call) => {
        const roleset = call.state.rolesets.get(nameOf(call))
        if (roleset !== undefined) typesBefore(call.state).set(nameOf(call), roleset.secretType)
        return original(call)
      },
      'cloudc.writeRoleset': (original) => (call) => {
        const type = call.state.rolesets.has(nameOf(call)) ? undefined : typesBefore(call.state).get(nameOf(call))
        return original(type === undefined ? call : { ...call, body: { secret_type: type, ...call.body } })
      },
    },
  },
)

const hadRolesets = new WeakSet<CloudcState>()

change(
  'west-list-after-last-deletion',
  'CLOUDC-SET-14',
  'once the last roleset is deleted, the list is an empty one (000 1: an empty listing returns 404)',
  {
    routes: {
      'cloudc.deleteRoleset': (original) => (call) => {
        if (call.state.rolesets.size > 0) hadRolesets.add(call.state)
        return original(call)
      },
      'cloudc.listRolesets': (original) => (call) =>
        call.state.rolesets.size === 0 && hadRolesets.has(call.state) ? secret({ keys: [] }) : original(call),
    },
  },
)

const withFreshKey = remembered(() => new Set<string>())

change(
  'west-rotation-keeps-rotated-key',
  'CLOUDC-ROT-13',
  'a rotation after a rotate-key keeps that key, with which no token can be had (000 4.3: rotate, for access_token also replaces the key)',
  {
    routes: {
      'cloudc.rotateKey': (original) => async (call) => {
        const given = await original(call)
        withFreshKey(call.state).add(nameOf(call))
        return given
      },
      'cloudc.rotate': (original) => async (call) => {
        const before = call.state.rolesets.get(nameOf(call))
        const given = await original(call)
        const after = call.state.rolesets.get(nameOf(call))
        if (before === undefined || after === undefined || !withFreshKey(call.state).delete(nameOf(call))) return given
        call.state.rolesets.set(nameOf(call), { ...after, account: { ...after.account, tokenKey: before.account.tokenKey } })
        return given
      },
    },
  },
)

const firstConfig = new WeakMap<CloudcState, CloudcState['config']>()

route(
  'west-lease-times-of-first-key',
  'CLOUDC-LEASE-03',
  'all keys of a mount get the lease times that were configured at its first key (000 4.3: keys have TTL and max TTL from engine config)',
  KEYS,
  (original) => (call) => {
    const config = firstConfig.get(call.state) ?? { ...call.state.config }
    firstConfig.set(call.state, config)
    return original(withRules(call, { leaseTimes: (body, _now, mount) => call.rules.leaseTimes(body, config, mount) }))
  },
)

route(
  'west-refused-update-keeps-scopes',
  'CLOUDC-BIND-16',
  'an update that is refused for its bindings has changed the scopes (000 7: 400 invalid request; 4.3: POST roleset/:name)',
  'cloudc.writeRoleset',
  (original) => (call) => {
    const roleset = call.state.rolesets.get(nameOf(call))
    const scopes = roleset === undefined ? undefined : call.rules.scopesOf(call.body, roleset.secretType)
    if (roleset !== undefined && scopes !== undefined) call.state.rolesets.set(nameOf(call), { ...roleset, scopes })
    return original(call)
  },
)

const rotatedAt = remembered(() => new Map<string, number>())

route(
  'west-rotation-soon-after-rotation',
  'CLOUDC-ROT-07',
  "a rotation within a minute of another one does nothing (000 4.3: rotate, rotates the roleset's service account)",
  'cloudc.rotate',
  (original) => async (call) => {
    const last = rotatedAt(call.state).get(nameOf(call))
    if (call.state.rolesets.has(nameOf(call)) && last !== undefined && call.now() - last < 60) return empty()
    const given = await original(call)
    rotatedAt(call.state).set(nameOf(call), call.now())
    return given
  },
)

const scopesOfFirstToken = new WeakMap<Account, string[]>()

rule(
  'west-scopes-of-first-token',
  'CLOUDC-SET-20',
  'new scopes are read, but tokens keep those of the first token (000 4.3: scopes are those of the roleset)',
  {
    tokenScopes: (original) => (roleset) => {
      const scopes = scopesOfFirstToken.get(roleset.account) ?? original(roleset)
      scopesOfFirstToken.set(roleset.account, scopes)
      return scopes
    },
  },
)

route(
  'west-refused-rebinding-ends-keys',
  'CLOUDC-BIND-16',
  'new bindings end the keys before it is known whether they are taken (000 3: updating bindings revokes; 7: 400 invalid request)',
  'cloudc.writeRoleset',
  (original) => async (call) => {
    const before = call.state.rolesets.get(nameOf(call))
    const text = textOf(call.body, 'bindings')
    if (before !== undefined && text !== '' && call.rules.changesBindings(before.bindings, await call.rules.bindingsOf(text)))
      await call.services.leases.forcePrefix(leasesBelow(call, nameOf(call)))
    return original(call)
  },
)

route(
  'west-expired-key-stays',
  'CLOUDC-LEASE-10',
  'a key whose lease runs out stays good; only revoking deletes it (000 2.5: service-account-key secret, leased)',
  KEYS,
  (original) => (call) =>
    original(
      withLeases(call, {
        issue: (issuing, request) => {
          const revoke = async (): Promise<void> => {
            // Timers may be early by a little.
            if (lease.expiresAt > call.now() + 0.5) await request.revoke()
          }
          const lease: Lease = call.services.leases.issue(issuing, { ...request, revoke })
          return lease
        },
      }),
    ),
)

const readBefore = remembered(() => new Map<string, Reply>())

const forgetting =
  (original: Handler): Handler =>
  (call) => {
    readBefore(call.state).delete(nameOf(call))
    return original(call)
  }

change(
  'west-read-from-before-rotation',
  'CLOUDC-ROT-10',
  'a roleset that was read is read the same after a rotation, with the account that is gone (000 4.3: GET, `service_account_email`)',
  {
    routes: {
      'cloudc.writeRoleset': forgetting,
      'cloudc.deleteRoleset': forgetting,
      'cloudc.readRoleset': (original) => async (call) => {
        const given = readBefore(call.state).get(nameOf(call)) ?? (await original(call))
        readBefore(call.state).set(nameOf(call), given)
        return given
      },
    },
  },
)
