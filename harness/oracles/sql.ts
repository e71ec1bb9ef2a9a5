/** What a judge of database effects can do: an own database and administrator per check, and logins as anybody. */

/** One row of a result, by column name in lower case. */
export type Row = Record<string, unknown>

/** What a login may try before it leaves again. */
export interface Login {
  username: string
  password: string
}

/** A session as the database itself lists it. */
export interface SqlSession {
  id: string
  /** Milliseconds; at least so long where the database does not say it, counted from when the judge first saw the session. */
  openMs: number
  /** No statement is under way. */
  idle: boolean
}

/** One value of a table, never null: as the database writes it, and the bytes that it keeps. */
export interface StoredValue {
  column: string
  text: string
  bytes: Buffer
}

/** One row of one table. */
export interface StoredRow {
  schema: string
  table: string
  values: StoredValue[]
}

/** What a user may do with the tables of a schema; `CREATE` is to make and own them. */
export type Right = 'SELECT' | 'INSERT' | 'UPDATE' | 'DELETE' | 'CREATE'

/** A database made for one check, with an administrator of its own. */
export interface SqlPlace {
  database: string
  admin: Login
  /** Runs one statement in the database with the rights of the run's administrator. */
  query(sql: string): Promise<Row[]>
  /** True where the database lets the user in, false where it refuses name or password. Other failures throw. */
  login(login: Login): Promise<boolean>
  /** Runs one statement as that user: `refused` when rights are missing, else its rows. Throws where even the login fails. */
  as(login: Login, sql: string): Promise<Row[] | 'refused'>
  /** Users with a right of their own on the table `granted`, sorted; its owner is not among them. */
  grantees(): Promise<string[]>
  /** The sessions that a user has open now. */
  sessions(username: string): Promise<SqlSession[]>
  /** Every row of every table, in every schema of the place. */
  contents(): Promise<StoredRow[]>
  /** Makes a schema; where the database has none within a database, a database. */
  schema(name: string): Promise<void>
  /**
   * Makes a user with exactly these rights on the tables of some schemas, also on those that a user with `CREATE` makes there later. A user that is there
   * gets these instead of what it had, and its sessions are ended: some databases look at rights when a session begins.
   */
  user(login: Login, rights: readonly Right[], ...schemas: string[]): Promise<void>
  /** Removes a user; what it owns goes to the administrator, and what others may do with it stays. */
  retire(username: string): Promise<void>
  /** Ends the judge's own session and leaves the rest. */
  close(): Promise<void>
  /** Gives the database up: enough where the whole server is thrown away after the run. Another check may get it, emptied, under another name. */
  leave(): Promise<void>
  /** Removes users, then the database and its administrator. Whatever is gone already is fine. */
  drop(usernames: string[]): Promise<void>
}
