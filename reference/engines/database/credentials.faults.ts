/** Faults of dynamic credentials: the times of their leases, the users themselves, and what failures and requests leave behind. */
import { secret } from '../../core/envelope.ts'
import { invalid } from '../../core/errors.ts'
import type { Json } from '../../core/json.ts'
import type { Lease, LeaseRequest, Leases } from '../../core/leases.ts'
import { faultsOf } from '../../faults/declare.ts'
import { brokenAfterFailure, remembered, sharedWithinSecond } from '../../faults/remembering.ts'
import { maximumCountedAnew } from '../../faults/renewals.ts'
import { insteadOfRefusal } from '../../faults/wrappers.ts'
import { databaseEngine } from './engine.ts'
import { type DatabaseCall, type Handle, nameOf } from './wrappers.ts'

const { rule, route, change, declared } = faultsOf(databaseEngine)

const CREDS = 'database.readCreds'

/** Seconds of a year. */
const FAR = 31_536_000

/** Seconds of the longest timer: a counter of 32 bits has milliseconds. */
const LONGEST_TIMER = 2_147_483

/** Credentials with another lease; `then` is told of it. */
const leased =
  (
    change: (request: LeaseRequest, call: DatabaseCall) => Partial<LeaseRequest>,
    then: (lease: Lease, call: DatabaseCall) => void = () => {},
  ) =>
  (original: Handle): Handle =>
  (call) => {
    const { leases } = call.services
    const issue: Leases['issue'] = (issuing, request) => {
      const lease = leases.issue(issuing, { ...request, ...change(request, call) })
      then(lease, call)
      return lease
    }
    // The engine only issues.
    return original({ ...call, services: { ...call.services, leases: { issue } as unknown as Leases } })
  }

// Times
const firstUnit = (value: Json | undefined): Json =>
  typeof value === 'string' ? (/^\d+[a-z]+/.exec(value)?.[0] ?? value) : (value ?? null)
rule('ttl-first-unit', 'DATABASE-TTL-02', 'of a time to live with several units only the first counts', {
  roleOf: (original) => (body, previous) =>
    original({ ...body, default_ttl: firstUnit(body.default_ttl), max_ttl: firstUnit(body.max_ttl) }, previous),
})
route(
  'ttl-of-month-cut',
  'DATABASE-TTL-02',
  'a lease of a month is cut to that of a timer',
  CREDS,
  leased(({ ttl }) => ({ ttl: Math.min(ttl, LONGEST_TIMER) })),
)
route(
  'max-ttl-of-mount-refused',
  ['DATABASE-TTL-02', 'DATABASE-TTL-03'],
  'a max_ttl equal to the maximum of the mount is refused',
  'database.writeRole',
  (original) => (call) => {
    const { max_ttl } = call.body
    if (max_ttl === call.mount.maxLeaseTtl || max_ttl === `${call.mount.maxLeaseTtl}s`) throw invalid('max_ttl exceeds the maximum')
    return original(call)
  },
)
rule('ttl-default-max', 'DATABASE-TTL-03', 'without a default a lease lasts the maximum', {
  leaseTimes: (original) => (role, mount) => {
    const times = original(role, mount)
    return role.defaultTtl === 0 ? { ...times, ttl: times.maxTtl } : times
  },
})
rule('ttl-above-max', 'DATABASE-TTL-07', 'a default_ttl above max_ttl is not capped', {
  leaseTimes: (original) => (role, mount) =>
    role.defaultTtl > role.maxTtl && role.maxTtl > 0 ? { ttl: role.defaultTtl, maxTtl: role.defaultTtl } : original(role, mount),
})
route(
  'mount-max-ignored',
  ['DATABASE-TTL-08', 'DATABASE-TTL-12'],
  'the maximum of the mount is ignored',
  CREDS,
  (original) => (call) => original({ ...call, mount: { ...call.mount, maxLeaseTtl: FAR } }),
)

rule('max-ttl-ignored', ['DATABASE-TTL-07', 'DATABASE-TTL-09'], 'the maximum of the role is ignored', {
  leaseTimes: (original) => (role, mount) => original({ ...role, maxTtl: 0 }, mount),
})
route('renewals-add-up', 'DATABASE-TTL-09', 'the maximum of the role is counted again from each renewal', CREDS, maximumCountedAnew)

// Users
rule('names-whole', 'DATABASE-CREDS-01', 'user names hold the whole name of the role, however many characters the database takes', {
  username: () => (role, random) => `s-${role.replaceAll(/[^A-Za-z0-9]/g, '')}-${random.word(20)}`,
})
route(
  'long-lease-gone-at-once',
  'DATABASE-CREDS-01',
  'the user of a lease of a month is dropped at once',
  CREDS,
  leased(
    () => ({}),
    (lease, { services }) => {
      if (lease.ttl > LONGEST_TIMER) services.clock.after(0.001, () => void lease.request.revoke().catch(() => undefined))
    },
  ),
)
rule('creds-same-password', 'DATABASE-CREDS-02', 'every user gets the same password', { password: () => () => 'Correct-Horse-Batt-1' })
route(
  'creds-shared-within-second',
  'DATABASE-CREDS-02',
  'two requests for credentials within a second get the same',
  CREDS,
  sharedWithinSecond((call: DatabaseCall) => call.state.roles.get(nameOf(call))),
)
rule('creds-unleased', 'DATABASE-CREDS-03', 'credentials come without a lease', { leased: () => () => false })
rule('creds-unknown-500', 'DATABASE-CREDS-04', 'an unknown role is an internal error', { unknownRoleStatus: () => () => 500 })
route(
  'creds-end-early',
  'DATABASE-CREDS-06',
  'credentials end after a second, whatever their lease says',
  CREDS,
  (original) => async (call) => {
    const reply = await original(call)
    const { lease_id: id } = reply.body as { lease_id?: string }
    call.services.clock.after(1, () => void call.services.leases.revoke(id ?? '').catch(() => undefined))
    return reply
  },
)
const usersOf = remembered(() => [] as string[])
change('revocation-of-siblings', 'DATABASE-CREDS-07', 'the end of one lease removes all users of the role', {
  rules: {
    revocation: (original) => (role, standard) => [
      ...original(role, standard),
      ...usersOf(role).flatMap((user) => standard.map((statement) => statement.replaceAll('{{username}}', user))),
    ],
  },
  routes: {
    [CREDS]: (original) => async (call) => {
      const reply = await original(call)
      const role = call.state.roles.get(nameOf(call))
      if (role) usersOf(role).push((reply.body as { data: { username: string } }).data.username)
      return reply
    },
  },
})
route(
  'creds-lower-maximum',
  'DATABASE-CREDS-07',
  'once a role has given credentials, its longest lifetime is its usual one',
  CREDS,
  (original) => async (call) => {
    const reply = await original(call)
    const role = call.state.roles.get(nameOf(call))
    if (role) call.state.roles.set(nameOf(call), { ...role, maxTtl: role.defaultTtl })
    return reply
  },
)
rule('revocation-forgotten', 'DATABASE-CREDS-07', 'a revocation forgets the lease and leaves the user', { revocation: () => () => [] })

// Failures
route(
  'creds-failure-hidden',
  ['DATABASE-CREDS-08', 'DATABASE-CREDS-09'],
  'credentials are returned although the database refused',
  CREDS,
  insteadOfRefusal(() => secret({ username: 'nobody', password: 'nothing' }, { id: 'none', ttl: 60, renewable: false })),
)
const FAILED = 'database: the session is in a failed state'
route(
  'connection-broken-by-failure',
  'DATABASE-CREDS-11',
  'after one failed creation no role of the connection gives credentials until a reset',
  CREDS,
  brokenAfterFailure((call: DatabaseCall) => call.state.connections.get(call.state.roles.get(nameOf(call))?.dbName ?? ''), FAILED),
)
route(
  'role-broken-by-failure',
  'DATABASE-CREDS-13',
  'after one failed creation a role gives no credentials until it is written again',
  CREDS,
  brokenAfterFailure((call: DatabaseCall) => call.state.roles.get(nameOf(call)), FAILED),
)

// Renewals
route(
  'renewal-first-expiry',
  'DATABASE-TEMPLATE-05',
  'a renewal gives the database user the end that it had at first',
  CREDS,
  leased((request, call) => {
    const first = call.now() + request.ttl
    return { renew: async () => request.renew?.(first) }
  }),
)

export const faults = declared
