/** Legal alternatives of static roles. */
import { formatDuration } from '../../core/durations.ts'
import { variantsOf } from '../../faults/declare.ts'
import { databaseEngine } from './engine.ts'
import { plugins } from './plugins.ts'
import { withRules } from './wrappers.ts'

const { rule, route, declared } = variantsOf(databaseEngine)

rule('unknown-static-400', 'unknown role in an action: 400 or 404', 'asking an unknown static role for credentials gives 400', {
  unknownNameStatus: () => () => 400,
})
rule('period-text', 'its JSON type is open', 'the rotation period of a static role is read as text', {
  shownStaticRole: (original) => (role) => ({ ...original(role), rotation_period: formatDuration(role.period) }),
})
rule('rotation-offset', 'Z or offset', 'the time of rotation has an offset instead of Z', {
  shownTime: (original) => (seconds) => `${original(seconds + 7200).replace(/Z$/, '')}+02:00`,
})

route(
  'static-user-locked',
  'the deletion may lock the user: open',
  'the user of a deleted static role is locked, and stays',
  'database.deleteStaticRole',
  (original) => async (call) => {
    const role = call.state.staticRoles.get(call.params.name ?? '')
    const reply = await original(withRules(call, { revokesStaticUser: () => false }))
    const link = role && call.rules.connectionOf(call.state, role.dbName)?.link
    const isMysql = link?.plugin === plugins['mysql-database-plugin']
    await link?.run([isMysql ? `ALTER USER '${role?.username}'@'%' ACCOUNT LOCK` : `ALTER ROLE "${role?.username}" NOLOGIN`])
    return reply
  },
)
route(
  'static-allowed-at-writes',
  'whether a static role that stops being named gives credentials: advised',
  'the allowed roles of a connection count when a static role is written, not when its credentials are read',
  'database.readStaticCreds',
  (original) => (call) => original(withRules(call, { staticRoleAllowed: () => true })),
)

export const variants = declared
