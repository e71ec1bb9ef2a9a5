/** The database kinds: how each is reached, and what is run where a role brings no statements. */
import mysql from 'mysql2/promise'
import pg from 'pg'

/** An open session with administrator's rights. */
export interface Session {
  /** Runs statements in order, in one transaction where the database has them for such statements. */
  run(statements: string[]): Promise<void>
  close(): Promise<void>
  /** Called once when the database ends the session. */
  onLost(action: () => void): void
}

export interface Plugin {
  /** `escape` tells whether values that go into the URL are percent-encoded. */
  escape: boolean
  open(url: string): Promise<Session>
  revocation: string[]
  rotation: string[]
  renewal: string[]
}

const CONNECT_MS = 20_000
const STATEMENT_MS = 15_000

const postgres: Plugin = {
  escape: true,
  async open(url) {
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: CONNECT_MS, query_timeout: STATEMENT_MS })
    client.on('error', () => {})
    await client.connect()
    return {
      async run(statements) {
        await client.query('BEGIN')
        try {
          for (const statement of statements) await client.query(statement)
          await client.query('COMMIT')
        } catch (error) {
          await client.query('ROLLBACK').catch(() => {})
          throw error
        }
      },
      close: () => client.end(),
      onLost: (action) => void client.once('end', action),
    }
  },
  // What the user may own is kept; DROP OWNED takes back every right in this database. A user that is gone already is fine.
  revocation: [
    `DO $$ BEGIN IF EXISTS (SELECT FROM pg_roles WHERE rolname = '{{username}}') THEN
       REASSIGN OWNED BY "{{username}}" TO CURRENT_USER; DROP OWNED BY "{{username}}"; DROP ROLE "{{username}}";
     END IF; END $$`,
  ],
  rotation: [`ALTER ROLE "{{username}}" WITH LOGIN PASSWORD '{{password}}'`],
  renewal: [`ALTER ROLE "{{username}}" VALID UNTIL '{{expiration}}'`],
}

/** Reads `user:password@tcp(host:port)/database` and `mysql://user:password@host:port/database`. */
export const parseMysqlUrl = (url: string): { host: string; port: number; user: string; password: string; database: string } => {
  if (url.startsWith('mysql://')) {
    const { hostname, port, username, password, pathname } = new URL(url)
    const database = pathname.slice(1)
    return {
      host: hostname,
      port: Number(port || 3306),
      user: decodeURIComponent(username),
      password: decodeURIComponent(password),
      database,
    }
  }
  const match = /^(?:([^:@]*)(?::(.*))?@)?(?:tcp\(([^)]*)\))?\/([^?]*)/.exec(url)
  if (match === null) throw new Error('the connection URL is not understood')
  const [, user = '', password = '', address = '127.0.0.1:3306', database = ''] = match
  const at = address.lastIndexOf(':')
  return { host: at < 0 ? address : address.slice(0, at), port: at < 0 ? 3306 : Number(address.slice(at + 1)), user, password, database }
}

/** The driver keeps room for 16,000 prepared statements with each connection otherwise, half a megabyte; here none is prepared. */
const CONNECTING = { connectTimeout: CONNECT_MS, maxPreparedStatements: 1 }

const mariadb: Plugin = {
  escape: false,
  async open(url) {
    const { database, ...address } = parseMysqlUrl(url)
    const connection = await mysql.createConnection({ ...address, ...CONNECTING, ...(database === '' ? {} : { database }) })
    connection.on('error', () => {})
    return {
      async run(statements) {
        for (const statement of statements) await connection.query({ sql: statement, timeout: STATEMENT_MS })
      },
      close: async () => connection.destroy(),
      onLost: (action) => {
        connection.once('error', action)
        connection.once('end', action)
      },
    }
  },
  revocation: [`DROP USER IF EXISTS '{{username}}'@'%'`],
  rotation: [`ALTER USER '{{username}}'@'%' IDENTIFIED BY '{{password}}'`],
  renewal: [],
}

export const plugins: Record<string, Plugin> = { 'postgresql-database-plugin': postgres, 'mysql-database-plugin': mariadb }
