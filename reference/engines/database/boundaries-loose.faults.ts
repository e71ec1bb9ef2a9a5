/** Faults at the ends: none, one, the second and third of several, exactly at a limit, zero, and the lengths of lists and names. */
import { faultsOf } from '../../mutations/declare.ts'
import { databaseEngine } from './engine.ts'
import { nameOf } from './loose-words.ts'

const { rule, route } = faultsOf(databaseEngine)

rule(
  'edge-period-of-five-refused',
  ['DATABASE-STATIC-17'],
  'a rotation_period of exactly 5 seconds is refused (001 4.1 and 8, minimum 5 seconds)',
  {
    periodAllowed: () => (period) => period > 5,
  },
)

let isText = false

rule(
  'edge-text-period-unbounded',
  ['DATABASE-STATIC-16'],
  'a rotation_period as text may be as short as it likes (001 4.1 and 8, minimum 5 seconds)',
  {
    staticRoleOf: (original) => (body, previous) => {
      isText = typeof body.rotation_period === 'string'
      return original(body, previous)
    },
    periodAllowed: (original) => (period) => (isText ? period > 0 : original(period)),
  },
)

rule(
  'edge-star-after-name',
  ['DATABASE-ALLOWED-05'],
  '`*` in allowed_roles counts only where it comes first (001 4.1, `*` in the list allows any role)',
  {
    roleAllowed: () => (allowed, role) => allowed[0] === '*' || allowed.includes(role),
  },
)

rule(
  'edge-first-creation-statement',
  ['DATABASE-CREDS-08'],
  'of several creation_statements only the first is run (001 4.1, creation_statements, list)',
  {
    creation: (original) => (role) => original(role).slice(0, 1),
  },
)

rule(
  'edge-last-revocation-statement',
  ['DATABASE-STMT-06'],
  'of several revocation_statements the last is not run (001 4.1, revocation_statements, list)',
  {
    revocation: (original) => (role, standard) => {
      const statements = original(role, standard)
      return statements.length > 1 ? statements.slice(0, -1) : statements
    },
  },
)

rule(
  'edge-first-root-statement',
  ['DATABASE-ROOT-07', 'DATABASE-POLICY-07'],
  'of several root_rotation_statements only the first is run (001 4.1, root_rotation_statements)',
  {
    rootRotation: (original) => (connection) => original(connection).slice(0, 1),
  },
)

rule(
  'edge-role-maximum-without-effect',
  ['DATABASE-TTL-07'],
  'a default_ttl above the max_ttl of the role is granted in full (001 4.1, max_ttl)',
  {
    leaseTimes: (original) => (role, mount) => original({ ...role, maxTtl: 0 }, mount),
  },
)

route(
  'edge-role-beyond-mount',
  ['DATABASE-TTL-08'],
  'a role with a max_ttl above that of the mount gets leases beyond it (001 8, never higher; readings: never exceeds the maximum)',
  'database.readCreds',
  (original) => (call) => {
    const maxLeaseTtl = Math.max(call.mount.maxLeaseTtl, call.state.roles.get(nameOf(call))?.maxTtl ?? 0)
    return original({ ...call, mount: { ...call.mount, maxLeaseTtl } })
  },
)

rule(
  'edge-short-ttl-is-a-minute',
  ['DATABASE-STMT-06'],
  'a default_ttl below a minute gives leases of a minute (001 4.1, default_ttl, int seconds)',
  {
    leaseTimes: (original) => (role, mount) => {
      const { ttl, maxTtl } = original(role, mount)
      return { ttl: Math.max(ttl, 60), maxTtl }
    },
  },
)

rule(
  'edge-password-of-nineteen',
  ['DATABASE-POLICY-01'],
  'passwords of users have 19 characters (001 4.1, default policy: 20 characters)',
  {
    password: (original) => (random) => original(random).slice(0, 19),
  },
)

rule('edge-thirty-roles', ['DATABASE-ROLE-05'], 'a list of roles ends after thirty names (001 4.1, LIST roles, data.keys)', {
  roleNames: (original) => (state) => original(state).slice(0, 30),
})
