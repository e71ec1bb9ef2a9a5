/** Ways of getting leases wrong that faults of several engines share. */

import type { Call } from '../core/engine.ts'
import type { Reply } from '../core/reply.ts'

/** Restarts the maximum of a lease at each renewal, so that it can be renewed for ever. */
export const maximumCountedAnew =
  <S, R>(original: (call: Call<S, R>) => Reply | Promise<Reply>) =>
  async (call: Call<S, R>): Promise<Reply> => {
    const reply = await original(call)
    const lease = call.services.leases.find(String((reply.body as { lease_id?: string }).lease_id))
    if (lease === undefined) return reply
    const longest = lease.latestExpiry - lease.issuedAt
    Object.defineProperty(lease, 'latestExpiry', { get: () => call.now() + longest })
    return reply
  }
