/** What the kinds of databases that keep tokens have in common. */
import type { KeptToken } from './token-store.ts'

export interface Credentials {
  username: string
  password: string
}

export interface Statement {
  sql: string
  values: unknown[]
}

export type SqlRow = Record<string, unknown>

/** A session that is open. */
export interface SqlSession {
  /** Rows of the last statement; several run in one transaction, where the database has them for such statements. */
  run(statements: readonly Statement[]): Promise<SqlRow[]>
  close(): Promise<void>
  /** Called once when the database ends the session. */
  onLost(action: () => void): void
}

/** A table, its name and that of its schema quoted. */
export type Table = string

export interface SqlKind {
  /** Whether a connection string is one of this kind. */
  knows(template: string): boolean
  /** Opens a session; `template` has slots for the credentials. */
  open(template: string, credentials: Credentials): Promise<SqlSession>
  /** A name as an identifier, whatever characters it has. */
  quoted(name: string): string
  /** Whether `schema` names something within the database of the connection string where it is the default of the API. */
  hasSchemas: boolean
  creation(table: Table): Statement[]
  /** As few statements as the database takes: one for thousands of tokens. */
  insertion(table: Table, tokens: readonly KeptToken[]): Statement[]
  byToken(table: Table, owner: string, digests: readonly string[]): Statement[]
  byValue(table: Table, owner: string, digests: readonly string[]): Statement[]
}

const SLOTS = { username: /\{\{\s*username\s*\}\}/g, password: /\{\{\s*password\s*\}\}/g }

/** A template with its slots filled; `spelt` is how a value is written there. */
export const filled = (template: string, { username, password }: Credentials, spelt: (value: string) => string): string =>
  template.replaceAll(SLOTS.username, () => spelt(username)).replaceAll(SLOTS.password, () => spelt(password))

/** Texts of users travel in base64: a database refuses some characters that JSON has. */
export const metadataText = (metadata: string): string => Buffer.from(metadata).toString('base64')

/** What is kept of a token, from its row. */
export const tokenOfRow = (row: SqlRow): KeptToken => ({
  owner: String(row.owner),
  token: String(row.token),
  value: String(row.value),
  sealed: String(row.sealed),
  metadata: Buffer.from(String(row.metadata), 'base64').toString(),
  expiresAt: row.expires_at === null ? undefined : Number(row.expires_at),
})

export const CONNECT_MS = 20_000
export const STATEMENT_MS = 30_000
