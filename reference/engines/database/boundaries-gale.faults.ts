/** Faults at the ends of what is allowed: none, one, several, the limit itself, the default that is left out. */
import { durationOf } from '../../core/durations.ts'
import { invalid } from '../../core/errors.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { databaseEngine } from './engine.ts'
import { nameOf, withRules } from './gale-help.ts'

const { rule, route } = faultsOf(databaseEngine, 'database')

const SYSTEM_MAXIMUM = 2_764_800

route(
  'gale-short-period-at-update',
  'DATABASE-STATIC-16',
  'an update of a static role takes a rotation_period below 5 seconds (001, 4.1 and 8: minimum 5 seconds)',
  'database.writeStaticRole',
  (original) => (call) =>
    original(call.state.staticRoles.has(nameOf(call)) ? withRules(call, { periodAllowed: (period) => period > 0 }) : call),
)

route(
  'gale-mount-maximum-overlooked',
  'DATABASE-TTL-08',
  'a role with a max_ttl above the maximum of its mount is held to the maximum of the system only (001, 8: never higher than the mount or system max TTL)',
  'database.readCreds',
  (original) => (call) => {
    const wanted = Math.min(call.state.roles.get(nameOf(call))?.maxTtl ?? 0, SYSTEM_MAXIMUM)
    return original({ ...call, mount: { ...call.mount, maxLeaseTtl: Math.max(wanted, call.mount.maxLeaseTtl) } })
  },
)

rule(
  'gale-maximum-needs-default',
  'DATABASE-TTL-07',
  'the max_ttl of a role without default_ttl does not limit its leases (001, 4.1: max_ttl holds whatever default_ttl is, whose default is 0)',
  {
    leaseTimes: (original) => (role, mount) =>
      role.defaultTtl === 0 ? { ttl: mount.defaultLeaseTtl, maxTtl: mount.maxLeaseTtl } : original(role, mount),
  },
)

route(
  'gale-update-unverified',
  'DATABASE-VERIFY-04',
  'an update of a connection without verify_connection is not verified (001, 4.1: verify_connection, default true)',
  'database.writeConnection',
  (original) => (call) => {
    const isUpdate = call.state.connections.has(nameOf(call))
    return original(isUpdate ? { ...call, body: { verify_connection: false, ...call.body } } : call)
  },
)

rule(
  'gale-star-at-front-only',
  'DATABASE-ALLOWED-05',
  'a star in allowed_roles counts as the first item only (001, 4.1: `*` in the list allows any role)',
  {
    roleAllowed: () => (allowed, role) => allowed[0] === '*' || allowed.includes(role),
    staticRoleAllowed: () => (allowed, role) => allowed[0] === '*' || allowed.includes(role),
  },
)

rule(
  'gale-empty-list-keeps-roles',
  'DATABASE-ALLOWED-02',
  'an update with an empty allowed_roles keeps the roles that were allowed (001, 4.1: [] means no roles)',
  {
    allowedRolesOf: (original) => (body, previous) => {
      const roles = original(body, previous)
      return roles.length === 0 ? (previous ?? []) : roles
    },
  },
)

rule(
  'gale-root-statements-if-single',
  'DATABASE-ROOT-07',
  'root_rotation_statements are used where there is exactly one, else the standard ones (001, 4.1: list, statements to rotate the root user)',
  {
    rootRotation: (original) => (connection) =>
      connection.rootRotationStatements.length === 1 ? original(connection) : connection.link.plugin.rotation,
  },
)

const LEFT = '\u0001'

rule(
  'gale-second-password-slot-left',
  'DATABASE-TEMPLATE-03',
  'only the first {{password}} of a statement is filled in (001, 2.1: statement templates may contain {{password}})',
  {
    prepared: (original) => (statements, values) => {
      const marked = statements.map((statement) => {
        let seen = 0
        return statement.replaceAll(/\{\{\s*password\s*\}\}/g, (slot) => (seen++ === 0 ? slot : LEFT))
      })
      return original(marked, values).map((statement) => statement.replaceAll(LEFT, '{{password}}'))
    },
  },
)

rule(
  'gale-zero-maximum-below-default',
  'DATABASE-TTL-02',
  'a max_ttl of 0 is taken for a limit, so that any default_ttl beside it is refused (001, 4.1: max_ttl is as default_ttl, 0 means the default)',
  {
    roleComplete: (original) => (body, previous) => {
      original(body, previous)
      if (body.max_ttl === undefined || body.max_ttl === null) return
      const longest = durationOf(body.max_ttl, 'max_ttl', 0)
      if (durationOf(body.default_ttl, 'default_ttl', 0) > longest) throw invalid('default_ttl must not exceed max_ttl')
    },
  },
)

rule(
  'gale-single-rollback-overlooked',
  'DATABASE-APART-01',
  'rollback_statements are run where there are several; a single one is passed over (001, 4.1: run to roll back a failed create)',
  { rollback: () => (role, standard) => (role.rollback.length > 1 ? role.rollback : standard) },
)
