/** `sys/leases`: looking up, renewing and revoking. */
import { durationOf } from './durations.ts'
import type { Call, Route } from './engine.ts'
import { empty, secret } from './envelope.ts'
import { ApiError, invalid } from './errors.ts'
import { textOf } from './fields.ts'
import type { Lease } from './leases.ts'
import type { CoreRules } from './rules.ts'
import type { Server } from './server.ts'

type CoreCall = Call<Server, CoreRules>

const idOf = (call: CoreCall): string => {
  const id = call.params.id || textOf(call.body, 'lease_id')
  if (!id) throw invalid('lease_id is missing')
  return id
}

/** A lease is seen from its own namespace and from those above. */
const find = (call: CoreCall, message: string): Lease => {
  const lease = call.state.leases.find(idOf(call))
  if (!lease?.namespace.startsWith(call.mount.namespace)) throw invalid(message)
  return lease
}

const timeOf = (seconds: number): string => new Date(seconds * 1000).toISOString()

const undoing = async (work: Promise<void>): Promise<void> => {
  try {
    await work
  } catch (cause) {
    throw new ApiError(500, `failed to revoke: ${cause instanceof Error ? cause.message : String(cause)}`)
  }
}

const lookup = (call: CoreCall) => {
  const lease = find(call, 'invalid lease')
  return secret({
    id: lease.id,
    path: lease.path,
    issue_time: timeOf(lease.issuedAt),
    expire_time: timeOf(lease.expiresAt),
    last_renewal: lease.renewedAt === undefined ? null : timeOf(lease.renewedAt),
    renewable: lease.renewable,
    ttl: Math.max(0, Math.floor(lease.expiresAt - call.now())),
  })
}

const renew = async (call: CoreCall) => {
  const { id } = find(call, 'lease not found')
  const lease = await call.state.leases.renew(id, durationOf(call.body.increment, 'increment', 0))
  return secret(null, lease)
}

const revoke = async (call: CoreCall) => {
  const lease = call.state.leases.find(idOf(call))
  if (lease?.namespace.startsWith(call.mount.namespace)) await undoing(call.state.leases.revoke(lease.id))
  return empty()
}

const post = (name: string, path: string, handle: Route<Server, CoreRules>['handle'], sudo = false): Route<Server, CoreRules> => ({
  id: `sys.${name}`,
  method: 'POST',
  path,
  sudo,
  handle,
})

export const leaseRoutes: Route<Server, CoreRules>[] = [
  post('lookupLease', 'sys/leases/lookup', lookup),
  post('renewLease', 'sys/leases/renew', renew),
  post('renewLeaseByPath', 'sys/leases/renew/*id', renew),
  post('revokeLease', 'sys/leases/revoke', revoke),
  post('revokeLeaseByPath', 'sys/leases/revoke/*id', revoke),
  post(
    'revokeLeasePrefix',
    'sys/leases/revoke-prefix/*prefix',
    async (call) => {
      await undoing(call.state.leases.revokePrefix(call.mount.namespace + (call.params.prefix ?? '')))
      return empty()
    },
    true,
  ),
  post(
    'revokeLeaseForce',
    'sys/leases/revoke-force/*prefix',
    async (call) => {
      await call.state.leases.forcePrefix(call.mount.namespace + (call.params.prefix ?? ''))
      return empty()
    },
    true,
  ),
]
