/** Faults of time and order: what came before, what comes a second time, what ends by itself. */

import { empty, secret } from '../../core/envelope.ts'
import { invalid } from '../../core/errors.ts'
import { textOf } from '../../core/fields.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { maximumCountedAnew } from '../../mutations/renewals.ts'
import { insteadOfRefusal } from '../../mutations/wrappers.ts'
import { type Handler, KEYS, leasing, ruled } from './birch-help.ts'
import { cloudcEngine } from './engine.ts'
import { type CloudcCall, grantAll } from './provider-calls.ts'
import { inTurn } from './rolesets.ts'
import type { Bindings, CloudcState } from './state.ts'

const { route, change } = faultsOf(cloudcEngine, 'cloudc')

/** Whether all that `wanted` binds is bound already. */
const covers = (bound: Bindings, wanted: Bindings): boolean =>
  Object.entries(wanted).every(([resource, roles]) => roles.every((role) => bound[resource]?.includes(role)))

route(
  'birch-widened-bindings-keep-the-account',
  'CLOUDC-BIND-19',
  'bindings that only add are granted to the account there is, and its keys stay (000 3: updating bindings revokes all secrets)',
  'cloudc.writeRoleset',
  (original) => async (call) => {
    const name = call.params.name ?? ''
    const before = call.state.rolesets.get(name)
    const text = textOf(call.body, 'bindings')
    if (before === undefined || text === '') return original(call)
    const bindings = await call.rules.bindingsOf(text)
    if (covers(before.bindings, bindings) || !covers(bindings, before.bindings)) return original(call)
    const done = await original({ ...call, body: { ...call.body, bindings: '' } })
    await inTurn(call, name, async () => {
      const current = call.state.rolesets.get(name)
      if (current === undefined) return
      await grantAll(call, bindings, current.account.email)
      call.state.rolesets.set(name, { ...current, bindings })
    })
    return done
  },
)

const rotatedAt = remembered(() => new Map<string, number>())

route(
  'birch-key-rotation-debounced',
  'CLOUDC-ROT-13',
  'a second rotate-key within five seconds does nothing (000 4.3: rotate-key rotates the service-account key)',
  'cloudc.rotateKey',
  (original) => async (call) => {
    const times = rotatedAt(call.state)
    const account = call.state.rolesets.get(call.params.name ?? '')?.account.email ?? ''
    if (call.now() - (times.get(account) ?? 0) < 5) return empty()
    const done = await original(call)
    times.set(account, call.now())
    return done
  },
)

const buried = remembered(() => new Map<string, string>())

change(
  'birch-type-outlives-deletion',
  'CLOUDC-SET-21',
  'a roleset that is made again must have the secret_type it had before (000 4.3: DELETE deletes; POST creates)',
  {
    routes: {
      'cloudc.deleteRoleset': (original) => (call) => {
        const name = call.params.name ?? ''
        const roleset = call.state.rolesets.get(name)
        if (roleset !== undefined) buried(call.state).set(name, roleset.secretType)
        return original(call)
      },
      'cloudc.writeRoleset': (original) => (call) => {
        const name = call.params.name ?? ''
        const type = buried(call.state).get(name)
        const isNew = !call.state.rolesets.has(name)
        if (isNew && type !== undefined && type !== call.rules.secretTypeOf(call.body, undefined))
          throw invalid('secret_type cannot be updated')
        return original(call)
      },
    },
  },
)

route(
  'birch-keys-survive-rotation',
  'CLOUDC-ROT-07',
  'a rotated roleset of keys leaves its old account to the keys that are out (000 3: rotating invalidates secrets generated earlier)',
  'cloudc.rotate',
  (original) => (call) => {
    const isForKeys = call.state.rolesets.get(call.params.name ?? '')?.secretType === 'service_account_key'
    return original(isForKeys ? ruled(call, { endsKeys: () => false, deletesAccount: () => false }) : call)
  },
)

route(
  'birch-maximum-from-renewal',
  'CLOUDC-LEASE-08',
  'each renewal of a key counts the maximum anew (000 4.3: keys have TTL and max TTL)',
  KEYS,
  maximumCountedAnew,
)

route(
  'birch-key-renewed-once',
  'CLOUDC-LEASE-07',
  'a key can be renewed once, not again (000 4.3: leased envelope with renewable true)',
  KEYS,
  (original) => (call) =>
    original(
      leasing(call, (request) => {
        let renewals = 0
        return {
          ...request,
          async renew() {
            renewals += 1
            if (renewals > 1) throw invalid('lease is not renewable')
          },
        }
      }),
    ),
)

route(
  'birch-renewed-key-ends-at-first-end',
  'CLOUDC-LEASE-07',
  'a key is deleted at the end that its lease had at issue, renewed or not (000 4.3: leased, renewable true)',
  KEYS,
  (original) => (call) =>
    original(
      leasing(call, (request) => {
        call.services.clock.after(request.ttl, () => void request.revoke().catch(() => undefined))
        return request
      }),
    ),
)

const configAtCreation = remembered(() => new Map<string, CloudcState['config']>())

const byOldConfig =
  (original: Handler): Handler =>
  (call) => {
    const old = configAtCreation(call.state).get(call.params.roleset ?? '')
    return original(old === undefined ? call : ruled(call, { leaseTimes: (body, _, mount) => call.rules.leaseTimes(body, old, mount) }))
  }

change(
  'birch-lease-times-fixed-at-creation',
  'CLOUDC-LEASE-03',
  'keys get the times that the config had when their roleset was made (000 4.3: TTL and max TTL from engine config)',
  {
    routes: {
      'cloudc.writeRoleset': (original) => async (call) => {
        const name = call.params.name ?? ''
        const isNew = !call.state.rolesets.has(name)
        const done = await original(call)
        if (isNew) configAtCreation(call.state).set(name, call.state.config)
        return done
      },
      'cloudc.readKey': byOldConfig,
      'cloudc.createKey': byOldConfig,
    },
  },
)

const hadRolesets = remembered(() => ({ once: false }))

route(
  'birch-emptied-listing-answers',
  'CLOUDC-SET-14',
  'a listing whose last roleset was deleted answers 200 with no names (000 1.5 and 7: an empty listing returns 404)',
  'cloudc.listRolesets',
  (original) => {
    const forgiving = insteadOfRefusal<CloudcCall>(
      () => secret({ keys: [] }),
      (call) => hadRolesets(call.state).once,
    )(original)
    return (call) => {
      if (call.state.rolesets.size > 0) hadRolesets(call.state).once = true
      return forgiving(call)
    }
  },
)

const emailsRead = remembered(() => new Map<string, string>())

change(
  'birch-email-as-first-read',
  'CLOUDC-BIND-11',
  'after a rotation a read shows the account that it showed before (000 4.3: service_account_email; rotate)',
  {
    routes: {
      'cloudc.writeRoleset': (original) => (call) => {
        emailsRead(call.state).delete(call.params.name ?? '')
        return original(call)
      },
      'cloudc.deleteRoleset': (original) => (call) => {
        emailsRead(call.state).delete(call.params.name ?? '')
        return original(call)
      },
      'cloudc.readRoleset': (original) => (call) => {
        const name = call.params.name ?? ''
        const known = emailsRead(call.state)
        const email = known.get(name) ?? call.state.rolesets.get(name)?.account.email
        if (email === undefined) return original(call)
        known.set(name, email)
        return original(
          ruled(call, { shownRoleset: (...shown) => ({ ...call.rules.shownRoleset(...shown), service_account_email: email }) }),
        )
      },
    },
  },
)

route(
  'birch-rotation-drops-scopes',
  'CLOUDC-ROT-16',
  'a rotated roleset has lost its token_scopes (000 4.3: rotate rotates the account; scopes are those of the roleset)',
  'cloudc.rotate',
  (original) => async (call) => {
    const done = await original(call)
    const name = call.params.name ?? ''
    const roleset = call.state.rolesets.get(name)
    if (roleset !== undefined) call.state.rolesets.set(name, { ...roleset, scopes: [] })
    return done
  },
)

route(
  'birch-expired-key-forgotten',
  'CLOUDC-LEASE-10',
  'a key whose lease expires by itself stays at the provider (000 2.5: service-account-key secret, leased; 4.3: keys have TTL)',
  KEYS,
  (original) => (call) => {
    const at = call.now()
    return original(
      leasing(call, (request) => ({
        ...request,
        revoke: async () => (call.now() < at + request.ttl ? request.revoke() : undefined),
      })),
    )
  },
)
