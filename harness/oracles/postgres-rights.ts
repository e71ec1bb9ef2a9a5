/** Schemas of a PostgreSQL database, and users with exactly the rights that they are given. */
import { useCredentials } from '../base/credential-guard.ts'
import { identifier, literal } from './postgres-quoting.ts'
import type { Login, Right, Row, SqlPlace } from './sql.ts'

type Query = (sql: string) => Promise<Row[]>

interface User {
  username: string
  rights: readonly Right[]
  schemas: readonly string[]
}

const onTables = (rights: readonly Right[]): string => rights.filter((right) => right !== 'CREATE').join(', ')

/**
 * @internal use SqlPlace
 *
 * @param administrator owns what is made here
 */
export const postgresRights = (query: Query, administrator: string): Pick<SqlPlace, 'schema' | 'user' | 'retire'> => {
  const users = new Map<string, User>()

  const make = async ({ username, password }: Login): Promise<void> => {
    useCredentials(password)
    await query(`CREATE ROLE ${identifier(username)} WITH LOGIN PASSWORD ${literal(password)}`)
    // Without it only a superuser may say what others get of the tables that this user makes.
    await query(`GRANT ${identifier(username)} TO CURRENT_USER`).catch(() => undefined)
  }

  /** What `user` gets of the tables that `maker` will make. */
  const promise = async (maker: User, user: User): Promise<void> => {
    if (!maker.rights.includes('CREATE') || onTables(user.rights) === '') return
    for (const schema of user.schemas.filter((one) => maker.schemas.includes(one))) {
      const whose = `ALTER DEFAULT PRIVILEGES FOR ROLE ${identifier(maker.username)} IN SCHEMA ${identifier(schema)}`
      await query(`${whose} GRANT ${onTables(user.rights)} ON TABLES TO ${identifier(user.username)}`)
      // A table that numbers its rows by a sequence takes no row without it.
      if (user.rights.includes('INSERT')) await query(`${whose} GRANT USAGE ON SEQUENCES TO ${identifier(user.username)}`)
    }
  }

  const grant = async (user: User): Promise<void> => {
    const name = identifier(user.username)
    for (const schema of user.schemas.map(identifier)) {
      await query(`GRANT ${user.rights.includes('CREATE') ? 'USAGE, CREATE' : 'USAGE'} ON SCHEMA ${schema} TO ${name}`)
      if (onTables(user.rights) !== '') await query(`GRANT ${onTables(user.rights)} ON ALL TABLES IN SCHEMA ${schema} TO ${name}`)
      if (user.rights.includes('INSERT')) await query(`GRANT USAGE ON ALL SEQUENCES IN SCHEMA ${schema} TO ${name}`)
    }
    for (const other of users.values()) await promise(other, user)
    for (const other of users.values()) if (other !== user) await promise(user, other)
  }

  /** What users may do with tables that this one made goes on. */
  const handOver = async (username: string): Promise<void> => {
    await query(`REASSIGN OWNED BY ${identifier(username)} TO ${identifier(administrator)}`)
    await query(`DROP OWNED BY ${identifier(username)}`)
  }

  return {
    async schema(name) {
      await query(`CREATE SCHEMA ${identifier(name)} AUTHORIZATION ${identifier(administrator)}`)
    },
    async user(login, rights, ...schemas) {
      if (users.has(login.username)) await handOver(login.username)
      else await make(login)
      const user = { username: login.username, rights, schemas }
      users.set(login.username, user)
      await grant(user)
      await query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = ${literal(login.username)}`)
    },
    async retire(username) {
      users.delete(username)
      await handOver(username)
      await query(`DROP ROLE ${identifier(username)}`)
    },
  }
}
