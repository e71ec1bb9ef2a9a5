/** Tokens in MariaDB and MySQL. */
import mysql from 'mysql2/promise'
import { CONNECT_MS, type Credentials, filled, metadataText, type SqlKind, type SqlRow, STATEMENT_MS, type Statement } from './sql-kind.ts'

/** Below what a server takes as one packet by default. */
const MOST_BYTES = 4_000_000

const DSN = /^(?:([^:@]*)(?::(.*))?@)?tcp\(([^)]*)\)\/([^?]*)/
const URL_FORM = /^(mysql|mariadb):\/\//

/** Reads `user:password@tcp(host:port)/database` and `mysql://user:password@host:port/database`; slots are filled part by part. */
const addressOf = (template: string, credentials: Credentials): mysql.ConnectionOptions => {
  if (URL_FORM.test(template)) {
    const { hostname, port, username, password, pathname } = new URL(filled(template, credentials, encodeURIComponent))
    return {
      host: hostname,
      port: Number(port || 3306),
      user: decodeURIComponent(username),
      password: decodeURIComponent(password),
      database: decodeURIComponent(pathname.slice(1)),
    }
  }
  const [, user = '', password = '', address = '', database = ''] = DSN.exec(template) ?? []
  const [host = '127.0.0.1', port = '3306'] = address.split(/:(?=\d*$)/)
  const as = (text: string): string => filled(text, credentials, (value) => value)
  return { host, port: Number(port), user: as(user), password: as(password), database: as(database) }
}

const lookup = (column: string): SqlKind['byToken'] => {
  return (table, owner, digests) => [{ sql: `SELECT * FROM ${table} WHERE owner = ? AND ${column} IN (?)`, values: [owner, digests] }]
}

const rowsOf = async (connection: mysql.Connection, { sql, values }: Statement): Promise<SqlRow[]> => {
  const [rows] = await connection.query({ sql, values, timeout: STATEMENT_MS })
  return Array.isArray(rows) ? (rows as SqlRow[]) : []
}

const inTransaction = async (connection: mysql.Connection, statements: readonly Statement[]): Promise<SqlRow[]> => {
  await connection.beginTransaction()
  try {
    let rows: SqlRow[] = []
    for (const statement of statements) rows = await rowsOf(connection, statement)
    await connection.commit()
    return rows
  } catch (error) {
    await connection.rollback().catch(() => undefined)
    throw error
  }
}

/** The driver keeps room for 16,000 prepared statements with each connection otherwise, half a megabyte. */
const CONNECTING = { connectTimeout: CONNECT_MS, maxPreparedStatements: 16 }

export const mariadbTokens: SqlKind = {
  knows: (template) => URL_FORM.test(template) || DSN.test(template),
  async open(template, credentials) {
    const connection = await mysql.createConnection({ ...addressOf(template, credentials), ...CONNECTING })
    connection.on('error', () => undefined)
    return {
      async run(statements) {
        const [first] = statements
        return first !== undefined && statements.length === 1 ? rowsOf(connection, first) : inTransaction(connection, statements)
      },
      close: async () => {
        await connection.end().catch(() => connection.destroy())
      },
      onLost: (action) => {
        connection.once('error', action)
        connection.once('end', action)
      },
    }
  },
  quoted: (name) => `\`${name.replaceAll('`', '``')}\``,
  hasSchemas: false,
  creation: (table) => [
    {
      sql: `CREATE TABLE IF NOT EXISTS ${table} (
        owner char(36) NOT NULL, token char(64) NOT NULL, value char(64) NOT NULL, sealed mediumtext NOT NULL, metadata mediumtext NOT NULL,
        expires_at double, PRIMARY KEY (owner, token), KEY by_value (owner, value)) CHARACTER SET ascii`,
      values: [],
    },
  ],
  insertion(table, tokens) {
    const sql = `INSERT INTO ${table} (owner, token, value, sealed, metadata, expires_at) VALUES ?`
    const parts: unknown[][][] = []
    let bytes = Number.POSITIVE_INFINITY
    for (const { owner, token, value, sealed, metadata, expiresAt } of tokens) {
      const row = [owner, token, value, sealed, metadataText(metadata), expiresAt ?? null]
      const size = sealed.length + metadata.length * 2 + 250
      if (bytes + size > MOST_BYTES) {
        parts.push([])
        bytes = 0
      }
      bytes += size
      parts.at(-1)!.push(row)
    }
    return parts.map((rows) => ({ sql, values: [rows] }))
  },
  byToken: lookup('token'),
  byValue: lookup('value'),
}
