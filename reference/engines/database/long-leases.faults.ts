/** Faults of leases that last longer than a counter of 32 bits has milliseconds. */
import { faultsOf } from '../../mutations/declare.ts'
import { databaseEngine } from './engine.ts'
import { withLeases } from './frank-help.ts'

const { route } = faultsOf(databaseEngine)

/** Seconds. */
const LONGEST_TIMER = 2_147_483

route(
  'long-lease-gone-at-once',
  'DATABASE-CREDS-01',
  'the user of a lease of a month is dropped at once',
  'database.readCreds',
  (original) => (call) => {
    const { clock } = call.services
    return original(
      withLeases(
        call,
        (request) => request,
        (lease) => {
          if (lease.ttl > LONGEST_TIMER) clock.after(0.05, () => void lease.request.revoke().catch(() => undefined))
        },
      ),
    )
  },
)

route(
  'long-lease-cut',
  'DATABASE-TTL-02',
  'a lease of a month is cut to that of a timer',
  'database.readCreds',
  (original) => (call) => original(withLeases(call, (request) => ({ ...request, ttl: Math.min(request.ttl, LONGEST_TIMER) }))),
)
