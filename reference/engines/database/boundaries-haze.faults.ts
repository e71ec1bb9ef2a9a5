/** Faults of the database engine: empty, one, many, exactly at the limit, the default left out, zero. */
import { durationOf } from '../../core/durations.ts'
import { invalid } from '../../core/errors.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { databaseEngine } from './engine.ts'
import { afterwards, leaseOf, nameOf, withRules } from './haze-help.ts'

const { rule, route } = faultsOf(databaseEngine, 'database')

route(
  'haze-minimum-at-creation-only',
  'DATABASE-STATIC-16',
  'an update of a static role takes a rotation period below the minimum (001 8: minimum 5 seconds)',
  'database.writeStaticRole',
  (original) => (call) =>
    original(
      withRules(call, {
        periodAllowed: (period) => (period >= 1 && call.state.staticRoles.has(nameOf(call))) || call.rules.periodAllowed(period),
      }),
    ),
)

rule(
  'haze-static-first-allowed',
  'DATABASE-ALLOWED-09',
  'a static role must be the first of `allowed_roles` (001 4.1: `allowed_roles` is a list)',
  {
    staticRoleAllowed: () => (allowed, role) => allowed.includes('*') || allowed[0] === role,
  },
)

rule(
  'haze-allowed-not-emptied',
  'DATABASE-ALLOWED-02',
  'an update to an empty `allowed_roles` leaves the list as it was (001 4.1: [] means no roles)',
  {
    allowedRolesOf: (original) => (body, previous) => {
      const next = original(body, previous)
      return next.length === 0 ? (previous ?? next) : next
    },
  },
)

route(
  'haze-max-ttl-at-limit',
  'DATABASE-TTL-03',
  'a `max_ttl` that equals the maximum of the mount is refused (001 4.1 and 8: never longer than the mount or system maximum)',
  'database.writeRole',
  (original) => (call) => {
    if (durationOf(call.body.max_ttl, 'max_ttl', 0) === call.mount.maxLeaseTtl)
      throw invalid('max_ttl must be below the maximum of the mount')
    return original(call)
  },
)

rule(
  'haze-default-of-mount-left-out',
  'DATABASE-TTL-03',
  'without `default_ttl` a lease lasts as long as the mount allows at most (001 4.1: 0 means the system/engine default)',
  { leaseTimes: (original) => (role, mount) => original(role, { ...mount, defaultLeaseTtl: mount.maxLeaseTtl }) },
)

route(
  'haze-update-unverified',
  'DATABASE-VERIFY-04',
  'an update of a connection that leaves `verify_connection` out is not verified (001 4.1: default true)',
  'database.writeConnection',
  (original) => (call) => {
    const isUpdate = call.state.connections.has(nameOf(call))
    const isLeftOut = call.body.verify_connection === undefined
    return original(isUpdate && isLeftOut ? withRules(call, { verifies: () => false }) : call)
  },
)

route(
  'haze-renewed-beyond-mount',
  'DATABASE-TTL-08',
  'renewals go to the `max_ttl` of the role where that is longer than the maximum of the mount (001 8: never higher than the mount or system maximum)',
  'database.readCreds',
  afterwards((call, reply) => {
    const lease = leaseOf(call, reply)
    const maxTtl = call.state.roles.get(nameOf(call))?.maxTtl ?? 0
    if (lease && maxTtl > call.mount.maxLeaseTtl) lease.latestExpiry = lease.issuedAt + maxTtl
  }),
)
