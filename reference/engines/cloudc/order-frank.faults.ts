/** Faults of time and order: what was true before, second calls, updates that narrow, renewals. */

import { secret } from '../../core/envelope.ts'
import { ApiError, invalid } from '../../core/errors.ts'
import { listOf, textOf } from '../../core/fields.ts'
import type { Reply } from '../../core/reply.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { maximumCountedAnew } from '../../mutations/renewals.ts'
import { insteadOfRefusal } from '../../mutations/wrappers.ts'
import { cloudcEngine } from './engine.ts'
import { deciding, KEYS, leaseIn, nameOf } from './frank-help.ts'
import { type CloudcCall, provider } from './provider-calls.ts'
import type { Bindings, CloudcState } from './state.ts'

const { rule, route, change } = faultsOf(cloudcEngine, 'cloudc')

const filled = new WeakSet<CloudcState>()
change(
  'frank-emptied-listing-answers',
  'CLOUDC-SET-14',
  'after the last roleset is deleted a listing answers 200 (000 1.5: an empty listing returns 404)',
  {
    routes: {
      'cloudc.deleteRoleset': (original) => (call) => {
        if (call.state.rolesets.size > 0) filled.add(call.state)
        return original(call)
      },
      'cloudc.listRolesets': insteadOfRefusal<CloudcCall>(
        () => secret({ keys: [] }),
        (call) => filled.has(call.state),
      ),
    },
  },
)

const kept = remembered(() => new Map<string, string>())
route(
  'frank-rotated-account-kept-until-next',
  'CLOUDC-ROT-09',
  'a rotation leaves the account before it until the next one (000 3: rotating invalidates secrets generated earlier)',
  'cloudc.rotate',
  (original) => async (call) => {
    const email = call.state.rolesets.get(nameOf(call))?.account.email
    const given = await original(deciding(call, { deletesAccount: () => false, endsKeys: () => false }))
    const known = kept(call.state)
    const older = known.get(nameOf(call))
    if (older !== undefined) await provider.deleteAccount(call, older)
    if (email !== undefined) known.set(nameOf(call), email)
    return given
  },
)

const firstBindings = remembered(() => new Map<string, Bindings>())
change(
  'frank-rotation-grants-first-bindings',
  'CLOUDC-BIND-07',
  'a rotated account gets the rights of creation, updates forgotten (000 4.3: rotate; 2.5: bindings)',
  {
    routes: {
      'cloudc.writeRoleset': (original) => async (call) => {
        const isNew = !call.state.rolesets.has(nameOf(call))
        const given = await original(call)
        const made = call.state.rolesets.get(nameOf(call))
        if (isNew && made !== undefined) firstBindings(call.state).set(nameOf(call), made.bindings)
        return given
      },
      'cloudc.rotate': (original) => (call) => {
        const first = firstBindings(call.state).get(nameOf(call))
        return original(deciding(call, { boundResources: (bindings) => first ?? bindings }))
      },
    },
  },
)

const rotatedOnce = remembered(() => new Set<string>())
route(
  'frank-second-key-rotation-leaves-key',
  'CLOUDC-ROT-13',
  'from the second rotate-key of an account on the key before stays good (000 4.3: rotate-key rotates the service-account key)',
  'cloudc.rotateKey',
  (original) => async (call) => {
    const email = call.state.rolesets.get(nameOf(call))?.account.email ?? ''
    const known = rotatedOnce(call.state)
    const given = await original(known.has(email) ? deciding(call, { deletesTokenKey: () => false }) : call)
    known.add(email)
    return given
  },
)

const types = remembered(() => new Map<string, string>())
route(
  'frank-deleted-roleset-keeps-type',
  'CLOUDC-SET-21',
  'a roleset made again after deletion cannot have another secret_type (000 4.3: POST roleset/:name, create; DELETE deletes)',
  'cloudc.writeRoleset',
  (original) => async (call) => {
    const known = types(call.state)
    const before = known.get(nameOf(call))
    const wanted = textOf(call.body, 'secret_type', 'access_token')
    if (!call.state.rolesets.has(nameOf(call)) && before !== undefined && before !== wanted) throw invalid('secret_type cannot be updated')
    const given = await original(call)
    known.set(nameOf(call), call.state.rolesets.get(nameOf(call))?.secretType ?? wanted)
    return given
  },
)

route(
  'frank-scopes-only-grow',
  'CLOUDC-SET-20',
  'an update adds its scopes to those before (000 4.3: token_scopes; tokens: scopes are those of the roleset)',
  'cloudc.writeRoleset',
  (original) => {
    return (call) => {
      const before = call.state.rolesets.get(nameOf(call))
      const wanted = listOf(call.body, 'token_scopes')
      if (before === undefined || wanted.length === 0) return original(call)
      return original({ ...call, body: { ...call.body, token_scopes: [...new Set([...before.scopes, ...wanted])] } })
    }
  },
)

const firstConfig = remembered(() => new Map<'config', CloudcState['config']>())
route(
  'frank-lease-times-of-first-key',
  'CLOUDC-LEASE-03',
  'keys go by the lease times that held at the first key (000 4.3: keys have TTL and max TTL from engine config)',
  KEYS,
  (original) => {
    return (call) => {
      const known = firstConfig(call.state)
      const first = known.get('config') ?? call.state.config
      known.set('config', first)
      return original(deciding(call, { leaseTimes: (body, _config, mount) => call.rules.leaseTimes(body, first, mount) }))
    }
  },
)

route(
  'frank-maximum-counted-anew',
  'CLOUDC-LEASE-08',
  'each renewal of a key counts max_ttl anew (000 4.3: keys have TTL and max TTL from engine config)',
  KEYS,
  maximumCountedAnew,
)

route(
  'frank-renewed-key-ends-at-first-end',
  'CLOUDC-LEASE-07',
  'a key ends when its first ttl is over, renewed or not (000 4.3: leased envelope with renewable true)',
  KEYS,
  (original) => async (call) => {
    const { clock, leases } = call.services
    const given = await original(call)
    const lease = leaseIn(call, given)
    if (lease !== undefined) clock.after(lease.ttl, () => void leases.revoke(lease.id).catch(() => undefined))
    return given
  },
)

rule(
  'frank-narrower-bindings-unnoticed',
  'CLOUDC-BIND-08',
  'an update that only takes roles away changes nothing (000 4.3: bindings, create or update; 3: revokes all)',
  {
    changesBindings: (original) => (before, after) =>
      original(before, after) && Object.entries(after).some(([resource, roles]) => roles.some((role) => !before[resource]?.includes(role))),
  },
)

route(
  'frank-refused-update-stores-scopes',
  'CLOUDC-BIND-16',
  'an update that is refused for its bindings has stored its scopes (000 7: 400, invalid request; 4.3: roleset update)',
  'cloudc.writeRoleset',
  (original) => async (call) => {
    try {
      return await original(call)
    } catch (cause) {
      const before = call.state.rolesets.get(nameOf(call))
      const isList = Array.isArray(call.body.token_scopes) && call.body.token_scopes.every((scope) => typeof scope === 'string')
      if (cause instanceof ApiError && before?.secretType === 'access_token' && isList)
        call.state.rolesets.set(nameOf(call), { ...before, scopes: listOf(call.body, 'token_scopes') })
      throw cause
    }
  },
)

const read = remembered(() => new Map<string, { email: string; given: Reply }>())
route(
  'frank-second-get-gives-ended-key',
  'CLOUDC-KEY-12',
  'a second GET gives the first key again, even when its lease has ended (000 4.3: GET key, returns leased envelope)',
  'cloudc.readKey',
  (original) => {
    return async (call) => {
      const email = call.state.rolesets.get(nameOf(call))?.account.email ?? ''
      const known = read(call.state).get(nameOf(call))
      if (known !== undefined && known.email === email) return known.given
      const given = await original(call)
      read(call.state).set(nameOf(call), { email, given })
      return given
    }
  },
)
