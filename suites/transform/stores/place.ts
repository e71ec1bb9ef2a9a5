/** A database of a check's own, with users of exactly the rights that they need, and stores in it. */
import {
  type Bench,
  type CheckOptions,
  connectionStrings,
  type JsonObject,
  type Login,
  type SqlPlace,
  type StoredRow,
  sqlAddress,
  sqlPlace,
} from '../../../harness/checks/index.ts'
import { newTokens, type Tokens } from '../tokens/fixtures.ts'

/** `settings.transform.<kind>.connectionString` of the target's configuration replaces the text, and so does that of the database engine. */
export interface Kind {
  id: 'postgres' | 'mariadb'
  /** Whether a database has schemas within it; else a schema is a database. */
  hasSchemas: boolean
}

export const kinds: readonly Kind[] = [
  { id: 'postgres', hasSchemas: true },
  { id: 'mariadb', hasSchemas: false },
]

export const needs = (kind: Kind, more: CheckOptions = {}): CheckOptions => ({ ...more, needs: { ...more.needs, backends: [kind.id] } })

export interface PlaceOptions {
  /** Port at which the target finds the database instead of its own. */
  port?: number
  /** What stands before the random part of every password. */
  password?: string
}

export interface Place {
  kind: Kind
  sql: SqlPlace
  /** Where the tables belong. */
  schema: string
  /** All schemas that the users have their rights in. */
  schemas: string[]
  /** May make tables, for the call for the schema. */
  maker: Login
  /** May SELECT, INSERT and UPDATE, and nothing else. */
  user: Login
  /** What a store in this database is written with. */
  body: JsonObject
  /** Another user with a password of its own, without any right. */
  login(purpose: string): Login
}

/** The form in which the target takes connection strings for a kind of database. */
const formOf = (bench: Bench, kind: Kind): string =>
  bench.setting<string>(`transform.${kind.id}.connectionString`) ??
  bench.setting<string>(`database.${kind.id}.connectionUrl`) ??
  connectionStrings[kind.id]

/** Gives the user of a place other rights than it had. */
export const allow = (place: Place, rights: ('SELECT' | 'INSERT' | 'UPDATE')[]): Promise<void> =>
  place.sql.user(place.user, rights, ...place.schemas)

const withRights = async (place: Place): Promise<Place> => {
  await place.sql.user(place.maker, ['SELECT', 'INSERT', 'UPDATE', 'CREATE'], ...place.schemas)
  await allow(place, ['SELECT', 'INSERT', 'UPDATE'])
  return place
}

/** What a store is written with whose tables belong in a schema. */
const bodyFor = (bench: Bench, kind: Kind, database: string, schema: string, user: Login, port?: number): JsonObject => ({
  type: 'sql',
  connection_string: sqlAddress(formOf(bench, kind), bench.backend(kind.id), kind.hasSchemas ? database : schema, port),
  username: user.username,
  password: user.password,
  ...(schema === 'public' ? {} : { schema }),
})

const underscored = (bench: Bench, purpose: string): string => bench.fresh(purpose).replaceAll('-', '_')

/** A database with a user of few rights, and one that may make tables. */
export const placeFor = async (bench: Bench, kind: Kind, options: PlaceOptions = {}): Promise<Place> => {
  const handle = bench.backend(kind.id)
  const sql = await sqlPlace(handle, underscored(bench, 'db'), bench.canary('admin'))
  const users: string[] = []
  bench.defer(() => (handle.provider === 'external' ? sql.drop(users) : sql.leave()))
  const login = (purpose: string): Login => {
    const made = { username: underscored(bench, purpose), password: `${options.password ?? ''}${bench.canary(purpose)}` }
    bench.secret(made.password)
    users.push(made.username)
    return made
  }
  const schema = kind.hasSchemas ? 'public' : sql.database
  const [user, maker] = [login('user'), login('maker')]
  const body = bodyFor(bench, kind, sql.database, schema, user, options.port)
  return withRights({ kind, sql, schema, schemas: [schema], maker, user, body, login })
}

/** Another schema of the same database, with the same users. */
export const anotherSchema = async (bench: Bench, place: Place, purpose = 'schema'): Promise<Place> => {
  const schema = underscored(bench, purpose)
  await place.sql.schema(schema)
  // The users keep their rights where somebody who takes the wrong schema would go.
  place.schemas.push(schema)
  return withRights({ ...place, schema, body: bodyFor(bench, place.kind, place.sql.database, schema, place.user) })
}

/** Writes a store, until the check ends; answers its name. */
export const newStore = async (bench: Bench, place: Place, more: JsonObject = {}, mount?: string): Promise<string> => {
  const path = { name: bench.mixedName('store') }
  const at = mount === undefined ? {} : { mount }
  bench.defer(() => bench.call('transform.deleteStore', { path, ...at }))
  await bench.given('transform.writeStore', { path, body: { ...place.body, ...more }, ...at })
  return path.name
}

/** The request that makes what a store needs in its database. */
export const schemaCall = (place: Place, name: string, more: JsonObject = {}): { path: { name: string }; body: JsonObject } => ({
  path: { name },
  body: { username: place.maker.username, password: place.maker.password, ...more },
})

export interface Kept extends Place {
  /** Name of the store. */
  store: string
  /** A transformation on it. */
  tokens: Tokens
}

/** A transformation on a store that is ready. */
export const keptOf = async (bench: Bench, place: Place, store: string): Promise<Kept> => ({
  ...place,
  store,
  tokens: await newTokens(bench, { stores: [store] }),
})

/** A store that is ready, and a transformation whose tokens it keeps. */
export const keptIn = async (bench: Bench, place: Place, more: JsonObject = {}): Promise<Kept> => {
  const store = await newStore(bench, place, more)
  await bench.given('transform.makeSchema', schemaCall(place, store))
  return keptOf(bench, place, store)
}

/** Writes a store again with other parameters. */
export const rewritten = (bench: Bench, kept: Kept, more: JsonObject): Promise<unknown> =>
  bench.given('transform.writeStore', { path: { name: kept.store }, body: { ...kept.body, ...more } })

/** Rows of the schema in which the tables belong. */
export const rowsOf = async (place: Place): Promise<StoredRow[]> =>
  (await place.sql.contents()).filter(({ schema }) => schema === place.schema)
