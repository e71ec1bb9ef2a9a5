/** What a judge of database effects can do: an own database and administrator per check, and logins as anybody. */

/** One row of a result, by column name in lower case. */
export type Row = Record<string, unknown>

/** What a login may try before it leaves again. */
export interface Login {
  username: string
  password: string
}

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
  /** Ids of the sessions that a user has open now. */
  sessions(username: string): Promise<string[]>
  /** Ends the judge's own session and leaves the rest: enough where the whole server is thrown away after the run. */
  close(): Promise<void>
  /** Removes users, then the database and its administrator. Whatever is gone already is fine. */
  drop(usernames: string[]): Promise<void>
}
