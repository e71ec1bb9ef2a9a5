/** Faults at limits: first, one, several, empty, zero, long, large, exactly at a maximum or minimum. */

import { faultsOf } from '../../mutations/declare.ts'
import { nameOf } from './amber-help.ts'
import { databaseEngine } from './engine.ts'

const { rule, route } = faultsOf(databaseEngine, 'database')

/** The longest delay of a timer, in seconds. */
const TIMER_LIMIT = (2 ** 31 - 1) / 1000
const SYSTEM_MAXIMUM = 2_764_800

rule('amber-minimum-period-refused', 'DATABASE-STATIC-17', 'a rotation_period of exactly 5 seconds is refused (001 8: minimum 5 seconds)', {
  periodAllowed: (original) => (period) => period > 5 && original(period),
})

rule(
  'amber-static-first-allowed-only',
  'DATABASE-ALLOWED-05',
  'of allowed_roles only the first entry counts for static roles (001 4.1: allowed_roles, list)',
  {
    staticRoleAllowed: (original) => (allowed, role) => original(allowed.slice(0, 1), role),
  },
)

rule(
  'amber-first-creation-statement-only',
  'DATABASE-CREDS-08',
  'of several creation_statements only the first is run (001 4.1: creation_statements, list)',
  {
    creation: (original) => (role) => original(role).slice(0, 1),
  },
)

rule(
  'amber-zero-default-is-maximum',
  'DATABASE-TTL-03',
  "a default_ttl of 0 leases for the role's max_ttl (001 4.1: default 0, the system/engine default)",
  {
    leaseTimes: (original) => (role, mount) => {
      const times = original(role, mount)
      return role.defaultTtl === 0 && role.maxTtl > 0 ? { ...times, ttl: times.maxTtl } : times
    },
  },
)

rule(
  'amber-long-role-name-same-user',
  'DATABASE-CREDS-01',
  'a user name is cut behind its random part, so that a role with a long name always gets the same (001 1: credentials created on demand)',
  { username: () => (role, random) => `s-${role.replaceAll(/[^A-Za-z0-9]/g, '')}-${random.word(20)}`.slice(0, 32) },
)

rule(
  'amber-allowed-roles-not-emptied',
  'DATABASE-ALLOWED-02',
  'an update with an empty allowed_roles leaves the old list (001 4.1: allowed_roles [], no roles)',
  {
    allowedRolesOf: (original) => (body, previous) => {
      const given = original(body, previous)
      return given.length === 0 && previous !== undefined ? previous : given
    },
  },
)

rule(
  'amber-long-period-overflows',
  'DATABASE-ROTATE-01',
  'a rotation_period that is too long for one timer, such as 30 days, rotates at once and again and again (001 4.1: rotation_period)',
  {
    nextRotation: (original) => (role, now) => {
      const delay = original(role, now)
      return delay !== undefined && delay > TIMER_LIMIT ? 1 : delay
    },
  },
)

rule(
  'amber-single-connection-unlisted',
  'CORE-NS-01',
  'a listing of exactly one connection is refused as empty (001 4.1: LIST config, data.keys)',
  {
    connectionNames: (original) => (state) => (state.connections.size > 1 ? original(state) : []),
  },
)

rule(
  'amber-default-above-maximum',
  'DATABASE-TTL-07',
  'a default_ttl above max_ttl leases beyond max_ttl (001 4.1: max_ttl; a lease never exceeds it)',
  {
    leaseTimes: (original) => (role, mount) => {
      const times = original(role, mount)
      const isAbove = role.maxTtl > 0 && role.defaultTtl > role.maxTtl
      return isAbove ? { ttl: Math.min(role.defaultTtl, mount.maxLeaseTtl), maxTtl: mount.maxLeaseTtl } : times
    },
  },
)

route(
  'amber-mount-maximum-ignored',
  'DATABASE-TTL-08',
  "leases go up to the system's maximum where the mount has a lower one (001 8: never higher than the mount or system max TTL)",
  'database.readCreds',
  (original) => (call) => original({ ...call, mount: { ...call.mount, maxLeaseTtl: SYSTEM_MAXIMUM } }),
)

route(
  'amber-only-connection-assumed',
  'DATABASE-ROLE-10',
  'a new role without db_name gets the only connection of the mount (001 4.1: db_name, required)',
  'database.writeRole',
  (original) => (call) => {
    const [only, ...more] = call.state.connections.keys()
    const isAssumed = only !== undefined && more.length === 0 && !call.state.roles.has(nameOf(call))
    return original(isAssumed ? { ...call, body: { db_name: only, ...call.body } } : call)
  },
)

rule(
  'amber-verify-false-is-default',
  'DATABASE-VERIFY-03',
  'verify_connection false is taken for the default, true (001 4.1: verify_connection)',
  {
    verifies: (original) => (body) => body.verify_connection === false || original(body),
  },
)
