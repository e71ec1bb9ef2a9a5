/** Rotation of static roles: by hand and by schedule, one at a time for each role. */
import type { Call, Services } from '../../core/engine.ts'
import type { DatabaseRules } from './rules.ts'
import type { Connection, DatabaseState, StaticRole } from './state.ts'

type Context = Pick<Call<DatabaseState, DatabaseRules>, 'state' | 'rules' | 'services'>

/** Seconds after which a failed rotation by schedule is tried again. */
const RETRY_AFTER = 2

/** Sets a new password in the database, then in the role. Throws with the database's reason; the old password then stays. */
export const rotate = (context: Context, role: StaticRole, rotatedAt: DatabaseRules['rotatedAt']): Promise<void> => {
  const turn = role.busy.catch(() => undefined).then(() => change(context, role, rotatedAt))
  role.busy = turn
  return turn
}

const change = async ({ state, rules, services }: Context, role: StaticRole, rotatedAt: DatabaseRules['rotatedAt']): Promise<void> => {
  const connection = rules.connectionOf(state, role.dbName)
  if (connection === undefined) throw new Error(`no connection ${role.dbName}`)
  const password = rules.staticPassword(services.random)
  try {
    if (rules.rotatesInDatabase(role)) await apply(rules, connection, role, password, services)
  } catch (error) {
    role.password = rules.unrotated(role, password)
    throw error
  }
  role.password = password
  role.rotatedAt = rotatedAt(role, services.clock.now())
}

const apply = (rules: DatabaseRules, connection: Connection, role: StaticRole, password: string, services: Services): Promise<void> => {
  const values = rules.templateValues({ username: role.username, password, expiresAt: services.clock.now() + role.period })
  return connection.link.run(rules.prepared(rules.rotation(role, connection.link.plugin.rotation), values))
}

/** Arms the next rotation by schedule. */
export const schedule = (context: Context, role: StaticRole): void => {
  role.cancel()
  const { clock } = context.services
  const arm = (delay: number): void => {
    role.cancel = clock.after(delay, () => {
      rotate(context, role, context.rules.rotatedAt).then(
        () => schedule(context, role),
        () => arm(RETRY_AFTER),
      )
    })
  }
  const delay = context.rules.nextRotation(role, clock.now())
  if (delay !== undefined) arm(delay)
}
