/** Faults at limits: nothing, one, many, zero, exactly at the limit, very long. */
import { coreEngine } from '../../core/core-engine.ts'
import { ApiError } from '../../core/errors.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { requestsTo } from '../../mutations/locating.ts'
import { nameOf, withRules } from './east-help.ts'
import { databaseEngine } from './engine.ts'
import { fill, splitStatements } from './statements.ts'

const { rule, route } = faultsOf(databaseEngine, 'database')
const core = faultsOf(coreEngine, 'database')

rule('east-period-of-five-refused', 'DATABASE-STATIC-17', 'a rotation period of exactly 5 seconds is refused (001 8: minimum 5 seconds)', {
  periodAllowed: (original) => (period) => original(period - 1),
})

route(
  'east-period-unchecked-on-update',
  'DATABASE-STATIC-16',
  'the minimum of the rotation period is checked at creation only (001 8: minimum 5 seconds)',
  'database.writeStaticRole',
  (original) => (call) => original(call.state.staticRoles.has(nameOf(call)) ? withRules(call, { periodAllowed: () => true }) : call),
)

const starAlone = (allowed: string[], role: string): boolean => (allowed.length === 1 && allowed[0] === '*') || allowed.includes(role)

rule('east-star-only-alone', 'DATABASE-ALLOWED-05', 'a `*` beside other names allows nothing (001 4.1: `*` in the list allows any role)', {
  roleAllowed: () => starAlone,
  staticRoleAllowed: () => starAlone,
})

rule(
  'east-no-roles-ignored',
  'DATABASE-ALLOWED-02',
  'an empty list leaves the allowed roles of a connection as they were (001 4.1: allowed_roles, [] no roles)',
  {
    allowedRolesOf: (original) => (body, previous) => {
      const given = original(body, previous)
      return given.length === 0 && previous ? previous : given
    },
  },
)

rule(
  'east-first-revocation-only',
  'DATABASE-STMT-06',
  'of several revocation statements only the first is run (001 4.1: revocation_statements, list)',
  {
    revocation: (original) => (role, standard) => (role.revocation.length > 1 ? role.revocation.slice(0, 1) : original(role, standard)),
  },
)

rule('east-zero-ttl-keeps-old', 'DATABASE-TTL-03', 'a default_ttl of 0 leaves the one a role had (001 4.1: 0 meaning the system default)', {
  roleOf: (original) => (body, previous) => original(body.default_ttl === 0 ? { ...body, default_ttl: null } : body, previous),
})

rule(
  'east-expiration-uncapped',
  'DATABASE-TEMPLATE-04',
  'the expiration in statements goes beyond a max_ttl below the default TTL (001 2.1: {{expiration}}; 4.1: max_ttl)',
  {
    leaseTimes: (original) => (role, mount) => ({ ...original(role, mount), ttl: role.defaultTtl || mount.defaultLeaseTtl }),
  },
)

route(
  'east-role-maximum-wins',
  'DATABASE-TTL-08',
  'a max_ttl above the maximum of the mount is the limit of leases (001 8: never higher than the mount max TTL)',
  'database.readCreds',
  (original) => (call) => {
    const maxLeaseTtl = Math.max(call.mount.maxLeaseTtl, call.state.roles.get(nameOf(call))?.maxTtl ?? 0)
    return original({ ...call, mount: { ...call.mount, maxLeaseTtl } })
  },
)

rule(
  'east-long-role-one-user',
  'DATABASE-CREDS-01',
  'a role with a long name gets the same user name every time (001 1: credentials created on demand)',
  {
    username: () => (role, random) => `s-${role.replaceAll(/[^A-Za-z0-9]/g, '')}-${random.word(20)}`.slice(0, 32),
  },
)

rule(
  'east-ttl-within-a-day',
  'DATABASE-SCREDS-05',
  'the ttl of static credentials starts again at each full day (001 2.1: static credentials, ttl seconds)',
  {
    staticTtl: (original) => (role, now) => original(role, now) % 86_400,
  },
)

rule(
  'east-template-once',
  'DATABASE-STMT-01',
  'a template that stands twice in a statement is filled in once (001 2.1: statement templates)',
  {
    prepared: () => (statements, values) =>
      statements
        .flatMap(splitStatements)
        .map((statement) =>
          /\bEND\b/i.test(statement)
            ? fill(statement, values)
            : Object.entries(values).reduce((text, [key, value]) => text.replace(`{{${key}}}`, () => value), statement),
        ),
  },
)

const bodies = requestsTo('database')

core.rule('east-body-of-a-megabyte', 'CORE-LIMIT-01', 'a body of more than one megabyte is refused (000 8: 32 MB)', {
  ...bodies.locating,
  parseBody: (original) => (bytes, request) => {
    if (bodies.here() && bytes.length > 1024 * 1024) throw new ApiError(413, 'request body too large')
    return original(bytes, request)
  },
})
