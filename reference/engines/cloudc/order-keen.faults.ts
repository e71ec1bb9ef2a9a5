/** Faults that show with time and order only: the second call, after an update, a deletion, a failure, an expiry or a renewal. */
import type { Reply } from '../../core/reply.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { maximumCountedAnew } from '../../mutations/renewals.ts'
import { cloudcEngine } from './engine.ts'
import type { CloudcCall } from './provider-calls.ts'
import type { CloudcState } from './state.ts'

const { rule, route, change } = faultsOf(cloudcEngine)

type Handler = (call: CloudcCall) => Reply | Promise<Reply>

const KEY_ROUTES = ['cloudc.readKey', 'cloudc.createKey']

const nameOf = ({ params }: CloudcCall): string => params.name ?? params.roleset ?? ''

const leaseOf = ({ services }: CloudcCall, { body }: Reply) => services.leases.find(String((body as { lease_id?: string }).lease_id))

route(
  'keen-update-leaves-old-account',
  ['CLOUDC-RACE-02'],
  'after an update of the bindings the old account and its keys live on (000 3, updating bindings revokes all secrets of the roleset)',
  'cloudc.writeRoleset',
  (original) => (call) =>
    call.state.rolesets.has(nameOf(call))
      ? original({ ...call, rules: { ...call.rules, endsKeys: () => false, deletesAccount: () => false } })
      : original(call),
)

const scopesBefore = remembered(() => new Map<string, string[]>())

change(
  'keen-scopes-outlive-deletion',
  ['CLOUDC-SET-11'],
  'a roleset made again without token_scopes after its deletion has the scopes of the deleted one (000 4.3, token_scopes: default [])',
  {
    routes: {
      'cloudc.deleteRoleset': (original: Handler) => (call: CloudcCall) => {
        const gone = call.state.rolesets.get(nameOf(call))
        if (gone?.secretType === 'access_token') scopesBefore(call.state).set(nameOf(call), gone.scopes)
        return original(call)
      },
      'cloudc.writeRoleset': (original: Handler) => async (call: CloudcCall) => {
        const isNew = !call.state.rolesets.has(nameOf(call))
        const given = await original(call)
        const made = call.state.rolesets.get(nameOf(call))
        const scopes = scopesBefore(call.state).get(nameOf(call))
        if (isNew && made?.secretType === 'access_token' && made.scopes.length === 0 && scopes)
          call.state.rolesets.set(nameOf(call), { ...made, scopes })
        return given
      },
    },
  },
)

const rotatedKeys = remembered(() => new Set<string>())

route(
  'keen-second-rotate-key-does-nothing',
  ['CLOUDC-ROT-13'],
  'the second rotation of the key of an account answers 204 and does nothing (000 4.3, rotate-key: rotates the service-account key)',
  'cloudc.rotateKey',
  (original) => async (call) => {
    const email = call.state.rolesets.get(nameOf(call))?.account.email ?? ''
    const rotated = rotatedKeys(call.state)
    if (rotated.has(email)) return { status: 204 }
    const given = await original(call)
    rotated.add(email)
    return given
  },
)

const tokens = remembered(() => new Map<string, { at: number; given: Reply }>())

const forgetting =
  (original: Handler): Handler =>
  async (call) => {
    const given = await original(call)
    tokens(call.state).delete(nameOf(call))
    return given
  }

const giving =
  (original: Handler): Handler =>
  async (call) => {
    const before = tokens(call.state).get(nameOf(call))
    if (before && call.now() - before.at < 240) return before.given
    const given = await original(call)
    tokens(call.state).set(nameOf(call), { at: call.now(), given })
    return given
  }

change(
  'keen-token-cache-survives-update',
  ['CLOUDC-SET-20'],
  'a cached token is given again after an update of the bindings (000 3, updating bindings revokes all secrets of the roleset)',
  {
    routes: {
      'cloudc.rotate': forgetting,
      'cloudc.rotateKey': forgetting,
      'cloudc.deleteRoleset': forgetting,
      'cloudc.readToken': giving,
      'cloudc.createToken': giving,
    },
  },
)

rule(
  'keen-scopes-of-first-token',
  ['CLOUDC-SET-20'],
  'after an update of token_scopes tokens carry the scopes of the first token of the account (000 4.3, scopes are those of the roleset)',
  {
    tokenScopes: (original) => {
      const first = new Map<string, string[]>()
      return (roleset) => {
        const scopes = first.get(roleset.account.email) ?? original(roleset)
        first.set(roleset.account.email, scopes)
        return scopes
      }
    },
  },
)

const configUsed = remembered(() => new Map<string, CloudcState['config']>())

route(
  'keen-lease-times-of-first-key',
  ['CLOUDC-LEASE-03', 'CLOUDC-LEASE-05'],
  'the keys of a roleset keep the ttl and max_ttl configured when it gave its first key (000 4.3, keys have TTL and max TTL from config)',
  KEY_ROUTES,
  (original) => (call) => {
    const known = configUsed(call.state)
    const { ttl, maxTtl } = known.get(nameOf(call)) ?? call.state.config
    known.set(nameOf(call), { ...call.state.config, ttl, maxTtl })
    const config = { ...call.state.config, ttl, maxTtl }
    return original({ ...call, state: Object.assign(Object.create(call.state) as CloudcState, { config }) })
  },
)

route(
  'keen-refused-update-keeps-scopes',
  ['CLOUDC-BIND-16'],
  'an update that is refused for its bindings changes the token_scopes nevertheless (000 7, 400: an invalid request changes nothing)',
  'cloudc.writeRoleset',
  (original) => (call) => {
    const before = call.state.rolesets.get(nameOf(call))
    const given = call.body.token_scopes
    if (before?.secretType === 'access_token' && Array.isArray(given) && given.every((scope) => typeof scope === 'string'))
      call.state.rolesets.set(nameOf(call), { ...before, scopes: given as string[] })
    return original(call)
  },
)

rule(
  'keen-failed-creation-leaves-account',
  ['CLOUDC-FAIL-06'],
  'where the bindings of a new roleset fail at the provider its account stays there (000 7, a request that is refused has no effect)',
  { undoes: () => () => false },
)

route(
  'keen-maximum-counted-from-renewal',
  ['CLOUDC-LEASE-08'],
  'max_ttl of a key counts anew from each renewal, so that it never ends (000 4.3, keys have max TTL from engine config)',
  KEY_ROUTES,
  maximumCountedAnew,
)

const lastShown = remembered(() => new Map<string, Reply>())

route(
  'keen-read-after-deletion',
  ['CLOUDC-SET-15'],
  'a roleset that was read before can be read after its deletion (000 4.3, DELETE roleset deletes; 7, 404)',
  'cloudc.readRoleset',
  (original) => async (call) => {
    const known = lastShown(call.state)
    const before = known.get(nameOf(call))
    if (before && !call.state.rolesets.has(nameOf(call))) return before
    const given = await original(call)
    known.set(nameOf(call), given)
    return given
  },
)

route(
  'keen-expiry-leaves-key',
  ['CLOUDC-LEASE-10'],
  'a lease that runs out is forgotten, but its key lives on; only revocation deletes it (000 4.3, leased keys have a TTL)',
  KEY_ROUTES,
  (original) => async (call) => {
    const given = await original(call)
    const lease = leaseOf(call, given)
    if (lease === undefined) return given
    const own = lease.request.revoke
    lease.request.revoke = async () => {
      if (call.now() < lease.expiresAt - 0.01) await own()
    }
    return given
  },
)

route(
  'keen-renewal-leaves-first-timer',
  ['CLOUDC-LEASE-07'],
  'a renewed key is deleted at the end of its first lease time, though its lease goes on (000 2.3, renewable; 4.3, renewable true)',
  KEY_ROUTES,
  (original) => async (call) => {
    const given = await original(call)
    const lease = leaseOf(call, given)
    if (lease === undefined) return given
    call.services.clock.after(lease.ttl, () => {
      if (call.services.leases.find(lease.id) && lease.renewedAt !== undefined) void lease.request.revoke().catch(() => undefined)
    })
    return given
  },
)
