/** Faults at limits: none, one, many, exactly as much as allowed, long, large. */
import { durationOf } from '../../core/durations.ts'
import { invalid } from '../../core/errors.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { databaseEngine } from './engine.ts'
import { withRules } from './frank-help.ts'
import { splitStatements } from './statements.ts'

const { rule, route } = faultsOf(databaseEngine)

const LONGEST_TIMER = 2 ** 31 / 1000

rule(
  'frank-period-above-minimum',
  'DATABASE-STATIC-17',
  'a rotation_period of exactly 5 seconds is refused (001 8: rotation_period, minimum 5 seconds)',
  {
    periodAllowed: (original) => (period) => original(period) && original(period - 1),
  },
)

rule(
  'frank-no-default-means-maximum',
  'DATABASE-TTL-03',
  'a role with default_ttl 0 and a max_ttl gives leases of max_ttl (001 4.1: `default_ttl`, default 0 meaning the system/engine default)',
  {
    leaseTimes: (original) => (role, mount) => {
      const times = original(role, mount)
      return role.defaultTtl === 0 && role.maxTtl > 0 ? { ...times, ttl: times.maxTtl } : times
    },
  },
)

rule(
  'frank-star-alone-only',
  'DATABASE-ALLOWED-05',
  'beside other names `*` allows nothing to static roles (001 4.1: `*` in the list allows any role)',
  {
    staticRoleAllowed: (original) => (allowed, role) =>
      original(
        allowed.filter((entry) => entry !== '*' || allowed.length === 1),
        role,
      ),
  },
)

rule(
  'frank-two-creation-statements',
  'DATABASE-STMT-01',
  'of a list of creation statements the first two are run (001 4.1: `creation_statements`, list)',
  {
    creation: (original) => (role) => original(role).slice(0, 2),
  },
)

rule(
  'frank-user-name-with-whole-role-name',
  'DATABASE-CREDS-01',
  'user names hold the whole role name, so that those of long-named roles lose what tells them apart (001 4.1: GET /database/creds/:name)',
  { username: () => (role, random) => `s-${role.replaceAll(/[^A-Za-z0-9]/g, '')}-${random.word(20)}` },
)

rule(
  'frank-static-password-one-short',
  'DATABASE-POLICY-06',
  'passwords of static roles have 19 characters (001 4.1: `password_policy`, default policy: 20 characters)',
  { staticPassword: (original) => (random) => original(random).replace(/[a-z](?=.*[a-z])/, '') },
)

rule(
  'frank-long-period-overflows',
  'DATABASE-ROTATE-01',
  'a rotation_period of 25 days or more overflows the timer, and the password changes each second (001 4.1: rotated after the rotation period)',
  { nextRotation: (original) => (role, now) => (role.period > LONGEST_TIMER ? 1 : original(role, now)) },
)

rule(
  'frank-ttl-without-hours',
  'DATABASE-SCREDS-05',
  'the ttl of static credentials leaves whole hours out (001 2.1: static credentials, `ttl`)',
  {
    staticTtl: (original) => (role, now) => original(role, now) % 3600,
  },
)

rule(
  'frank-empty-list-counts-as-absent',
  'DATABASE-ROLE-02',
  'an update cannot take the revocation statements away, for an empty list counts as none given (001 4.1: `revocation_statements`, list)',
  {
    roleOf: (original) => (body, previous) => {
      const role = original(body, previous)
      return previous && role.revocation.length === 0 ? { ...role, revocation: previous.revocation } : role
    },
  },
)

route(
  'frank-max-ttl-below-that-of-mount',
  'DATABASE-TTL-02',
  'a max_ttl that equals the maximum of the mount is refused (001 8: `max_ttl` never higher than the mount or system max TTL)',
  'database.writeRole',
  (original) => (call) => {
    if (durationOf(call.body.max_ttl, 'max_ttl', 0) >= call.mount.maxLeaseTtl) throw invalid('max_ttl exceeds the maximum of the mount')
    return original(call)
  },
)

route(
  'frank-placeholder-once-each',
  'DATABASE-STMT-01',
  'in a creation statement only the first occurrence of each template is replaced (001 2.1: statement templates may contain `{{name}}`)',
  'database.readCreds',
  (original) => (call) => {
    let isCreation = true
    return original(
      withRules(call, {
        prepared(statements, values) {
          if (!isCreation) return call.rules.prepared(statements, values)
          isCreation = false
          const filled = (text: string): string =>
            Object.entries(values).reduce((rest, [key, value]) => rest.replace(`{{${key}}}`, () => value), text)
          return statements.flatMap(splitStatements).map(filled)
        },
      }),
    )
  },
)
