/** Faults at boundaries: zero, empty, one and many, last, long, exactly at a limit. */
import { empty, secret } from '../../core/envelope.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { insteadOfRefusal, requestBody } from '../../mutations/wrappers.ts'
import { byRules } from './anew-help.ts'
import { databaseEngine } from './engine.ts'
import { type DatabaseCall, nameOf } from './wrappers.ts'

const { rule, route } = faultsOf(databaseEngine, 'database')

rule(
  'anew-five-seconds-refused',
  ['DATABASE-STATIC-17'],
  'a rotation_period of exactly five seconds is refused (001 8: "minimum 5 seconds")',
  {
    periodAllowed: (original) => (period) => original(period) && period > 5,
  },
)

route(
  'anew-minimum-not-checked-on-update',
  ['DATABASE-STATIC-16'],
  'an update sets a rotation_period of two seconds (001 8: "minimum 5 seconds")',
  'database.writeStaticRole',
  byRules((call) => (call.state.staticRoles.has(nameOf(call)) ? { periodAllowed: (period) => period >= 1 } : {})),
)

route(
  'anew-zero-period-is-a-day',
  ['DATABASE-STATIC-16'],
  'rotation_period 0 counts as left out and becomes a day instead of being refused (001 4.1: "required, minimum 5 seconds")',
  'database.writeStaticRole',
  requestBody((body) => {
    const isZero = body.rotation_period !== undefined && Number(body.rotation_period) === 0
    return isZero ? { ...body, rotation_period: 86_400 } : body
  }),
)

rule(
  'anew-zero-ttl-keeps-former',
  ['DATABASE-TTL-03'],
  'an update cannot set default_ttl back to 0, the former value stays (001 4.1: "default 0 meaning the system/engine default")',
  {
    roleOf: (original) => (body, previous) => {
      const role = original(body, previous)
      return { ...role, defaultTtl: role.defaultTtl || (previous?.defaultTtl ?? 0) }
    },
  },
)

rule(
  'anew-no-default-no-maximum',
  ['DATABASE-TTL-07'],
  'a role without default_ttl gets the default of the mount although its max_ttl is shorter (001 4.1: max_ttl "never longer")',
  {
    leaseTimes: (original) => (role, mount) =>
      role.defaultTtl === 0 ? original({ ...role, maxTtl: Math.max(role.maxTtl, mount.defaultLeaseTtl) }, mount) : original(role, mount),
  },
)

rule(
  'anew-star-only-alone',
  ['DATABASE-ALLOWED-05'],
  'beside other names in allowed_roles a `*` allows nothing more (001 4.1: "`*` in the list allows any role")',
  { roleAllowed: (original) => (allowed, role) => original(allowed.length > 1 ? allowed.filter((name) => name !== '*') : allowed, role) },
)

rule(
  'anew-static-password-one-longer',
  ['DATABASE-POLICY-06'],
  'passwords of static roles have 21 characters (001 4.1: "if empty, default policy: 20 characters")',
  { staticPassword: (original) => (random) => original(random) + random.word(1) },
)

route(
  'anew-no-connections-but-roles',
  ['DATABASE-CONN-05'],
  'LIST config without connections is 200 with no keys while the mount has roles (000 1.5: "An empty listing returns 404")',
  'database.listConnections',
  insteadOfRefusal(
    () => secret({ keys: [] }),
    (call: DatabaseCall) => call.state.roles.size + call.state.staticRoles.size > 0,
  ),
)

const onlyFirst = (statement: string, value: string): string => {
  const after = statement.indexOf(value) + value.length
  return statement.slice(0, after) + statement.slice(after).replaceAll(value, '{{name}}')
}

route(
  'anew-name-filled-in-once',
  ['DATABASE-STMT-01'],
  'of two `{{name}}` in one creation statement only the first is filled in (001 2.1: "Statement templates may contain {{name}}")',
  'database.readCreds',
  byRules(({ rules, state, params }) => ({
    prepared: (statements, values) => {
      const filled = rules.prepared(statements, values)
      const isCreation = statements === state.roles.get(params.name ?? '')?.creation
      return isCreation ? filled.map((statement) => onlyFirst(statement, values.name ?? '')) : filled
    },
  })),
)

const LONGEST_TIMER = (2 ** 31 - 1) / 1000

rule(
  'anew-month-overflows-timer',
  ['DATABASE-ROTATE-01', 'DATABASE-SCREDS-05'],
  'a rotation_period above 24 days rotates every second (001 4.1: "rotated automatically after the rotation period")',
  {
    nextRotation: (original) => (role, now) => {
      const delay = original(role, now)
      return delay !== undefined && delay > LONGEST_TIMER ? 1 : delay
    },
  },
)

route(
  'anew-rotation-without-roles',
  ['DATABASE-ROTATE-05'],
  'rotating a static role of a mount that has none is answered with success (000 7: "404 invalid path", "400 invalid request")',
  'database.rotateRole',
  insteadOfRefusal(
    () => empty(),
    (call: DatabaseCall) => call.state.staticRoles.size === 0,
  ),
)
