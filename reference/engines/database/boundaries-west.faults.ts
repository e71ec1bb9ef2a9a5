/** Faults at limits: empty, zero, one, many, long, large, exactly the limit. */
import { invalid } from '../../core/errors.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { databaseEngine } from './engine.ts'
import { splitStatements, timestamp } from './statements.ts'
import { connectionOfRole, nameOf, withRules } from './west-help.ts'

const { rule, route } = faultsOf(databaseEngine, 'database')

route(
  'west-minimum-of-numbers-only',
  'DATABASE-STATIC-16',
  'a rotation period below five seconds is taken where it is written with a unit (001 8: rotation_period, minimum 5 seconds)',
  'database.writeStaticRole',
  (original) => (call) => {
    const period = call.body.rotation_period
    const hasUnit = typeof period === 'string' && /[a-z]$/.test(period)
    // A period of nothing would rotate without end.
    return original(hasUnit ? withRules(call, { periodAllowed: (seconds) => seconds >= 1 }) : call)
  },
)

route(
  'west-max-ttl-below-mount-only',
  'DATABASE-TTL-02',
  'a max_ttl that equals the maximum of the mount is refused (001 4.1: max_ttl, never longer than the mount maximum)',
  'database.writeRole',
  (original) => (call) => {
    const { maxTtl } = call.rules.roleOf(call.body, call.state.roles.get(nameOf(call)))
    if (maxTtl >= call.mount.maxLeaseTtl) throw invalid('max_ttl exceeds the maximum of the mount')
    return original(call)
  },
)

rule(
  'west-max-ttl-needs-default',
  'DATABASE-TTL-07',
  'max_ttl of a role without default_ttl does not limit the lease (001 4.1: max_ttl; default_ttl, default 0)',
  {
    leaseTimes: (original) => (role, mount) =>
      role.defaultTtl > 0 ? original(role, mount) : { ttl: Math.min(mount.defaultLeaseTtl, mount.maxLeaseTtl), maxTtl: mount.maxLeaseTtl },
  },
)

route(
  'west-short-password-for-mysql',
  'DATABASE-POLICY-01',
  'passwords of users in MySQL have sixteen characters (001 4.1: password_policy, default policy of 20 characters)',
  'database.readCreds',
  (original) => (call) =>
    original(
      connectionOfRole(call)?.pluginName.startsWith('mysql')
        ? withRules(call, { password: (random) => call.rules.password(random).slice(0, 16) })
        : call,
    ),
)

rule(
  'west-creation-by-default',
  'DATABASE-STMT-02',
  'a role without creation statements gives users by a built-in statement (001 4.1: creation_statements, required)',
  {
    roleComplete: (original) => (body, previous) => original({ creation_statements: [], ...body }, previous),
    creation: (original) => (role) =>
      role.creation.length > 0
        ? original(role)
        : [`CREATE ROLE "{{name}}" WITH LOGIN PASSWORD '{{password}}' VALID UNTIL '{{expiration}}'`],
  },
)

rule(
  'west-default-ttl-not-back-to-zero',
  'DATABASE-TTL-03',
  'an update of default_ttl to 0 leaves the former value (001 4.1: default_ttl, 0 meaning the default)',
  {
    roleOf: (original) => (body, previous) => {
      const role = original(body, previous)
      return { ...role, defaultTtl: role.defaultTtl || previous?.defaultTtl || 0 }
    },
  },
)

rule(
  'west-long-role-name-in-user',
  'DATABASE-CREDS-01',
  'the user name begins with the whole role name, so that long names leave no room for what tells users apart (001 4.1: creds)',
  {
    username: () => (role, random) => `s-${role.replaceAll(/[^A-Za-z0-9]/g, '')}-${random.word(20)}`,
  },
)

rule(
  'west-period-beyond-timer',
  'DATABASE-ROTATE-01',
  'a rotation period above 24 days rotates at once, again and again (001 4.1: rotated automatically after the rotation period)',
  {
    nextRotation: (original) => (role, now) => {
      const delay = original(role, now)
      // Not without pause, as the timer would do it, for the database has other users.
      return delay !== undefined && delay * 1000 >= 2 ** 31 ? 1 : delay
    },
  },
)

rule(
  'west-star-alone-only',
  'DATABASE-ALLOWED-05',
  '`*` beside other names in the list does not allow any static role (001 4.1: `*` in the list allows any role)',
  {
    staticRoleAllowed: (original) => (allowed, role) => (allowed.length > 1 ? allowed.includes(role) : original(allowed, role)),
  },
)

route(
  'west-expiration-of-zero-ttl',
  'DATABASE-CREDS-01',
  '`{{expiration}}` is the time of issue where the role has no default_ttl (001 2.1: `{{expiration}}`; 4.1: 0 meaning the default)',
  'database.readCreds',
  (original) => (call) => {
    if (call.state.roles.get(nameOf(call))?.defaultTtl !== 0) return original(call)
    const expiration = timestamp(call.now())
    return original(withRules(call, { templateValues: (user) => ({ ...call.rules.templateValues(user), expiration }) }))
  },
)

const filledOnce = (statement: string, values: Record<string, string>): string =>
  Object.entries(values).reduce((text, [key, value]) => text.replace(`{{${key}}}`, () => value), statement)

route(
  'west-template-filled-once',
  'DATABASE-STMT-01',
  'a template that stands twice in one creation statement is filled in once (001 2.1: statement templates)',
  'database.readCreds',
  (original) => (call) => {
    const creation = call.state.roles.get(nameOf(call))?.creation
    return original(
      withRules(call, {
        prepared: (statements, values) =>
          statements === creation
            ? statements.flatMap(splitStatements).map((statement) => filledOnce(statement, values))
            : call.rules.prepared(statements, values),
      }),
    )
  },
)

rule(
  'west-first-rollback-only',
  'DATABASE-STMT-10',
  'of several rollback statements only the first is run (001 4.1: rollback_statements, list, run to roll back a failed create)',
  {
    rollback: (original) => (role, standard) => original(role, standard).slice(0, 1),
  },
)
