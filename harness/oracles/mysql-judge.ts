/** MariaDB and MySQL as judges. */
import type { Connection } from 'mysql2/promise'
import type { BackendHandle, Ours } from '../base/backend-handle.ts'
import { useCredentials } from '../base/credential-guard.ts'
import { mysqlContents } from './mysql-contents.ts'
import { identifier, literal } from './mysql-quoting.ts'
import { mysqlRights } from './mysql-rights.ts'
import { answered, reached } from './reached.ts'
import type { Login, Row, SqlPlace } from './sql.ts'
import { orRefused } from './sql-refusals.ts'

const CONNECT_MS = 15_000
/** None is prepared; the driver keeps room for 16,000 with each connection otherwise, half a megabyte. */
const PREPARED_STATEMENTS = 1

const open = async (handle: BackendHandle, login: Login, database?: string): Promise<Connection> => {
  useCredentials(login.password)
  const settings = {
    host: handle.host,
    port: handle.port,
    user: login.username,
    password: login.password,
    connectTimeout: CONNECT_MS,
    maxPreparedStatements: PREPARED_STATEMENTS,
    ...(database === undefined ? {} : { database }),
  }
  const { createConnection } = (await import('mysql2/promise')).default
  const connection = await reached(`the database at ${handle.host}:${handle.port}`, () => createConnection(settings))
  connection.on('error', () => {})
  return connection
}

const REFUSED_LOGIN = [
  'ER_ACCESS_DENIED_ERROR',
  'ER_ACCESS_DENIED_NO_PASSWORD_ERROR',
  'ER_ACCOUNT_HAS_BEEN_LOCKED',
  // Number 4151: an account of MariaDB that is locked. The driver has the name that MySQL gives to this number.
  'ER_BULK_PARSER_INCOMPLETE_ESCAPE_SEQUENCE',
  'ER_MUST_CHANGE_PASSWORD_LOGIN',
]
const REFUSED_RIGHT = [
  'ER_TABLEACCESS_DENIED_ERROR',
  'ER_DBACCESS_DENIED_ERROR',
  'ER_SPECIFIC_ACCESS_DENIED_ERROR',
  'ER_COLUMNACCESS_DENIED_ERROR',
]

/** The rows of an answer; none of a statement that gives none. */
const rowsOf = ([rows]: readonly unknown[]): Row[] => (Array.isArray(rows) ? rows : [])

/** @internal use sqlPlace() */
export const mariadbPlace = async (handle: BackendHandle, name: string, password: string): Promise<SqlPlace> => {
  useCredentials(password)
  const admin = await open(handle, { username: handle.username, password: handle.password })
  const query = async (sql: string): Promise<Row[]> => {
    return rowsOf(await answered(`the database at ${handle.host}:${handle.port}`, () => admin.query({ sql, timeout: CONNECT_MS })))
  }
  try {
    await query(`CREATE USER '${name}'@'%' IDENTIFIED BY ${literal(password)}`)
    await query(`GRANT ALL PRIVILEGES ON *.* TO '${name}'@'%' WITH GRANT OPTION`)
    await query(`CREATE DATABASE ${name}`)
    await query(`USE ${name}`)
  } catch (error) {
    admin.destroy()
    throw error
  }
  const rights = mysqlRights(query)
  /** When the judge saw a session for the first time: the list of sessions does not say when it began. */
  const firstSeen = new Map<string, number>()
  return {
    database: name,
    admin: { username: name, password },
    query,
    async login(login) {
      return (await orRefused(async () => (await open(handle, login)).end(), REFUSED_LOGIN)) !== 'refused'
    },
    async as(login, sql) {
      const connection = await open(handle, login, name)
      try {
        const answer = await orRefused(() => connection.query(sql), REFUSED_RIGHT)
        return answer === 'refused' ? answer : rowsOf(answer)
      } finally {
        await connection.end()
      }
    },
    async grantees() {
      const rows = await query(
        `SELECT DISTINCT User AS name FROM mysql.tables_priv WHERE Db = '${name}' AND Table_name = 'granted' ORDER BY 1`,
      )
      return rows.map((row) => String(row.name))
    },
    async sessions(username) {
      const rows = await query(
        `SELECT id AS id, command = 'Sleep' AS idle FROM information_schema.processlist WHERE user = ${literal(username)}`,
      )
      const now = performance.now()
      return rows.map((row) => {
        const id = String(row.id)
        if (!firstSeen.has(id)) firstSeen.set(id, now)
        return { id, openMs: now - firstSeen.get(id)!, idle: Number(row.idle) === 1 }
      })
    },
    contents: () => mysqlContents(admin, [name, ...rights.schemas()]),
    schema: rights.schema,
    user: rights.user,
    retire: rights.retire,
    close: async () => admin.destroy(),
    leave: async () => admin.destroy(),
    async drop(usernames) {
      try {
        for (const username of [...usernames, name]) await query(`DROP USER IF EXISTS ${literal(username)}@'%'`)
        for (const database of [name, ...rights.schemas()]) await query(`DROP DATABASE IF EXISTS ${identifier(database)}`)
      } finally {
        admin.destroy()
      }
    },
  }
}

/** @internal use removeBackendLeftovers() */
export const removeMariadbLeftovers = async (handle: BackendHandle, ours: Ours): Promise<string[]> => {
  const admin = await open(handle, { username: handle.username, password: handle.password })
  const removed: string[] = []
  try {
    const rows = async (sql: string): Promise<Row[]> => (await admin.query(sql))[0] as Row[]
    for (const { name } of (await rows('SELECT schema_name AS name FROM information_schema.schemata')).filter((row) =>
      ours(String(row.name)),
    )) {
      await admin.query(`DROP DATABASE IF EXISTS \`${name}\``)
      removed.push(`database ${name}`)
    }
    for (const { name, host } of (await rows('SELECT User AS name, Host AS host FROM mysql.user')).filter((row) =>
      ours(String(row.name)),
    )) {
      await admin.query(`DROP USER IF EXISTS ${literal(String(name))}@${literal(String(host))}`)
      removed.push(`user ${name}`)
    }
  } finally {
    admin.destroy()
  }
  return removed
}
