/** Passwords of static roles, as the target gives them and as the database takes them. */
import type { Bench, JsonObject, Login } from '../../../harness/checks/index.ts'
import type { Place } from '../fixtures.ts'

/** What is read of the credentials of a static role. */
export const readStatic = async (bench: Bench, name: string): Promise<JsonObject> => {
  const { data } = await bench.given('database.readStaticCreds', { path: { name } })
  bench.secret(String(data.password))
  return data
}

/** Name and password, as they were read. */
export const loginOf = (data: JsonObject): Login => ({ username: String(data.username), password: String(data.password) })

/** Reads and logins of a busy machine take so long that a rotation of every few seconds often comes between them. */
const TIMES_THE_GRACE = 4

/** The database agrees with the API. A read may race a rotation: then a later one agrees. */
export const agrees = async (bench: Bench, place: Place, name: string): Promise<void> => {
  await bench.eventually(async () => place.sql.login(loginOf(await readStatic(bench, name))), {
    within: TIMES_THE_GRACE * bench.grace,
    because: 'the password that is read logs in',
  })
}

/** Milliseconds, by the target's clock. */
export const rotatedAt = (data: JsonObject): number => Date.parse(String(data.last_service_rotation))
