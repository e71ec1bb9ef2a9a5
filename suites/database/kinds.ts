/** The kinds of database that the checks run on, with the texts that a configuration may replace (`settings.database.<kind>`). */
import { type Bench, connectionStrings, type SqlPlace } from '../../harness/checks/index.ts'

export interface Texts {
  pluginName: string
  /** `{host}`, `{port}` and `{database}` are filled in; `{{username}}` and `{{password}}` are left to the target. */
  connectionUrl: string
  /** Makes a user that may read the table `granted`. */
  creation: string[]
  /** Makes a user that may do nothing. */
  bareCreation: string[]
  revocation: string[]
  rotation: string[]
  rootRotation: string[]
}

export interface Kind {
  id: 'postgres' | 'mariadb'
  texts: Texts
  /** Statement lists that this kind of plugin does not run, and `static_roles` where it has none. */
  without: string[]
  /** A user for a static role, made beforehand. */
  staticUser(username: string, password: string): string[]
  /** A user that may do what the administrator of a check's database may; made with the rights of the run's administrator. */
  administrator(username: string, password: string, like: string): string[]
}

export const kinds: Kind[] = [
  {
    id: 'postgres',
    texts: {
      pluginName: 'postgresql-database-plugin',
      connectionUrl: connectionStrings.postgres,
      creation: [`CREATE ROLE "{{username}}" WITH LOGIN PASSWORD '{{password}}'`, 'GRANT SELECT ON granted TO "{{username}}"'],
      bareCreation: [`CREATE ROLE "{{username}}" WITH LOGIN PASSWORD '{{password}}'`],
      revocation: ['REVOKE ALL PRIVILEGES ON ALL TABLES IN SCHEMA public FROM "{{username}}"', 'DROP ROLE IF EXISTS "{{username}}"'],
      rotation: [`ALTER ROLE "{{username}}" WITH PASSWORD '{{password}}'`],
      rootRotation: [`ALTER ROLE "{{username}}" WITH PASSWORD '{{password}}'`],
    },
    without: [],
    staticUser: (username, password) => [`CREATE ROLE "${username}" WITH LOGIN PASSWORD '${password}'`],
    administrator: (username, password, like) => [
      `CREATE ROLE "${username}" WITH LOGIN CREATEROLE PASSWORD '${password}' IN ROLE "${like}"`,
    ],
  },
  {
    id: 'mariadb',
    texts: {
      pluginName: 'mysql-database-plugin',
      connectionUrl: connectionStrings.mariadb,
      creation: [`CREATE USER '{{username}}'@'%' IDENTIFIED BY '{{password}}'`, `GRANT SELECT ON granted TO '{{username}}'@'%'`],
      bareCreation: [`CREATE USER '{{username}}'@'%' IDENTIFIED BY '{{password}}'`],
      revocation: [`DROP USER IF EXISTS '{{username}}'@'%'`],
      rotation: [`ALTER USER '{{username}}'@'%' IDENTIFIED BY '{{password}}'`],
      rootRotation: [`ALTER USER '{{username}}'@'%' IDENTIFIED BY '{{password}}'`],
    },
    without: [],
    staticUser: (username, password) => [`CREATE USER '${username}'@'%' IDENTIFIED BY '${password}'`],
    administrator: (username, password) => [
      `CREATE USER '${username}'@'%' IDENTIFIED BY '${password}'`,
      `GRANT ALL PRIVILEGES ON *.* TO '${username}'@'%' WITH GRANT OPTION`,
    ],
  },
]

/** The texts of a kind as the configuration of the target has them. */
export const textsOf = (bench: Bench, kind: Kind): Texts => ({
  ...kind.texts,
  ...(bench.setting(`database.${kind.id}`) as Partial<Texts> | undefined),
})

/** Whether the target's plugin of this kind runs a list of statements at all, e.g. `renew_statements`. */
export const runs = (bench: Bench, kind: Kind, statements: string): boolean =>
  !(bench.setting<string[]>(`database.${kind.id}.without`) ?? kind.without).includes(statements)

/** The statement by which an administrator notes that it ran. */
export const note = (tag: string, value: string): string => `INSERT INTO marker VALUES ('${tag}', '${value}')`

/** What was noted under a tag. */
export const noted = async (sql: SqlPlace, tag: string): Promise<string[]> =>
  (await sql.query(`SELECT noted FROM marker WHERE tag = '${tag}'`)).map((row) => String(row.noted))

/** Milliseconds of a time as a statement holds it; one without an offset is meant in UTC. */
export const timeOf = (text: string): number =>
  Date.parse(/(?:Z|UTC|GMT|[+-]\d\d(?::?\d\d)?)$/.test(text.trim()) ? text : `${text.trim()}Z`)
