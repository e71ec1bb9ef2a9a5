/** Legal alternatives of static roles. */
import { formatDuration } from '../../core/durations.ts'
import { variantsOf } from '../../faults/declare.ts'
import { databaseEngine } from './engine.ts'

const { rule, declared } = variantsOf(databaseEngine)

rule('unknown-static-400', 'unknown role in an action: 400 or 404', 'asking an unknown static role for credentials gives 400', {
  unknownNameStatus: () => () => 400,
})
rule('period-text', 'its JSON type is open', 'the rotation period of a static role is read as text', {
  shownStaticRole: (original) => (role) => ({ ...original(role), rotation_period: formatDuration(role.period) }),
})
rule('rotation-offset', 'Z or offset', 'the time of rotation has an offset instead of Z', {
  shownTime: (original) => (seconds) => `${original(seconds + 7200).replace(/Z$/, '')}+02:00`,
})

export const variants = declared
