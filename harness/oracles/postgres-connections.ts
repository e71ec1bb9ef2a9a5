/** Connections of the judge to PostgreSQL: those of the run's administrator to the server itself are kept for a while, for each costs it a process. */
import type pg from 'pg'
import type { BackendHandle } from '../base/backend-handle.ts'
import { useCredentials } from '../base/credential-guard.ts'
import { answered, reached } from './reached.ts'
import type { Login } from './sql.ts'

const CONNECT_MS = 30_000
const KEPT_MS = 1_000
const MOST_KEPT = 8

const rootOf = ({ username, password }: BackendHandle): Login => ({ username, password })

const settings = (handle: BackendHandle, database: string, login: Login): pg.ClientConfig => {
  useCredentials(login.password)
  return {
    host: handle.host,
    port: handle.port,
    database,
    user: login.username,
    password: login.password,
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: CONNECT_MS,
  }
}

/** Opens a database; as the run's administrator where no login is given. */
export const open = (handle: BackendHandle, database: string, login: Login = rootOf(handle)): Promise<pg.Client> => {
  return reached(`the database at ${handle.host}:${handle.port}`, async () => {
    const { Client } = (await import('pg')).default
    const client = new Client(settings(handle, database, login))
    client.on('error', () => {})
    await client.connect()
    return client
  })
}

const pools = new WeakMap<BackendHandle, Promise<pg.Pool>>()

const makePool = async (handle: BackendHandle): Promise<pg.Pool> => {
  const { Pool } = (await import('pg')).default
  const pool = new Pool({
    ...settings(handle, handle.extra.database ?? 'postgres', rootOf(handle)),
    max: MOST_KEPT,
    idleTimeoutMillis: KEPT_MS,
    allowExitOnIdle: true,
  })
  // A server that ends while nobody asks it anything.
  pool.on('error', () => {})
  return pool
}

const poolOf = (handle: BackendHandle): Promise<pg.Pool> => {
  const pool = pools.get(handle) ?? makePool(handle)
  pools.set(handle, pool)
  return pool
}

/** Works as the run's administrator on the server as a whole; a connection on which something failed is not used again. */
export const onServer = async <T>(handle: BackendHandle, work: (server: pg.ClientBase) => Promise<T>): Promise<T> => {
  const client = await reached(`the database at ${handle.host}:${handle.port}`, async () => (await poolOf(handle)).connect())
  const ended = (): void => undefined
  client.on('error', ended)
  let failed = true
  try {
    const done = await answered(`the database at ${handle.host}:${handle.port}`, () => work(client))
    failed = false
    return done
  } finally {
    client.off('error', ended)
    client.release(failed)
  }
}
