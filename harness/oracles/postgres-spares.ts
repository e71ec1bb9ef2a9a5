/** Databases that one check has left and the next may have: making one copies three hundred files, and so does removing it. */
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { BackendHandle } from '../base/backend-handle.ts'
import { onServer, open } from './postgres-connections.ts'
import { identifier, literal } from './postgres-quoting.ts'

const spares = new WeakMap<BackendHandle, string[]>()
let numbers = 0

const sparesOf = (handle: BackendHandle): string[] => {
  const known = spares.get(handle) ?? []
  spares.set(handle, known)
  return known
}

const ENDING = { attempts: 100, pauseMs: 50 }

/** Disconnects all clients of a database for good: a client that connects again finds nothing under its name. */
const closeUnder = async (server: pg.ClientBase, name: string, spare: string): Promise<void> => {
  await server.query(`ALTER DATABASE ${identifier(name)} WITH ALLOW_CONNECTIONS false`)
  for (let attempt = 0; attempt < ENDING.attempts; attempt += 1) {
    const { rowCount } = await server.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = ${literal(name)}`)
    if (rowCount === 0) break
    await sleep(ENDING.pauseMs)
  }
  await server.query(`ALTER DATABASE ${identifier(name)} RENAME TO ${identifier(spare)}`)
  await server.query(`ALTER DATABASE ${identifier(spare)} WITH ALLOW_CONNECTIONS true`)
}

/** Roles that own something in this database, or have rights on it or in it; not those that the server came with. */
const INVOLVED = `SELECT DISTINCT rolname AS name FROM pg_shdepend, pg_database, pg_roles
  WHERE datname = current_database() AND refclassid = 'pg_authid'::regclass AND refobjid = pg_roles.oid AND pg_roles.oid >= 16384
  AND (dbid = pg_database.oid OR classid = 'pg_database'::regclass AND objid = pg_database.oid)`

/** Catalogues that say what was made here: what comes with a new database has a number below 16384 in each. */
const CATALOGUES = [
  'class',
  'type',
  'proc',
  'namespace',
  'extension',
  'largeobject_metadata',
  'default_acl',
  'event_trigger',
  'publication',
]

/** One row where the database is as a new one is: nothing made in it, and rights and settings as they come. */
const IS_NEW = `SELECT 1 FROM pg_database, pg_namespace WHERE datname = current_database() AND (datacl IS NULL OR datacl = acldefault('d', datdba))
  AND nspname = 'public' AND nspacl::text IS NOT DISTINCT FROM (SELECT initprivs::text FROM pg_init_privs WHERE classoid = 'pg_namespace'::regclass AND objoid = pg_namespace.oid)
  AND NOT EXISTS (SELECT 1 FROM pg_db_role_setting WHERE setdatabase = pg_database.oid)
  ${CATALOGUES.map((name) => `AND NOT EXISTS (SELECT 1 FROM pg_${name} WHERE oid >= 16384)`).join('\n  ')}`

const isEmptied = async (database: pg.Client): Promise<boolean> => {
  const { rows } = await database.query<{ name: string }>(INVOLVED)
  if (rows.length > 0) await database.query(`DROP OWNED BY ${rows.map(({ name }) => identifier(name)).join(', ')} CASCADE`)
  return (await database.query(IS_NEW)).rowCount === 1
}

/**
 * Empties a database and keeps it for the next check, or removes it where something stays in it.
 *
 * @param handle a server that the run has for itself: sessions are ended, and all that roles own in the database is removed.
 * @param name the database; none has this name afterwards.
 */
export const keepAsSpare = async (handle: BackendHandle, name: string): Promise<void> => {
  numbers += 1
  const spare = `spare_${numbers}`
  await onServer(handle, async (server) => {
    await closeUnder(server, name, spare)
    const database = await open(handle, spare)
    const isSpare = await isEmptied(database).finally(() => database.end())
    if (isSpare) sparesOf(handle).push(spare)
    else await server.query(`DROP DATABASE ${identifier(spare)} WITH (FORCE)`)
  })
}

/** Makes a database for a role, of one that was left where there is one. */
export const makeDatabase = async (handle: BackendHandle, server: pg.ClientBase, name: string): Promise<void> => {
  const spare = sparesOf(handle).pop()
  if (spare === undefined) {
    await server.query(`CREATE DATABASE ${identifier(name)} OWNER ${identifier(name)}`)
    return
  }
  await server.query(`ALTER DATABASE ${identifier(spare)} RENAME TO ${identifier(name)}`)
  await server.query(`ALTER DATABASE ${identifier(name)} OWNER TO ${identifier(name)}`)
}
