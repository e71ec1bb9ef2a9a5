/** Decisions about stores of tokens in databases: what is written and read of them, how they are reached, and what is run there. */
import { durationOf } from '../../core/durations.ts'
import { ApiError, invalid } from '../../core/errors.ts'
import { integerOf, listOf, textOf } from '../../core/fields.ts'
import type { JsonObject } from '../../core/json.ts'
import { demand } from './definitions.rules.ts'
import { mariadbTokens } from './mariadb-tokens.ts'
import { postgresTokens } from './postgres-tokens.ts'
import type { PoolLimits } from './session-pool.ts'
import type { Credentials, SqlKind, SqlSession, Statement, Table } from './sql-kind.ts'
import type { StoreSettings, TransformState } from './state.ts'
import type { KeptToken } from './token-store.ts'

const DEFAULT_SCHEMA = 'public'
const TABLE = 'transform_tokens'
const KINDS = [postgresTokens, mariadbTokens]

const codeOf = (error: unknown): string => String((error as { code?: unknown } | undefined)?.code ?? 'no reason')

export const storeRules = {
  storeComplete(body: JsonObject, previous: StoreSettings | undefined): void {
    if (previous === undefined) demand(body, ['type', 'connection_string', 'username', 'password'])
  },
  storeTypeKnown: (type: string): boolean => type === 'sql',
  /** Of what a store supports, or its schema is made for. */
  storeSupports: (transformation: string): boolean => transformation === 'tokenization',
  storeSettings: (body: JsonObject, previous: StoreSettings | undefined): StoreSettings => ({
    type: textOf(body, 'type', previous?.type),
    supported: listOf(body, 'supported_transformations', previous?.supported ?? ['tokenization']),
    connectionString: textOf(body, 'connection_string', previous?.connectionString),
    username: textOf(body, 'username', previous?.username),
    password: textOf(body, 'password', previous?.password),
    schema: textOf(body, 'schema', previous?.schema ?? DEFAULT_SCHEMA),
    maxOpen: integerOf(body, 'max_open_connections', previous?.maxOpen ?? 4),
    maxIdle: integerOf(body, 'max_idle_connections', previous?.maxIdle ?? 4),
    maxLifetime: durationOf(body.max_connection_lifetime, 'max_connection_lifetime', previous?.maxLifetime ?? 0),
  }),
  poolLimits({ maxOpen, maxIdle, maxLifetime }: StoreSettings): PoolLimits {
    if (maxOpen < 1) throw invalid('max_open_connections must be at least 1')
    if (maxIdle < 0) throw invalid('max_idle_connections must not be negative')
    return { open: maxOpen, idle: maxIdle, lifetime: maxLifetime }
  },
  /** The kind of database that the form of a connection string names. */
  sqlKindOf: (connectionString: string): SqlKind | undefined => KINDS.find((kind) => kind.knows(connectionString)),
  /** Kinds without schemas take the name of a database; the default of the API means the one of the connection string. */
  tableOf: (kind: SqlKind, schema: string): Table =>
    !kind.hasSchemas && schema === DEFAULT_SCHEMA ? kind.quoted(TABLE) : `${kind.quoted(schema)}.${kind.quoted(TABLE)}`,
  openedSession: (kind: SqlKind, settings: StoreSettings, credentials: Credentials): Promise<SqlSession> =>
    kind.open(settings.connectionString, credentials),
  creation: (kind: SqlKind, table: Table): Statement[] => kind.creation(table),
  insertion: (kind: SqlKind, table: Table, tokens: readonly KeptToken[]): Statement[] => kind.insertion(table, tokens),
  lookup: (kind: SqlKind, table: Table, by: 'byToken' | 'byValue', owner: string, digests: readonly string[]): Statement[] =>
    kind[by](table, owner, digests),
  schemaCredentials(body: JsonObject): Credentials {
    demand(body, ['username', 'password'])
    return { username: textOf(body, 'username'), password: textOf(body, 'password') }
  },
  schemaFor: (body: JsonObject): string => textOf(body, 'transformation_type', 'tokenization'),
  /** What is left of the session that made a schema. */
  schemaMade: (session: SqlSession): Promise<void> => session.close(),
  /** Tells the database's own code: its words may repeat what it was sent. */
  storeFailure: (error: unknown, _settings: StoreSettings): ApiError =>
    error instanceof ApiError ? error : new ApiError(500, `the store's database gave ${codeOf(error)}`),
  shownStore: ({ type, connectionString, supported, schema, maxOpen, maxIdle, maxLifetime }: StoreSettings): JsonObject => ({
    type,
    connection_string: connectionString,
    supported_transformations: supported,
    schema,
    max_open_connections: maxOpen,
    max_idle_connections: maxIdle,
    max_connection_lifetime: maxLifetime,
  }),
  storeNames: (state: TransformState): string[] => [...state.stores.keys()],
  forgetsStore: (): boolean => true,
}

export type StoreRules = typeof storeRules
