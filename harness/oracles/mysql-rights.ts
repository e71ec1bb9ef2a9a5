/** Databases, which stand for schemas, and users with exactly the rights that they are given, on MariaDB and MySQL. */
import { useCredentials } from '../base/credential-guard.ts'
import { identifier, literal } from './mysql-quoting.ts'
import type { Right, Row, SqlPlace } from './sql.ts'

type Query = (sql: string) => Promise<Row[]>

const MAKES_TABLES = ['CREATE', 'ALTER', 'INDEX', 'DROP', 'REFERENCES']

const account = (username: string): string => `${literal(username)}@'%'`
/** Rights on a whole database count for tables of later, too. */
const granted = (rights: readonly Right[]): string => rights.flatMap((right) => (right === 'CREATE' ? MAKES_TABLES : [right])).join(', ')

/** @internal use SqlPlace; `schemas` are the databases that were made here. */
export const mysqlRights = (query: Query): Pick<SqlPlace, 'schema' | 'user' | 'retire'> & { schemas(): string[] } => {
  const made: string[] = []
  return {
    schemas: () => made,
    async schema(name) {
      made.push(name)
      await query(`CREATE DATABASE ${identifier(name)}`)
    },
    async user({ username, password }, rights, ...schemas) {
      useCredentials(password)
      await query(`CREATE USER IF NOT EXISTS ${account(username)} IDENTIFIED BY ${literal(password)}`)
      await query(`REVOKE ALL PRIVILEGES, GRANT OPTION FROM ${account(username)}`)
      // The name of a database is a pattern here.
      const names = rights.length === 0 ? [] : schemas.map((schema) => identifier(schema.replaceAll(/[\\_%]/g, '\\$&')))
      for (const name of names) await query(`GRANT ${granted(rights)} ON ${name}.* TO ${account(username)}`)
      for (const { id } of await query(`SELECT id AS id FROM information_schema.processlist WHERE user = ${literal(username)}`))
        await query(`KILL CONNECTION ${Number(id)}`).catch(() => undefined)
    },
    async retire(username) {
      await query(`DROP USER ${account(username)}`)
    },
  }
}
