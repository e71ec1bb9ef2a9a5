/** Faults of the database engine at boundaries: empty, one of several, exactly the limit, zero. */
import { invalid } from '../../core/errors.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { databaseEngine } from './engine.ts'
import { atFirst, nameOf, withRules } from './iris-help.ts'
import { splitStatements } from './statements.ts'

const { rule, route } = faultsOf(databaseEngine, 'database')

rule('iris-period-of-zero', 'DATABASE-STATIC-16', 'a rotation_period of 0 is taken for "never" (document 001, 4.1: minimum 5 seconds)', {
  periodAllowed: (original) => (period) => period === 0 || original(period),
  nextRotation: (original) => (role, now) => (role.period === 0 ? undefined : original(role, now)),
})

route(
  'iris-first-placeholder-only',
  'DATABASE-TEMPLATE-01',
  'of a placeholder that a creation statement holds twice only the first is filled in (document 001, 2.1: templates may contain {{name}})',
  'database.readCreds',
  withRules(({ prepared }) => ({
    prepared: atFirst(
      (statements, values) =>
        statements
          .map((text) => Object.entries(values).reduce((filled, [key, value]) => filled.replace(`{{${key}}}`, () => value), text))
          .flatMap(splitStatements),
      prepared,
    ),
  })),
)

rule(
  'iris-root-statements-last-only',
  'DATABASE-ROOT-07',
  'of several root_rotation_statements only the last is run (document 001, 4.1: the list of statements that rotate the root credentials)',
  {
    rootRotation: (original) => (connection) => original(connection).slice(-1),
  },
)

route(
  'iris-role-beyond-mount-maximum',
  'DATABASE-TTL-08',
  'a max_ttl above that of the mount lengthens leases beyond it (document 001, 4.1: may be shorter than the mount max TTL but never longer)',
  'database.readCreds',
  (original) => (call) => {
    const { maxTtl = 0 } = call.state.roles.get(nameOf(call)) ?? {}
    return original({ ...call, mount: { ...call.mount, maxLeaseTtl: Math.max(maxTtl, call.mount.maxLeaseTtl) } })
  },
)

route(
  'iris-maximum-of-mount-refused',
  'DATABASE-TTL-03',
  'a max_ttl that equals that of the mount is refused (document 001, 4.1: may be shorter than the mount max TTL but never longer)',
  'database.writeRole',
  withRules((rules, { mount }) => ({
    roleOf: (body, previous) => {
      const role = rules.roleOf(body, previous)
      if (role.maxTtl === mount.maxLeaseTtl) throw invalid('max_ttl must be below the maximum of the mount')
      return role
    },
  })),
)

rule(
  'iris-last-user-compared',
  'DATABASE-STATIC-23',
  'whether a user has a static role already is compared with the last role only (document 001, 4.1: a 1-to-1 map of a role to a database user)',
  {
    userAvailable: (original) => (state, dbName, username) =>
      original({ ...state, staticRoles: new Map([...state.staticRoles].slice(-1)) }, dbName, username),
  },
)
