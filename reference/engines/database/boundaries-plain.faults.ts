/** Faults at the edges: none, one, many, zero, exactly at the limit, long, large. */
import { durationOf } from '../../core/durations.ts'
import { invalid } from '../../core/errors.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { requestBody } from '../../mutations/wrappers.ts'
import { databaseEngine } from './engine.ts'
import { type DatabaseCall, nameOf } from './plain-help.ts'

const { rule, route } = faultsOf(databaseEngine)

const DAY = 86_400

rule(
  'plain-password-of-21',
  'DATABASE-POLICY-01',
  'passwords of dynamic users have 21 characters (001 4.1: password_policy, default policy: 20 characters)',
  {
    password: (original) => (random) => `${original(random)}${random.word(1)}`,
  },
)

rule(
  'plain-zero-ttl-ignored',
  'DATABASE-TTL-03',
  'an update of default_ttl to 0 leaves the former one (001 4.1: default_ttl, 0 the system default)',
  {
    roleOf: (original) => (body, previous) => {
      const role = original(body, previous)
      return { ...role, defaultTtl: role.defaultTtl || previous?.defaultTtl || 0 }
    },
  },
)

rule(
  'plain-default-beats-maximum',
  'DATABASE-TTL-07',
  'a default_ttl above max_ttl is granted in full (001 4.1, 2.1: max_ttl of the role)',
  {
    leaseTimes: (original) => (role, mount) =>
      original(role.maxTtl > 0 && role.defaultTtl > role.maxTtl ? { ...role, maxTtl: role.defaultTtl } : role, mount),
  },
)

route(
  'plain-role-beats-mount-maximum',
  'DATABASE-TTL-08',
  'leases of a role whose max_ttl is above that of the mount outlive the maximum of the mount (001 8: Role max_ttl never higher)',
  'database.readCreds',
  (original) => (call) => {
    const maxLeaseTtl = Math.max(call.mount.maxLeaseTtl, call.state.roles.get(nameOf(call))?.maxTtl ?? 0)
    return original({ ...call, mount: { ...call.mount, maxLeaseTtl } })
  },
)

rule(
  'plain-long-role-name-in-user',
  'DATABASE-CREDS-01',
  'user names hold the role name in full, so that a long one leaves no room for what makes them unique (001 4.1: GET creds/:name)',
  {
    username: () => (role, random) => `s-${role.replaceAll(/[^A-Za-z0-9]/g, '')}-${random.word(20)}`,
  },
)

rule(
  'plain-first-revocation-only',
  'DATABASE-STMT-06',
  'of several revocation statements the first is run only (001 4.1: revocation_statements, list)',
  {
    revocation: (original) => (role, standard) => original(role, standard).slice(0, 1),
  },
)

rule(
  'plain-days-dropped-from-period',
  'DATABASE-ROTATE-01',
  'whole days of a rotation period are dropped by the schedule, so that 24h rotates at once and again (001 4.1: after the rotation period)',
  {
    nextRotation: (original) => (role, now) => {
      const next = original({ ...role, period: role.period % DAY }, now)
      // One second between two, for the machine's sake.
      return next === undefined ? undefined : Math.max(1, next)
    },
  },
)

route(
  'plain-zero-period-a-day',
  'DATABASE-STATIC-16',
  'a rotation period of 0 is taken for a day in the place of being refused (001 4.1: rotation_period, minimum 5 seconds)',
  'database.writeStaticRole',
  requestBody((body) => (Number(body.rotation_period ?? 1) === 0 ? { ...body, rotation_period: DAY } : body)),
)

route(
  'plain-only-connection-as-default',
  'DATABASE-ROLE-10',
  'a role without db_name is accepted and gets the first connection of the mount (001 4.1: db_name, string, required)',
  'database.writeRole',
  requestBody((body, { state, params }: DatabaseCall) => {
    const [first] = state.connections.keys()
    return body.db_name === undefined && first !== undefined && !state.roles.has(params.name ?? '') ? { ...body, db_name: first } : body
  }),
)

rule(
  'plain-nothing-to-create',
  'DATABASE-STMT-02',
  'a role with an empty list of creation statements gives credentials of a user that nobody made (001 4.1: creation_statements, required)',
  {
    creation: (original) => (role) => (role.creation.length === 0 ? ['SELECT 1'] : original(role)),
  },
)

route(
  'plain-maximum-of-mount-refused',
  'DATABASE-TTL-02',
  'a role whose max_ttl equals the maximum of the mount is refused (001 4.1: max_ttl may be shorter but never longer)',
  'database.writeRole',
  (original) => (call) => {
    if (durationOf(call.body.max_ttl, 'max_ttl', 0) >= call.mount.maxLeaseTtl) throw invalid('max_ttl is beyond the maximum of the mount')
    return original(call)
  },
)
