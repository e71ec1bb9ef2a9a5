/** Faults of the database engine: empty, one, several, limits, zero and defaults. */
import { invalid } from '../../core/errors.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { nameOf } from './cedar-help.ts'
import { databaseEngine } from './engine.ts'
import { plugins } from './plugins.ts'
import { splitStatements } from './statements.ts'

const { rule, route } = faultsOf(databaseEngine, 'database')

route(
  'cedar-period-minimum-on-create-only',
  'DATABASE-STATIC-16',
  'an update may set a `rotation_period` below 5 seconds (001, 4.1 and 8: minimum 5 seconds)',
  'database.writeStaticRole',
  (original) => (call) =>
    call.state.staticRoles.has(nameOf(call))
      ? original({ ...call, rules: { ...call.rules, periodAllowed: (period) => period >= 1 } })
      : original(call),
)

rule(
  'cedar-star-first-only',
  'DATABASE-ALLOWED-05',
  'the star in `allowed_roles` counts as the first item only (001, 4.1: `*` in the list allows any role)',
  {
    roleAllowed: () => (allowed, role) => allowed[0] === '*' || allowed.includes(role),
  },
)

rule(
  'cedar-empty-allowed-roles-ignored',
  'DATABASE-ALLOWED-02',
  'an update with an empty `allowed_roles` leaves the old list (001, 4.1: the empty list means no roles)',
  {
    allowedRolesOf: (original) => (body, previous) =>
      previous && Array.isArray(body.allowed_roles) && body.allowed_roles.length === 0 ? previous : original(body, previous),
  },
)

rule(
  'cedar-zero-ttl-ignored',
  'DATABASE-TTL-03',
  'a TTL of 0 in an update of a role counts as left out (001, 4.1: 0 is a value of `default_ttl` and `max_ttl`, meaning the default)',
  {
    roleOf: (original) => (body, previous) => {
      const role = original(body, previous)
      return {
        ...role,
        defaultTtl: role.defaultTtl || (previous?.defaultTtl ?? 0),
        maxTtl: role.maxTtl || (previous?.maxTtl ?? 0),
      }
    },
  },
)

const isStandard = (statements: string[]): boolean =>
  Object.values(plugins).some(({ revocation, rotation, renewal }) => [revocation, rotation, renewal].includes(statements))

rule(
  'cedar-first-placeholder-only',
  'DATABASE-STMT-01',
  'of a placeholder that stands twice in one statement only the first is filled in (001, 2.1: statement templates may contain `{{name}}` and others)',
  {
    prepared: (original) => (statements, values) => {
      if (isStandard(statements)) return original(statements, values)
      const filled = (statement: string): string =>
        Object.entries(values).reduce((text, [key, value]) => text.replace(`{{${key}}}`, () => value), statement)
      return statements.flatMap(splitStatements).map(filled)
    },
  },
)

rule(
  'cedar-second-revocation-skipped',
  'DATABASE-APART-01',
  'only the first of several `revocation_statements` is run (001, 4.1: `revocation_statements` is a list)',
  {
    revocation: (original) => (role, standard) => original(role, standard).slice(0, 1),
  },
)

rule(
  'cedar-user-compared-with-first-role',
  'DATABASE-STATIC-23',
  'whether a user is taken is looked up in the first static role only (001, 4.1: static roles are a 1-to-1 map of a role to a database user)',
  {
    userAvailable: () => (state, dbName, username) => {
      const first = [...state.staticRoles.values()][0]
      return first === undefined || first.dbName !== dbName || first.username !== username
    },
  },
)

rule(
  'cedar-no-creation-still-answers',
  'DATABASE-STMT-02',
  'a role with an empty list of `creation_statements` hands out a credential that does not exist (001, 4.1: `creation_statements` are required)',
  {
    creation: (original) => (role) => (role.creation.length > 0 ? original(role) : ['SELECT 1']),
  },
)

rule(
  'cedar-allowed-as-part-of-name',
  'DATABASE-ALLOWED-04',
  'a role is allowed where its name is a part of an allowed name (001, 4.1: `allowed_roles` lists roles; only `*` stands for others)',
  {
    roleAllowed: () => (allowed, role) => allowed.includes('*') || allowed.join(',').includes(role),
  },
)

rule(
  'cedar-several-rotation-statements-lost',
  'DATABASE-STATIC-20',
  'with more than one of `rotation_statements` the standard statement is run instead (001, 4.1: `rotation_statements` is a list)',
  {
    rotation: (original) => (role, standard) => (role.rotation.length === 1 ? original(role, standard) : standard),
  },
)

route(
  'cedar-max-ttl-at-limit-refused',
  'DATABASE-TTL-03',
  "a `max_ttl` that equals the mount's maximum is refused (001, 4.1 and 8: may be lower, never higher; equal is allowed)",
  'database.writeRole',
  (original) => (call) =>
    original({
      ...call,
      rules: {
        ...call.rules,
        roleOf: (body, previous) => {
          const role = call.rules.roleOf(body, previous)
          if (role.maxTtl >= call.mount.maxLeaseTtl) throw invalid('max_ttl must be below the maximum')
          return role
        },
      },
    }),
)

rule(
  'cedar-short-leases-lengthened',
  'DATABASE-TTL-02',
  'leases of less than ten seconds get ten (001, 4.1: `default_ttl` and `max_ttl` have no minimum; 000, 2.3: `lease_duration` is that of the lease)',
  {
    leaseTimes: (original) => (role, mount) => {
      const { ttl, maxTtl } = original(role, mount)
      return { ttl: Math.max(ttl, 10), maxTtl: Math.max(maxTtl, 10) }
    },
  },
)
