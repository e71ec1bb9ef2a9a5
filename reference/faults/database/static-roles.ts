/** Faults of static roles and their rotation. */
import { empty, secret } from '../../core/envelope.ts'
import { invalid } from '../../core/errors.ts'
import type { Fault } from '../../core/mutation.ts'
import type { DatabaseRules } from '../../engines/database/rules.ts'
import { databaseFault, filling, forgiving, idle, nameOf, tolerating, withBody, withData } from './shared.ts'

const written = (handle: ReturnType<typeof withBody>) => ({ routes: { 'database.writeStaticRole': handle } })
const shown = (change: ReturnType<typeof withData>) => ({ routes: { 'database.readStaticRole': change } })
const credentials = (change: ReturnType<typeof withData>) => ({ routes: { 'database.readStaticCreds': change } })
const never: DatabaseRules['rotatesInDatabase'] = () => false

export const staticRoleFaults: Fault[] = [
  databaseFault('static-dropped', ['DB-STATIC-01'], 'a new static role is acknowledged and not kept', {
    routes: { 'database.writeStaticRole': idle((call) => !call.state.staticRoles.has(nameOf(call)), empty()) },
  }),
  databaseFault('static-update-lost', ['DB-STATIC-02'], 'writing a static role again changes nothing', {
    routes: { 'database.writeStaticRole': idle((call) => call.state.staticRoles.has(nameOf(call)), empty()) },
  }),
  databaseFault(
    'static-user-hidden',
    ['DB-STATIC-03'],
    'the read does not say the user',
    shown(withData((data) => ({ ...data, username: '' }))),
  ),
  databaseFault(
    'static-statements-hidden',
    ['DB-STATIC-04'],
    'the read shows no statements',
    shown(withData((data) => ({ ...data, rotation_statements: [] }))),
  ),
  databaseFault(
    'static-period-milliseconds',
    ['DB-STATIC-05'],
    'the read shows the period in milliseconds',
    shown(withData((data) => ({ ...data, rotation_period: Number(data.rotation_period) * 1000 }))),
  ),
  databaseFault('static-unknown-empty', ['DB-STATIC-06'], 'an unknown static role reads as an empty one', {
    routes: { 'database.readStaticRole': forgiving(() => secret({})) },
  }),
  databaseFault('static-unlisted', ['DB-STATIC-07'], 'static roles are not listed', { rules: { staticRoleNames: () => () => [] } }),
  databaseFault('static-kept', ['DB-STATIC-08'], 'a deleted static role stays', { rules: { forgetsStaticRole: () => () => false } }),
  databaseFault('static-user-kept', ['DB-STATIC-09'], 'the user of a deleted static role stays', {
    rules: { revokesStaticUser: () => () => false },
  }),
  databaseFault('static-user-optional', ['DB-STATIC-11'], 'a static role without user is only noticed by the database', {
    rules: { staticRoleComplete: () => () => {} },
  }),
  databaseFault('static-user-object', ['DB-STATIC-12'], 'an object is taken for a user', written(tolerating('username', 'x'))),
  databaseFault(
    'static-db-guessed',
    ['DB-STATIC-13'],
    'a static role without connection gets one',
    written(withBody((body, { state }) => ({ db_name: [...state.connections.keys()].at(-1) ?? '', ...body }))),
  ),
  databaseFault(
    'static-period-default',
    ['DB-STATIC-15'],
    'a static role without period gets a day',
    written(filling('rotation_period', 86_400)),
  ),
  databaseFault('static-period-short', ['DB-STATIC-16'], 'any period is accepted', { rules: { periodAllowed: () => () => true } }),
  databaseFault('static-period-five', ['DB-STATIC-17'], 'a period must be longer than 5 seconds', {
    rules: { periodAllowed: () => (period) => period > 5 },
  }),
  databaseFault('static-period-unit', ['DB-STATIC-18'], 'a period with a unit is refused', {
    rules: {
      staticRoleOf: (original) => (body, previous) => {
        if (/[a-z]/.test(String(body.rotation_period))) throw invalid('rotation_period must be a number of seconds')
        return original(body, previous)
      },
    },
  }),
  databaseFault('static-period-object', ['DB-STATIC-19'], 'an object is taken for a period', written(tolerating('rotation_period', 60))),
  databaseFault('static-statements-ignored', ['DB-STATIC-20'], 'rotation statements are stored and not run', {
    rules: { rotation: () => (_role, standard) => standard },
  }),
  databaseFault('static-statements-guessed', ['DB-STATIC-21'], 'a static role without statements is stored with one', {
    routes: { 'database.writeStaticRole': filling('rotation_statements', ['SELECT 1']) },
  }),
  databaseFault('static-statements-needed', ['DB-STATIC-21'], 'without statements a rotation does nothing in the database', {
    rules: { rotation: () => (role) => role.rotation },
  }),
  databaseFault(
    'static-statements-object',
    ['DB-STATIC-22'],
    'objects are taken for statements',
    written(tolerating('rotation_statements', [])),
  ),
  databaseFault('static-password-shown', ['DB-SECRET-03'], 'the read of a static role shows its password', {
    rules: { shownStaticRole: (original) => (role) => ({ ...original(role), password: role.password }) },
  }),
  databaseFault(
    'static-creds-role-name',
    ['DB-SCREDS-01'],
    'static credentials name the role instead of the user',
    credentials(withData((data, call) => ({ ...data, username: nameOf(call) }))),
  ),
  databaseFault('static-creds-local', ['DB-SCREDS-02'], 'the password changes in the service only', {
    rules: { rotatesInDatabase: () => never },
  }),
  databaseFault('static-creds-epoch', ['DB-SCREDS-03'], 'seconds are taken for milliseconds in the time of rotation', {
    rules: { shownTime: (original) => (seconds) => original(seconds / 1000) },
  }),
  databaseFault(
    'static-creds-period-text',
    ['DB-SCREDS-04'],
    'the period of static credentials is text',
    credentials(withData((data) => ({ ...data, rotation_period: `${data.rotation_period}s` }))),
  ),
  databaseFault('static-creds-ttl-end', ['DB-SCREDS-05'], 'the ttl of static credentials is the time at which it ends', {
    rules: { staticTtl: () => (role) => Math.floor(role.rotatedAt + role.period) },
  }),
  databaseFault('static-creds-ttl-still', ['DB-SCREDS-06'], 'the ttl of static credentials does not count down', {
    rules: { staticTtl: () => (role) => role.period },
  }),
  databaseFault('static-unknown-500', ['DB-SCREDS-07', 'DB-ROTATE-05'], 'an unknown static role is an internal error', {
    rules: { unknownNameStatus: () => () => 500 },
  }),
  databaseFault('rotation-unscheduled', ['DB-ROTATE-01'], 'the period of a static role is only shown', {
    rules: { nextRotation: () => () => undefined },
  }),
  databaseFault('rotation-local', ['DB-ROTATE-02', 'DB-ROTATE-03'], 'later rotations do not reach the database', {
    rules: { rotatesInDatabase: () => (role) => role.password === '' },
  }),
  databaseFault('rotation-ttl-kept', ['DB-ROTATE-04', 'DB-ROTATE-07'], 'a rotation by hand does not start the period again', {
    rules: { rotatedByHandAt: () => (role) => role.rotatedAt },
  }),
  databaseFault('rotation-stored-early', ['DB-ROTATE-06'], 'the new password is stored before the database takes it', {
    rules: { unrotated: () => (_role, password) => password },
  }),
]
