/** Faults of static roles and their rotation. */
import { empty, secret } from '../../core/envelope.ts'
import { ApiError, invalid } from '../../core/errors.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { insteadOfHandling, insteadOfRefusal, replyData, requestBody, requestDefault, requestNestedAs } from '../../mutations/wrappers.ts'
import { databaseEngine } from './engine.ts'
import type { DatabaseRules } from './rules.ts'
import { nameOf } from './wrappers.ts'

const { rule, route } = faultsOf(databaseEngine)

const never: DatabaseRules['rotatesInDatabase'] = () => false

rule('static-shared-user', 'DATABASE-STATIC-23', 'two static roles share a user', { userAvailable: () => () => true })
/** When each role was last rotated by a request. */
const byRequest = new WeakMap<object, number>()
route(
  'schedule-breaks-role',
  ['DATABASE-ROTATE-03', 'DATABASE-STATIC-08'],
  'after a rotation by schedule a static role can neither be rotated nor deleted',
  ['database.writeStaticRole', 'database.rotateRole', 'database.deleteStaticRole'],
  (original) => async (call) => {
    const role = () => call.state.staticRoles.get(nameOf(call))
    const before = role()
    const isWrite = call.path.includes('static-roles/') && call.method !== 'DELETE'
    if (before !== undefined && !isWrite && byRequest.get(before) !== before.rotatedAt) throw new ApiError(500, 'the role is busy')
    const reply = await original(call)
    const after = role()
    if (after !== undefined) byRequest.set(after, after.rotatedAt)
    return reply
  },
)
route(
  'static-dropped',
  'DATABASE-STATIC-01',
  'a new static role is acknowledged and not kept',
  'database.writeStaticRole',
  insteadOfHandling(empty, (call) => !call.state.staticRoles.has(nameOf(call))),
)
route(
  'static-update-lost',
  'DATABASE-STATIC-02',
  'writing a static role again changes nothing',
  'database.writeStaticRole',
  insteadOfHandling(empty, (call) => call.state.staticRoles.has(nameOf(call))),
)
route(
  'static-user-hidden',
  'DATABASE-STATIC-03',
  'the read does not say the user',
  'database.readStaticRole',
  replyData((data) => ({ ...data, username: '' })),
)
route(
  'static-statements-hidden',
  'DATABASE-STATIC-04',
  'the read shows no statements',
  'database.readStaticRole',
  replyData((data) => ({ ...data, rotation_statements: [] })),
)
route(
  'static-period-milliseconds',
  'DATABASE-STATIC-05',
  'the read shows the period in milliseconds',
  'database.readStaticRole',
  replyData((data) => ({ ...data, rotation_period: Number(data.rotation_period) * 1000 })),
)
route(
  'static-unknown-empty',
  'DATABASE-STATIC-06',
  'an unknown static role reads as an empty one',
  'database.readStaticRole',
  insteadOfRefusal(() => secret({})),
)
rule('static-unlisted', 'DATABASE-STATIC-07', 'static roles are not listed', { staticRoleNames: () => () => [] })
rule('static-kept', 'DATABASE-STATIC-08', 'a deleted static role stays', { forgetsStaticRole: () => () => false })
rule('static-user-kept', 'DATABASE-STATIC-09', 'the user of a deleted static role stays', { revokesStaticUser: () => () => false })
rule('static-user-optional', 'DATABASE-STATIC-11', 'a static role without user is only noticed by the database', {
  staticRoleComplete: () => () => {},
})
route(
  'static-user-object',
  'DATABASE-STATIC-12',
  'an object is taken for a user',
  'database.writeStaticRole',
  requestNestedAs('username', 'x'),
)
route(
  'static-db-guessed',
  'DATABASE-STATIC-13',
  'a static role without connection gets one',
  'database.writeStaticRole',
  requestBody((body, { state }) => ({ db_name: [...state.connections.keys()].at(-1) ?? '', ...body })),
)
route(
  'static-period-default',
  'DATABASE-STATIC-15',
  'a static role without period gets a day',
  'database.writeStaticRole',
  requestDefault('rotation_period', 86_400),
)
rule('static-period-short', 'DATABASE-STATIC-16', 'any period is accepted', { periodAllowed: () => () => true })
rule('static-period-five', 'DATABASE-STATIC-17', 'a period must be longer than 5 seconds', { periodAllowed: () => (period) => period > 5 })
rule('static-period-unit', 'DATABASE-STATIC-18', 'a period with a unit is refused', {
  staticRoleOf: (original) => (body, previous) => {
    if (/[a-z]/.test(String(body.rotation_period))) throw invalid('rotation_period must be a number of seconds')
    return original(body, previous)
  },
})
route(
  'static-period-object',
  'DATABASE-STATIC-19',
  'an object is taken for a period',
  'database.writeStaticRole',
  requestNestedAs('rotation_period', 60),
)
rule('static-statements-ignored', 'DATABASE-STATIC-20', 'rotation statements are stored and not run', {
  rotation: () => (_role, standard) => standard,
})
route(
  'static-statements-guessed',
  'DATABASE-STATIC-21',
  'a static role without statements is stored with one',
  'database.writeStaticRole',
  requestDefault('rotation_statements', ['SELECT 1']),
)
rule('static-statements-needed', 'DATABASE-STATIC-21', 'without statements a rotation does nothing in the database', {
  rotation: () => (role) => role.rotation,
})
route(
  'static-statements-object',
  'DATABASE-STATIC-22',
  'objects are taken for statements',
  'database.writeStaticRole',
  requestNestedAs('rotation_statements', []),
)
rule('static-password-shown', 'DATABASE-SECRET-03', 'the read of a static role shows its password', {
  shownStaticRole: (original) => (role) => ({ ...original(role), password: role.password }),
})
route(
  'static-creds-role-name',
  'DATABASE-SCREDS-01',
  'static credentials name the role instead of the user',
  'database.readStaticCreds',
  replyData((data, call) => ({ ...data, username: nameOf(call) })),
)
rule('static-creds-local', 'DATABASE-SCREDS-02', 'the password changes in the service only', { rotatesInDatabase: () => never })
rule('static-creds-epoch', 'DATABASE-SCREDS-03', 'seconds are taken for milliseconds in the time of rotation', {
  shownTime: (original) => (seconds) => original(seconds / 1000),
})
route(
  'static-creds-period-text',
  'DATABASE-SCREDS-04',
  'the period of static credentials is text',
  'database.readStaticCreds',
  replyData((data) => ({ ...data, rotation_period: `${data.rotation_period}s` })),
)
rule('static-creds-ttl-end', 'DATABASE-SCREDS-05', 'the ttl of static credentials is the time at which it ends', {
  staticTtl: () => (role) => Math.floor(role.rotatedAt + role.period),
})
rule('static-creds-ttl-still', 'DATABASE-SCREDS-06', 'the ttl of static credentials does not count down', {
  staticTtl: () => (role) => role.period,
})
rule('static-unknown-500', ['DATABASE-SCREDS-07', 'DATABASE-ROTATE-05'], 'an unknown static role is an internal error', {
  unknownNameStatus: () => () => 500,
})
rule('rotation-unscheduled', 'DATABASE-ROTATE-01', 'the period of a static role is only shown', { nextRotation: () => () => undefined })
rule('rotation-local', ['DATABASE-ROTATE-02', 'DATABASE-ROTATE-03'], 'later rotations do not reach the database', {
  rotatesInDatabase: () => (role) => role.password === '',
})
rule('rotation-ttl-kept', ['DATABASE-ROTATE-04', 'DATABASE-ROTATE-07'], 'a rotation by hand does not start the period again', {
  rotatedByHandAt: () => (role) => role.rotatedAt,
})
rule('rotation-stored-early', 'DATABASE-ROTATE-06', 'the new password is stored before the database takes it', {
  unrotated: () => (_role, password) => password,
})
