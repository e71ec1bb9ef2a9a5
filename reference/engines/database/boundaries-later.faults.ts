/** Faults of the database engine at boundaries: empty, one, many, first, last, zero, long, at a limit. */
import { durationOf } from '../../core/durations.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { databaseEngine } from './engine.ts'

const { rule } = faultsOf(databaseEngine, 'database')

rule(
  'later-period-rounded-up',
  ['DATABASE-STATIC-16'],
  'a rotation period of 4600 ms is rounded and taken for 5 s (001 8: "Static role `rotation_period`: minimum 5 seconds")',
  {
    staticRoleOf: (original) => (body, previous) => ({
      ...original(body, previous),
      period: Math.round(durationOf(body.rotation_period, 'rotation_period', previous?.period ?? 0)),
    }),
  },
)

rule(
  'later-long-period-overflows',
  ['DATABASE-ROTATE-01'],
  'a static role with a period above 24.8 days is rotated every second (001 4.1: "rotated automatically after the rotation period")',
  {
    nextRotation: (original) => (role, now) => {
      const delay = original(role, now)
      return delay !== undefined && delay * 1000 >= 2 ** 31 ? 1 : delay
    },
  },
)

rule(
  'later-zero-default-is-maximum',
  ['DATABASE-TTL-03'],
  'a role with `max_ttl` and without `default_ttl` issues leases of its maximum (001 4.1: "default 0 meaning the system/engine default")',
  {
    leaseTimes: (original) => (role, mount) => {
      const times = original(role, mount)
      return role.defaultTtl === 0 && role.maxTtl > 0 ? { ...times, ttl: times.maxTtl } : times
    },
  },
)

rule(
  'later-single-allowed-role-as-text',
  ['DATABASE-ALLOWED-06'],
  'a connection that allows exactly one role shows it as a text, not as a list (001 4.1: `allowed_roles` "list")',
  {
    shownConnection: (original) => (connection) => {
      const [only = ''] = connection.allowedRoles
      return { ...original(connection), allowed_roles: connection.allowedRoles.length === 1 ? only : connection.allowedRoles }
    },
  },
)

rule(
  'later-first-revocation-statement-only',
  ['DATABASE-STMT-06'],
  'of several revocation statements in the list only the first is run (001 4.1: `revocation_statements` "list")',
  { revocation: (original) => (role, standard) => original(role, standard).slice(0, 1) },
)

rule(
  'later-last-root-statement-only',
  ['DATABASE-ROOT-07'],
  'of several root rotation statements only the last is run (001 4.1: `root_rotation_statements` "list", "statements to rotate")',
  { rootRotation: (original) => (connection) => original(connection).slice(-1) },
)

rule(
  'later-star-must-stand-first',
  ['DATABASE-ALLOWED-05'],
  'a `*` behind other names does not allow dynamic roles (001 4.1: "`*` in the list allows any role")',
  { roleAllowed: () => (allowed, role) => allowed[0] === '*' || allowed.includes(role) },
)

rule(
  'later-long-role-name-in-username',
  ['DATABASE-CREDS-01'],
  'a role with a name of 61 characters or more issues no second credential (001 4.1: GET /database/creds/:name)',
  { username: () => (role, random) => `s-${role.replaceAll(/[^A-Za-z0-9]/g, '')}-${random.word(20)}` },
)

rule(
  'later-static-password-of-21',
  ['DATABASE-POLICY-06'],
  'passwords of static roles have 21 characters (001 4.1: `password_policy` "default policy: 20 characters")',
  { staticPassword: (original) => (random) => original(random) + random.word(1) },
)

rule(
  'later-zero-ttl-keeps-former',
  ['DATABASE-TTL-03'],
  'an update of a role with `default_ttl` 0 keeps the former one (001 4.1: "create or update", "default 0 meaning the … default")',
  { roleOf: (original) => (body, previous) => original({ ...body, default_ttl: body.default_ttl || null }, previous) },
)

rule(
  'later-emptied-allowed-roles-stay',
  ['DATABASE-ALLOWED-02'],
  'an update of a connection with an empty list of allowed roles keeps the former list (001 4.1: `allowed_roles` "[] (no roles)")',
  {
    allowedRolesOf: (original) => (body, previous) => {
      const roles = original(body, previous)
      return roles.length === 0 && previous !== undefined ? previous : roles
    },
  },
)
