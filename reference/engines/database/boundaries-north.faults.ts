/** Faults at boundaries: none, one, several, the last, exactly at the limit, zero, long, large. */
import { coreEngine } from '../../core/core-engine.ts'
import { secret } from '../../core/envelope.ts'
import { ApiError } from '../../core/errors.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { insteadOfRefusal } from '../../mutations/wrappers.ts'
import { databaseEngine } from './engine.ts'
import { type DatabaseCall, noticing, roleIn, toDatabase } from './north-help.ts'

const { rule, route, change } = faultsOf(databaseEngine, 'database')
const core = faultsOf(coreEngine, 'database')

rule(
  'north-five-seconds-refused',
  'DATABASE-STATIC-17',
  'a rotation_period of exactly 5 seconds is refused (001 8: rotation_period, minimum 5 seconds)',
  {
    periodAllowed: (original) => (period) => original(period) && period > 5,
  },
)

const starAlone =
  (original: (allowed: string[], role: string) => boolean) =>
  (allowed: string[], role: string): boolean =>
    allowed.length > 1 ? allowed.includes(role) : original(allowed, role)
rule(
  'north-star-beside-names',
  'DATABASE-ALLOWED-05',
  'the star counts only as the sole entry of allowed_roles (001 4.1: * in the list allows any role)',
  {
    roleAllowed: starAlone,
    staticRoleAllowed: starAlone,
  },
)

rule(
  'north-maximum-not-for-default-ttl',
  'DATABASE-TTL-07',
  'a role with default_ttl 0 gives leases beyond its max_ttl (001 4.1: role parameters, max_ttl)',
  {
    leaseTimes: (original) => (role, mount) => original(role.defaultTtl === 0 ? { ...role, maxTtl: 0 } : role, mount),
  },
)

route(
  'north-role-beyond-mount-maximum',
  'DATABASE-TTL-08',
  'a max_ttl above the maximum of the mount holds for leases of the role (001 8: never higher than the mount or system max TTL)',
  'database.readCreds',
  (original) => (call) => {
    const maxLeaseTtl = Math.max(call.mount.maxLeaseTtl, roleIn(call)?.maxTtl ?? 0)
    return original({ ...call, mount: { ...call.mount, maxLeaseTtl } })
  },
)

rule(
  'north-last-of-several-statements',
  'DATABASE-CREDS-08',
  'the last of several creation statements is not run (001 4.1: creation_statements, list)',
  {
    creation: (original) => (role) => {
      const statements = original(role)
      return statements.length > 1 ? statements.slice(0, -1) : statements
    },
  },
)

rule(
  'north-empty-revocation-is-absent',
  'DATABASE-ROLE-02',
  'an update with an empty list keeps the former revocation statements (001 4.1: create or update; revocation_statements, list)',
  {
    roleOf: (original) => (body, previous) => {
      const { revocation_statements: given, ...rest } = body
      return original(previous !== undefined && Array.isArray(given) && given.length === 0 ? rest : body, previous)
    },
  },
)

rule(
  'north-static-passwords-without-dash',
  'DATABASE-POLICY-06',
  'passwords of static roles hold no dash (001 4.1: default policy, at least 1 dash)',
  {
    staticPassword: (original) => (random) => original(random).replaceAll('-', 'x'),
  },
)

const LONGEST_USERNAME = 32
rule(
  'north-long-role-name-leaves-no-chance',
  'DATABASE-CREDS-01',
  'a long role name takes up the whole user name, so that the next user is the same one (001 1: credentials created on demand)',
  {
    username: () => (role, random) => `s-${role.replaceAll(/[^A-Za-z0-9]/g, '')}-${random.word(20)}`.slice(0, LONGEST_USERNAME),
  },
)

const onceFull = new WeakSet<object>()
change(
  'north-emptied-connections-listed',
  'DATABASE-CONN-05',
  'the list of connections whose last one was deleted is an empty 200 (000 1.5, 7: an empty listing returns 404)',
  {
    routes: {
      'database.writeConnection': (original) => async (call) => {
        const given = await original(call)
        onceFull.add(call.state)
        return given
      },
      'database.listConnections': insteadOfRefusal<DatabaseCall>(
        () => secret({ keys: [] }),
        ({ state }) => onceFull.has(state),
      ),
    },
  },
)

const LONGEST_DELAY = (2 ** 31 - 1) / 1000
rule(
  'north-long-period-overflows',
  'DATABASE-ROTATE-01',
  'a rotation_period of more than 24 days is too long for the timer and rotates each second (001 4.1: after the rotation period)',
  {
    nextRotation: (original) => (role, now) => {
      const delay = original(role, now)
      return delay !== undefined && delay > LONGEST_DELAY ? 1 : delay
    },
  },
)

core.rule('north-bodies-of-one-megabyte', 'CORE-LIMIT-01', 'bodies of more than 1 MB are refused (000 8: maximum request size, 32 MB)', {
  ...noticing,
  parseBody: (original) => (bytes, request) => {
    if (toDatabase(request) && bytes.length > 1024 * 1024) throw new ApiError(413, 'request body too large')
    return original(bytes, request)
  },
})

rule(
  'north-only-first-static-user-taken',
  'DATABASE-STATIC-23',
  'a user that any but the first static role has may be given to another role (001 4.1: a 1-to-1 map of a role to a database user)',
  {
    userAvailable: (original) => (state, dbName, username) =>
      original({ ...state, staticRoles: new Map([...state.staticRoles].slice(0, 1)) }, dbName, username),
  },
)
