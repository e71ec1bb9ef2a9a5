/** PostgreSQL as a judge. */
import type { BackendHandle, Ours } from '../base/backend-handle.ts'
import { useCredentials } from '../base/credential-guard.ts'
import { onServer, open } from './postgres-connections.ts'
import { postgresContents } from './postgres-contents.ts'
import { literal, identifier as quoted } from './postgres-quoting.ts'
import { postgresRights } from './postgres-rights.ts'
import { keepAsSpare, makeDatabase } from './postgres-spares.ts'
import type { Row, SqlPlace } from './sql.ts'
import { codeOf, orRefused } from './sql-refusals.ts'

/** Making and dropping a database copies files: a few at a time are quicker than all at once. */
const AT_ONCE = 4

let running = 0
const waiting: (() => void)[] = []
const inTurn = async <T>(work: () => Promise<T>): Promise<T> => {
  if (running >= AT_ONCE) await new Promise<void>((go) => waiting.push(go))
  running += 1
  try {
    return await work()
  } finally {
    running -= 1
    waiting.shift()?.()
  }
}

/** invalid_password and invalid_authorization_specification. */
const REFUSED_LOGIN = ['28P01', '28000']
const REFUSED_RIGHT = '42501'

/** @internal use sqlPlace() */
export const postgresPlace = async (handle: BackendHandle, name: string, password: string): Promise<SqlPlace> => {
  useCredentials(password)
  await onServer(handle, async (server) => {
    await server.query(`CREATE ROLE ${quoted(name)} WITH LOGIN CREATEROLE SUPERUSER PASSWORD ${literal(password)}`).catch(async (error) => {
      if (codeOf(error) !== REFUSED_RIGHT) throw error
      await server.query(`CREATE ROLE ${quoted(name)} WITH LOGIN CREATEROLE PASSWORD ${literal(password)}`)
    })
    await inTurn(() => makeDatabase(handle, server, name))
  })
  const admin = await open(handle, name)
  const query = async (sql: string): Promise<Row[]> => (await admin.query<Row>(sql)).rows ?? []
  const removeUser = async (username: string): Promise<void> => {
    if ((await query(`SELECT 1 FROM pg_roles WHERE rolname = ${literal(username)}`)).length === 0) return
    await query(`DROP OWNED BY ${quoted(username)} CASCADE`)
    await query(`DROP ROLE ${quoted(username)}`)
  }
  return {
    database: name,
    admin: { username: name, password },
    query,
    async login(login) {
      return (await orRefused(async () => (await open(handle, name, login)).end(), REFUSED_LOGIN)) !== 'refused'
    },
    async as(login, sql) {
      const client = await open(handle, name, login)
      try {
        return await orRefused(async () => (await client.query<Row>(sql)).rows ?? [], [REFUSED_RIGHT])
      } finally {
        await client.end()
      }
    },
    async grantees() {
      const rows = await query(
        `SELECT DISTINCT rolname FROM pg_class, aclexplode(relacl) AS acl, pg_roles
         WHERE relname = 'granted' AND acl.grantee = pg_roles.oid AND pg_roles.oid <> relowner ORDER BY 1`,
      )
      return rows.map((row) => String(row.rolname))
    },
    async sessions(username) {
      const rows = await query(
        `SELECT pid, state = 'idle' AS idle, extract(epoch FROM clock_timestamp() - backend_start) * 1000 AS open_ms
         FROM pg_stat_activity WHERE usename = ${literal(username)}`,
      )
      return rows.map((row) => ({ id: String(row.pid), openMs: Number(row.open_ms), idle: row.idle === true }))
    },
    contents: () => postgresContents(query),
    ...postgresRights(query, name),
    close: () => admin.end(),
    async leave() {
      await admin.end()
      // Whatever stays there goes with the server.
      await keepAsSpare(handle, name).catch(() => undefined)
    },
    async drop(usernames) {
      try {
        for (const username of usernames) await removeUser(username).catch(() => undefined)
      } finally {
        await admin.end()
      }
      await onServer(handle, async (server) => {
        await inTurn(() => server.query(`DROP DATABASE IF EXISTS ${quoted(name)} WITH (FORCE)`))
        await server.query(`DROP ROLE IF EXISTS ${quoted(name)}`)
      })
    },
  }
}

/** @internal use removeBackendLeftovers() */
export const removePostgresLeftovers = (handle: BackendHandle, ours: Ours): Promise<string[]> =>
  onServer(handle, async (server) => {
    const removed: string[] = []
    const named = async (sql: string): Promise<string[]> =>
      (await server.query<{ name: string }>(sql)).rows.map(({ name }) => name).filter(ours)
    for (const database of await named('SELECT datname AS name FROM pg_database')) {
      await server.query(`DROP DATABASE IF EXISTS ${quoted(database)} WITH (FORCE)`)
      removed.push(`database ${database}`)
    }
    for (const user of await named('SELECT rolname AS name FROM pg_roles')) {
      await server.query(`DROP ROLE IF EXISTS ${quoted(user)}`)
      removed.push(`user ${user}`)
    }
    return removed
  })
