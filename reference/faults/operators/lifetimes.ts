/** Mistakes with leases of credentials. */

import type { JsonObject } from '../../core/json.ts'
import type { Lease } from '../../core/leases.ts'
import { around, type Family, type Operator } from './family.ts'

export interface LeasePlace {
  /** Operations that give a credential with a lease. */
  operations: readonly string[]
}

const leased = (title: string, change: (lease: Lease, now: () => number) => void): Operator<LeasePlace> => ({
  title: `{} ${title}`,
  change: ({ operations }) =>
    around(operations, (original) => async (call) => {
      const reply = await original(call)
      const lease = call.services?.leases.find(String((reply.body as JsonObject | undefined)?.lease_id))
      if (lease) change(lease, () => call.now())
      return reply
    }),
})

export const lifetimes: Family<LeasePlace> = {
  'maximum-restarts': leased('is renewed beyond the maximum of its lease', (lease, now) => {
    const longest = lease.latestExpiry - lease.issuedAt
    Object.defineProperty(lease, 'latestExpiry', { get: () => now() + longest })
  }),
  'left-behind': leased('stays good when its lease is over', (lease) => {
    lease.request = { ...lease.request, revoke: async () => undefined }
  }),
  'left-behind-once-renewed': leased('stays good when a lease is over that was renewed', (lease, now) => {
    const { revoke } = lease.request
    const isOver = (): boolean => lease.renewedAt !== undefined && now() >= lease.expiresAt
    lease.request = { ...lease.request, revoke: async () => (isOver() ? undefined : revoke()) }
  }),
}
