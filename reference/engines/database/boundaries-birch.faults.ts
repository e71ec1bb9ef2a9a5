/** Faults at limits: nothing, one, many, zero, long, large. */
import { invalid } from '../../core/errors.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { nameOf, withRules } from './birch-help.ts'
import { databaseEngine } from './engine.ts'
import type { Connection, DatabaseState } from './state.ts'

const { rule, route, change } = faultsOf(databaseEngine, 'database')

const LONGEST_TIMER = (2 ** 31 - 1) / 1000

rule(
  'birch-long-period-overflows',
  'DATABASE-ROTATE-01',
  'a period beyond the longest timer of 24 days rotates over and over at once (001 4.1: rotated automatically after the rotation period)',
  {
    nextRotation: (original) => (role, now) => {
      const delay = original(role, now)
      return delay !== undefined && delay > LONGEST_TIMER ? 1 : delay
    },
  },
)

rule(
  'birch-zero-default-is-maximum',
  'DATABASE-TTL-03',
  'default_ttl 0 stands for max_ttl where there is one, not for the default of the mount (001 4.1: default_ttl, 0)',
  {
    leaseTimes: (original) => (role, mount) => {
      const times = original(role, mount)
      return role.defaultTtl === 0 && role.maxTtl > 0 ? { ...times, ttl: times.maxTtl } : times
    },
  },
)

rule(
  'birch-zero-keeps-old-ttl',
  'DATABASE-TTL-03',
  'a TTL of 0 in an update counts as left out, so that the old one stays (001 4.1: default_ttl and max_ttl, 0 is the default)',
  {
    roleOf: (original) => (body, previous) =>
      original({ ...body, default_ttl: body.default_ttl || null, max_ttl: body.max_ttl || null }, previous),
  },
)

rule(
  'birch-username-slot-filled-once',
  'DATABASE-STMT-01',
  'of several {{username}} in one statement only the first is filled in (001 2.1: statement templates)',
  {
    prepared: (original) => (statements, values) => {
      const { username = '', ...others } = values
      return original(statements, others).map((statement) => statement.replace(/\{\{\s*username\s*\}\}/, () => username))
    },
  },
)

rule(
  'birch-long-role-names-collide',
  'DATABASE-CREDS-01',
  'the name of a long role leaves no room for chance in the user name, so the second credential fails (001 4.1: GET creds/:name)',
  {
    username: () => (role, random) => `s-${role.replaceAll(/[^A-Za-z0-9]/g, '')}-${random.word(20)}`.slice(0, 32),
  },
)

rule(
  'birch-star-only-in-front',
  'DATABASE-ALLOWED-05',
  '* counts only as the first of the allowed roles (001 4.1: allowed_roles, * in the list)',
  {
    roleAllowed: () => (allowed, role) => allowed[0] === '*' || allowed.includes(role),
  },
)

rule(
  'birch-empty-password-policy-unknown',
  'DATABASE-POLICY-01',
  'an empty password_policy is looked up as a policy and refused (001 4.1: password_policy, if empty the default policy)',
  {
    connectionText: (original) => (body, field, previous) => {
      if (field === 'password_policy' && body[field] === '') throw invalid('no password policy of that name')
      return original(body, field, previous)
    },
  },
)

route(
  'birch-expiration-not-capped',
  'DATABASE-TEMPLATE-04',
  '{{expiration}} goes by default_ttl where max_ttl is lower, and lies beyond the lease (001 2.1: {{expiration}}; 4.1: max_ttl)',
  'database.readCreds',
  (original) => (call) => {
    const role = call.state.roles.get(nameOf(call))
    if (role === undefined) return original(call)
    const excess = Math.max(0, role.defaultTtl - call.rules.leaseTimes(role, call.mount).ttl)
    return original(
      withRules(call, { templateValues: (user) => call.rules.templateValues({ ...user, expiresAt: user.expiresAt + excess }) }),
    )
  },
)

const SYSTEM_MAXIMUM = 2_764_800

route(
  'birch-system-maximum-instead-of-mount',
  'DATABASE-TTL-08',
  'credentials live up to the maximum of the system where that of the mount is lower (001 4.1 and 8: max_ttl never above the mount max)',
  'database.readCreds',
  (original) => (call) => original({ ...call, mount: { ...call.mount, maxLeaseTtl: SYSTEM_MAXIMUM } }),
)

const USUAL_CREATION: Record<string, string> = {
  'postgresql-database-plugin': `CREATE ROLE "{{name}}" WITH LOGIN PASSWORD '{{password}}'`,
  'mysql-database-plugin': `CREATE USER '{{name}}'@'%' IDENTIFIED BY '{{password}}'`,
}

change(
  'birch-usual-creation-where-none',
  'DATABASE-STMT-02',
  'a role without creation statements gives credentials by the usual statement of the plugin (001 4.1: creation_statements, required)',
  {
    rules: { roleComplete: (original) => (body, previous) => original({ creation_statements: ['by plugin'], ...body }, previous) },
    routes: {
      'database.readCreds': (original) => (call) => {
        const role = call.state.roles.get(nameOf(call))
        const usual = USUAL_CREATION[call.state.connections.get(role?.dbName ?? '')?.pluginName ?? '']
        if (role === undefined || usual === undefined || role.creation.length > 0) return original(call)
        return original(withRules(call, { creation: () => [usual] }))
      },
    },
  },
)

rule(
  'birch-rollback-first-only',
  'DATABASE-STMT-10',
  'of several rollback statements only the first is run (001 4.1: rollback_statements, list)',
  {
    rollback: (original) => (role, standard) => original(role, standard).slice(0, 1),
  },
)

const onlyOne = (state: DatabaseState): Connection | undefined =>
  state.connections.size === 1 ? [...state.connections.values()][0] : undefined

rule(
  'birch-only-connection-for-unknown',
  'DATABASE-STATIC-14',
  'where a mount has one connection only, roles may name any that does not exist and get that one (001 4.1: db_name)',
  {
    connectionKnownAtWrite: (original) => (state, dbName) => original(state, dbName) || onlyOne(state) !== undefined,
    connectionOf: (original) => (state, dbName) => original(state, dbName) ?? onlyOne(state),
  },
)
