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
  const promised = (maker: User, user: User): string[] => {
    if (!maker.rights.includes('CREATE') || onTables(user.rights) === '') return []
    return user.schemas
      .filter((one) => maker.schemas.includes(one))
      .flatMap((schema) => {
        const whose = `ALTER DEFAULT PRIVILEGES FOR ROLE ${identifier(maker.username)} IN SCHEMA ${identifier(schema)}`
        return [
          `${whose} GRANT ${onTables(user.rights)} ON TABLES TO ${identifier(user.username)}`,
          // A table that numbers its rows by a sequence takes no row without it.
          ...(user.rights.includes('INSERT') ? [`${whose} GRANT USAGE ON SEQUENCES TO ${identifier(user.username)}`] : []),
        ]
      })
  }

  const granted = ({ username, rights, schemas }: User): string[] => {
    const name = identifier(username)
    return schemas
      .map(identifier)
      .flatMap((schema) => [
        `GRANT ${rights.includes('CREATE') ? 'USAGE, CREATE' : 'USAGE'} ON SCHEMA ${schema} TO ${name}`,
        ...(onTables(rights) === '' ? [] : [`GRANT ${onTables(rights)} ON ALL TABLES IN SCHEMA ${schema} TO ${name}`]),
        ...(rights.includes('INSERT') ? [`GRANT USAGE ON ALL SEQUENCES IN SCHEMA ${schema} TO ${name}`] : []),
      ])
  }

  const grant = async (user: User): Promise<void> => {
    const others = [...users.values()].filter((other) => other !== user)
    const statements = [
      ...granted(user),
      ...[...users.values()].flatMap((other) => promised(other, user)),
      ...others.flatMap((other) => promised(user, other)),
    ]
    if (statements.length > 0) await query(statements.join('; '))
  }

  /** What users may do with tables that this one made goes on. */
  const handOver = async (username: string): Promise<void> => {
    await query(`REASSIGN OWNED BY ${identifier(username)} TO ${identifier(administrator)}; DROP OWNED BY ${identifier(username)}`)
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
