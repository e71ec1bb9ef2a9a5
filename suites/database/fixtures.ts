/** A database of a check's own, configured as a connection of the target. */
import {
  type Answer,
  type Bench,
  type CheckOptions,
  comesToHold,
  type JsonObject,
  type Login,
  type SqlPlace,
  sqlAddress,
  sqlPlace,
} from '../../harness/checks/index.ts'
import { type Kind, type Texts, textsOf } from './kinds.ts'

export interface Credential extends Login {
  lease: string
  /** Seconds. */
  duration: number
}

export interface Place {
  sql: SqlPlace
  texts: Texts
  /** Name of the connection. */
  connection: string
  /** Body that (re)writes the connection. */
  body: JsonObject
  mount: string | undefined
  /** Makes a role with the kind's creation statements, of this name or of one of its own; returns its name. */
  role(more?: JsonObject, named?: string): Promise<string>
  /** Credentials of an answer; the clean-up knows of them from then on. */
  keep(answer: Answer): Credential
  /** Credentials of a role; blocks where there are none. */
  credential(role: string): Promise<Credential>
  /** Asks for credentials as the thing that is judged: whatever the answer, the clean-up knows of it. */
  ask(role: string): Promise<{ answer: Answer; credential: Credential }>
  /** A database user for a static role, made beforehand, of this name or of one that ends like this; returns it. */
  staticUser(end?: string, username?: string): Promise<Login>
  /** Makes the user of a deleted static role again: the deletion may have removed it, or locked it. */
  userAgain(username: string): Promise<Login>
  /** Makes another administrator of the database, and a connection of its own with the same URL; returns both. */
  second(): Promise<{ login: Login; name: string; body: JsonObject }>
  /** Makes a static role for a fresh user, of these names or of others; returns both. */
  staticRole(more?: JsonObject, named?: { name: string; username?: string }): Promise<{ name: string; user: Login }>
  /** Remembers another connection to this database, for the clean-up. */
  keepConnection(name: string): void
  /** Remembers a static role that a check made itself, for the clean-up. */
  keepStatic(name: string): void
}

export interface PlaceOptions {
  /** Further members of the connection. */
  connection?: JsonObject
  /** Alias of the mount, where it is not the shared one. */
  mount?: string
  /** Name of the connection, where it is not one of its own. */
  named?: string
  /** The connection carries its credentials in the URL instead of in the fields. */
  literal?: boolean
  /** Credentials are made that nobody hands back: the clean-up waits until their short leases have ended. */
  settle?: boolean
  /** Port at which the target finds the database instead of its own. */
  port?: number
  /** Letters before and after the rest of the administrator's password. */
  passwordWithin?: readonly [before: string, after: string]
}

export const needs = (kind: Kind, more: Partial<NonNullable<CheckOptions['needs']>> = {}): CheckOptions => ({
  needs: { backends: [kind.id], ...more },
})

const SETTLE_MS = 12_000

const TABLES = [
  'CREATE TABLE marker (tag varchar(64), noted varchar(255))',
  'CREATE TABLE granted (n int)',
  'CREATE TABLE denied (n int)',
  'INSERT INTO granted VALUES (7)',
]

/** The same connection with user name and password written into its URL. */
export const literal = ({ username, password, connection_url, ...rest }: JsonObject): JsonObject => ({
  ...rest,
  connection_url: String(connection_url).replace('{{username}}', String(username)).replace('{{password}}', String(password)),
})

/** Makes the database with its tables (`marker`, `granted`, `denied`) and administrator, and writes the connection. */
export const placeFor = async (bench: Bench, kind: Kind, options: PlaceOptions = {}): Promise<Place> => {
  const texts = textsOf(bench, kind)
  const mounted = options.mount === undefined ? {} : { mount: options.mount }
  const [before, after] = options.passwordWithin ?? ['', '']
  const sql = await sqlPlace(bench.backend(kind.id), bench.fresh('db').replaceAll('-', '_'), `${before}${bench.canary('admin')}${after}`)
  const leases: string[] = []
  const users: string[] = []
  const statics: string[] = []
  const connection = options.named ?? bench.mixedName('connection')
  const connections = [connection]
  // While the database is still there: what the target holds in it goes first.
  bench.defer(async () => {
    for (const lease of leases) await bench.leases.revoke(lease).catch(() => undefined)
    for (const name of statics) await bench.call('database.deleteStaticRole', { path: { name }, ...mounted }).catch(() => undefined)
    if (options.settle === true) await comesToHold(bench, async () => (await sql.grantees()).length === 0, { within: SETTLE_MS })
    for (const name of connections) await bench.call('database.deleteConnection', { path: { name }, ...mounted }).catch(() => undefined)
    await (bench.backend(kind.id).provider === 'external' ? sql.drop(users) : sql.leave())
  })
  for (const table of TABLES) await sql.as(sql.admin, table)
  const body: JsonObject = {
    plugin_name: texts.pluginName,
    connection_url: sqlAddress(texts.connectionUrl, bench.backend(kind.id), sql.database, options.port),
    username: sql.admin.username,
    password: sql.admin.password,
    allowed_roles: ['*'],
    ...options.connection,
  }
  const written = options.literal === true ? literal(body) : body
  await bench.given('database.writeConnection', { path: { name: connection }, body: written, ...mounted })
  const keep = (answer: Answer): Credential => {
    const { lease_id, lease_duration } = (answer.body ?? {}) as { lease_id?: unknown; lease_duration?: unknown }
    const { username, password } = answer.data
    if (typeof lease_id === 'string' && lease_id !== '') leases.push(lease_id)
    if (typeof username === 'string') users.push(username)
    if (typeof password === 'string') bench.secret(password)
    return { username: String(username), password: String(password), lease: String(lease_id ?? ''), duration: Number(lease_duration ?? 0) }
  }
  const staticUser = async (end = '', username = `${bench.fresh('uSer').replaceAll('-', '_')}${end}`): Promise<Login> => {
    const login = { username, password: bench.canary('first') }
    users.push(login.username)
    for (const statement of kind.staticUser(login.username, login.password)) await sql.as(sql.admin, statement)
    return login
  }
  return {
    sql,
    texts,
    connection,
    body,
    mount: options.mount,
    keep,
    async ask(role) {
      const answer = await bench.call('database.readCreds', { path: { name: role }, ...mounted })
      return { answer, credential: keep(answer) }
    },
    async role(more = {}, name = bench.mixedName('role')) {
      const role = { db_name: connection, creation_statements: texts.creation, default_ttl: 3600, max_ttl: 7200, ...more }
      await bench.given('database.writeRole', { path: { name }, body: role, ...mounted })
      return name
    },
    credential: async (role) => keep(await bench.given('database.readCreds', { path: { name: role }, ...mounted })),
    staticUser,
    async userAgain(username) {
      await sql.retire(username).catch(() => undefined)
      return staticUser('', username)
    },
    async second() {
      const login = { username: bench.fresh('second').replaceAll('-', '_'), password: bench.canary('second') }
      users.push(login.username)
      for (const statement of kind.administrator(login.username, login.password, sql.admin.username)) await sql.query(statement)
      const [name, own] = [bench.mixedName('connection'), { ...body, ...login }]
      connections.push(name)
      await bench.given('database.writeConnection', { path: { name }, body: own, ...mounted })
      return { login, name, body: own }
    },
    async staticRole(more = {}, { name, username } = { name: bench.mixedName('static') }) {
      const user = await staticUser('', username)
      statics.push(name)
      const role = { db_name: connection, username: user.username, rotation_period: 86_400, rotation_statements: texts.rotation, ...more }
      await bench.given('database.writeStaticRole', { path: { name }, body: role, ...mounted })
      return { name, user }
    },
    keepConnection: (name) => void connections.push(name),
    keepStatic: (name) => void statics.push(name),
  }
}
