/** How connections, roles, static roles and their credentials are seen, for the checks that compare before with after. */
import type { Bench, View } from '../../harness/checks/index.ts'
import type { Place } from './fixtures.ts'

/** What a read shows, or the status of one that shows nothing. */
export const read =
  (bench: Bench, operation: string, name: string, mount?: string): View =>
  async () => {
    const { ok, status, data } = await bench.call(operation, { path: { name }, ...(mount === undefined ? {} : { mount }) })
    return ok ? data : status
  }

/** A static role as it was written: a server may show beside it when it was used last. */
export const readStatic =
  (bench: Bench, name: string, mount?: string): View =>
  async () => {
    const { ok, status, data } = await bench.call('database.readStaticRole', { path: { name }, ...(mount === undefined ? {} : { mount }) })
    const { db_name, username, rotation_period, rotation_statements } = data
    return ok ? { db_name, username, rotation_period, rotation_statements } : status
  }

/** Which of these names a listing has. */
export const listed =
  (bench: Bench, operation: string, names: string[]): View =>
  async () => {
    const { data } = await bench.call(operation)
    return names.filter((name) => Array.isArray(data.keys) && data.keys.includes(name))
  }

/** A static user's password, hidden behind whether it is the one that was there first, and whether it logs in. */
export const staticCredentials = (bench: Bench, { sql, mount }: Place, name: string): View => {
  let first: unknown
  return async () => {
    const { ok, status, data } = await bench.call('database.readStaticCreds', {
      path: { name },
      ...(mount === undefined ? {} : { mount }),
    })
    if (!ok) return status
    const { username, password, last_service_rotation, rotation_period } = data
    bench.secret(String(password))
    first ??= password
    const loggedIn = await sql.login({ username: String(username), password: String(password) })
    return { username, same: password === first, last_service_rotation, rotation_period, loggedIn }
  }
}
