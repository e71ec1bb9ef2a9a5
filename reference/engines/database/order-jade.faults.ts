/** A fault of time and order: several credentials of one role, and the ends of their leases. */
import type { Lease } from '../../core/leases.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { databaseEngine } from './engine.ts'
import { leaseOf, nameOf } from './iris-help.ts'

const { route } = faultsOf(databaseEngine, 'database')

route(
  'jade-expiry-of-latest-only',
  'DATABASE-CREDS-05',
  'of several credentials of a role only the latest is removed when it expires (document 2, section 1: credentials with leases)',
  'database.readCreds',
  (original) => {
    const latest = remembered(() => new Map<string, Lease>())
    return async (call) => {
      const reply = await original(call)
      const before = latest(call.state).get(nameOf(call))
      const lease = leaseOf(call, reply)
      if (lease) latest(call.state).set(nameOf(call), lease)
      if (before) {
        const { revoke } = before.request
        // Timers may be early by a trifle.
        const isOver = (): boolean => call.now() >= before.expiresAt - 0.2
        before.request = { ...before.request, revoke: async () => (isOver() ? undefined : revoke()) }
      }
      return reply
    }
  },
)
