/** Faults of static roles: what is stored and shown of them, whose users they may have, and the credentials that are read. */
import { secret } from '../../core/envelope.ts'
import { invalid } from '../../core/errors.ts'
import { faultsOf } from '../../faults/declare.ts'
import { remembered } from '../../faults/remembering.ts'
import { insteadOfRefusal, replyData, requestBody } from '../../faults/wrappers.ts'
import { databaseEngine } from './engine.ts'
import type { StaticRole } from './state.ts'
import { staticRoleAt, withRules } from './wrappers.ts'

const { rule, route, change, declared } = faultsOf(databaseEngine)

// What is stored and shown
rule('static-user-lower', ['DATABASE-STATIC-01', 'DATABASE-STATIC-03'], 'the user of a static role is stored in lower case', {
  staticRoleOf: (original) => (body, previous) => {
    const fields = original(body, previous)
    return { ...fields, username: fields.username.toLowerCase() }
  },
})
rule('static-user-cut', 'DATABASE-STATIC-03', 'the user name of a static role is cut after 32 characters', {
  staticRoleOf: (original) => (body, previous) => {
    const fields = original(body, previous)
    return { ...fields, username: fields.username.slice(0, 32) }
  },
})
const firstPeriod = remembered(() => ({ period: 0 }))
rule('static-period-of-creation', 'DATABASE-STATIC-02', 'a changed rotation period is shown and the first one kept to', {
  nextRotation: (original) => (role, now) => {
    const first = firstPeriod(role)
    first.period ||= role.period
    return original({ ...role, period: first.period }, now)
  },
})
const longest = remembered(() => ({ period: 0 }))
rule('static-period-not-shortened', 'DATABASE-STATIC-02', 'a shortened rotation_period does not rotate sooner', {
  nextRotation: (original) => (role, now) => {
    const seen = longest(role)
    seen.period = Math.max(role.period, seen.period)
    return original({ ...role, period: seen.period }, now)
  },
})
route(
  'static-unknown-empty',
  'DATABASE-STATIC-06',
  'an unknown static role reads as an empty one',
  'database.readStaticRole',
  insteadOfRefusal(() => secret({})),
)
rule('static-user-kept', 'DATABASE-STATIC-09', 'the user of a deleted static role stays', { revokesStaticUser: () => () => false })
rule('static-user-optional', 'DATABASE-STATIC-11', 'a static role without user is only noticed by the database', {
  staticRoleComplete: () => () => {},
})
route(
  'static-db-guessed',
  'DATABASE-STATIC-13',
  'a static role without connection gets one',
  'database.writeStaticRole',
  requestBody((body, { state }) => ({ db_name: [...state.connections.keys()].at(-1) ?? '', ...body })),
)
route(
  'static-period-short-text',
  'DATABASE-STATIC-16',
  'a rotation period with a unit may be as short as a second',
  'database.writeStaticRole',
  (original) => (call) => {
    const { periodAllowed } = call.rules
    const isText = typeof call.body.rotation_period === 'string'
    return original(withRules(call, { periodAllowed: (period) => (isText && period >= 1) || periodAllowed(period) }))
  },
)
rule('static-period-short', 'DATABASE-STATIC-16', 'any period is accepted', {
  periodAllowed: () => () => true,
})
rule('static-period-five', 'DATABASE-STATIC-17', 'a period must be longer than 5 seconds', { periodAllowed: () => (period) => period > 5 })
rule('static-period-unit', 'DATABASE-STATIC-18', 'a period with a unit is refused', {
  staticRoleOf: (original) => (body, previous) => {
    if (/[a-z]/.test(String(body.rotation_period))) throw invalid('rotation_period must be a number of seconds')
    return original(body, previous)
  },
})
rule('static-password-shown', 'DATABASE-SECRET-03', 'the read of a static role shows its password', {
  shownStaticRole: (original) => (role) => ({ ...original(role), password: role.password }),
})

// Users
rule('static-user-shared', 'DATABASE-STATIC-23', 'two static roles share a user', { userAvailable: () => () => true })
rule('static-user-of-first', 'DATABASE-STATIC-23', 'whether a user has a static role already is asked of the first static role only', {
  userAvailable: () => (state, dbName, username) => {
    const [first] = state.staticRoles.values()
    return first?.dbName !== dbName || first.username !== username
  },
})
rule('static-user-taken-elsewhere', 'DATABASE-STATIC-24', 'a user is refused whose name has a static role in another database', {
  userAvailable: () => (state, _dbName, username) => ![...state.staticRoles.values()].some((role) => role.username === username),
})
const everTaken = remembered(() => new Set<string>())
change('static-user-taken-for-ever', 'DATABASE-STATIC-25', 'the user of a deleted static role cannot have another', {
  rules: {
    userAvailable: (original) => (state, dbName, username) =>
      original(state, dbName, username) && !everTaken(state).has(`${dbName}/${username}`),
  },
  routes: {
    'database.deleteStaticRole': (original) => (call) => {
      const role = staticRoleAt(call)
      if (role) everTaken(call.state).add(`${role.dbName}/${role.username}`)
      return original(call)
    },
  },
})

// Credentials
route(
  'static-creds-role-name',
  'DATABASE-SCREDS-01',
  'static credentials name the role instead of the user',
  'database.readStaticCreds',
  replyData((data, { params }) => ({ ...data, username: params.name ?? '' })),
)
rule('static-creds-local', 'DATABASE-SCREDS-02', 'the password changes in the service only', { rotatesInDatabase: () => () => false })
rule('static-creds-epoch', 'DATABASE-SCREDS-03', 'seconds are taken for milliseconds in the time of rotation', {
  shownTime: (original) => (seconds) => original(seconds / 1000),
})
rule('static-creds-without-offset', 'DATABASE-SCREDS-03', 'last_service_rotation has no offset', {
  shownTime: (original) => (seconds) => original(seconds).replace(/Z$/, ''),
})
route(
  'static-creds-period-text',
  'DATABASE-SCREDS-04',
  'the period of static credentials is text',
  'database.readStaticCreds',
  replyData((data) => ({ ...data, rotation_period: `${data.rotation_period}s` })),
)
rule(
  'static-creds-first-period',
  'DATABASE-SCREDS-04',
  'static credentials show the first period of their role, whatever it was changed to',
  {
    shownStaticCredential: (original) => (role, ttl, rotatedAt) => {
      const first = firstPeriod(role)
      first.period ||= role.period
      return { ...original(role, ttl, rotatedAt), rotation_period: first.period }
    },
  },
)
rule('static-creds-ttl-hour', 'DATABASE-SCREDS-05', 'the ttl of static credentials is never above an hour', {
  staticTtl: (original) => (role, now) => Math.min(original(role, now), 3600),
})
const fraction = (role: StaticRole, now: number): number => Math.max(0, role.rotatedAt + role.period - now)
rule('static-creds-ttl-fraction', ['DATABASE-SCREDS-05', 'DATABASE-SCREDS-06'], 'the ttl of static credentials has a fraction', {
  staticTtl: () => fraction,
})
rule('static-creds-ttl-still', 'DATABASE-SCREDS-06', 'the ttl of static credentials does not count down', {
  staticTtl: () => (role) => role.period,
})
rule('static-unknown-500', ['DATABASE-SCREDS-07', 'DATABASE-ROTATE-05'], 'an unknown static role is an internal error', {
  unknownNameStatus: () => () => 500,
})
export const faults = declared
