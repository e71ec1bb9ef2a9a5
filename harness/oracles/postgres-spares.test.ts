/** Databases that one check has left: what the next one gets of them. */
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { backendJournal } from '../../tests/support/backend-journal.ts'
import { type Backends, startBackends } from '../backends/chain.ts'
import { sqlPlace } from '../backends/sql-place.ts'
import { type BackendHandle, serviceOf } from '../base/backend-handle.ts'
import type { SqlPlace } from './sql.ts'

const journal = backendJournal()
let backends: Backends
beforeAll(async () => {
  const signal = new AbortController().signal
  backends = await startBackends(['postgres'], { external: {}, journal, onProgress: () => {}, signal })
}, 120_000)
afterAll(() => backends?.stop(), 30_000)

const handleOr = (skip: (why?: string) => void): BackendHandle | undefined => {
  const handle = backends.handles.postgres
  if (handle === undefined) skip(backends.missing.postgres?.reason)
  return handle === undefined ? undefined : serviceOf(handle)
}

const databasesOf = async (place: SqlPlace): Promise<number> => (await place.query('SELECT datname FROM pg_database')).length
const oidOf = async (place: SqlPlace): Promise<unknown> =>
  (await place.query('SELECT oid FROM pg_database WHERE datname = current_database()'))[0]!.oid

const reader = { username: 'assay_spare_reader', password: 'spare-reader' }

it('a database that was left is the next one, as a new one is', async ({ skip }) => {
  const handle = handleOr(skip)
  if (handle === undefined) return
  const left = await sqlPlace(handle, 'assay_left', 'left-pw')
  const [oid, count] = [await oidOf(left), await databasesOf(left)]
  await left.schema('other')
  await left.as(left.admin, 'CREATE TABLE public.kept (n int)')
  await left.as(left.admin, 'CREATE TABLE other.kept (n serial)')
  await left.as(left.admin, 'CREATE FUNCTION public.one() RETURNS int LANGUAGE sql AS $$ SELECT 1 $$')
  await left.user(reader, ['SELECT', 'INSERT', 'CREATE'], 'public', 'other')
  await left.query(`GRANT CREATE ON DATABASE assay_left TO ${reader.username}`)
  const stays = new pg.Client({ host: handle.host, port: handle.port, database: 'assay_left', user: 'assay_left', password: 'left-pw' })
  stays.on('error', () => undefined)
  await stays.connect()
  await left.leave()
  await expect(stays.query('SELECT 1')).rejects.toThrow()

  const next = await sqlPlace(handle, 'assay_next', 'next-pw')
  try {
    expect([await oidOf(next), await databasesOf(next)]).toEqual([oid, count])
    expect(await next.login(next.admin)).toBe(true)
    expect(await next.contents()).toEqual([])
    expect(await next.query("SELECT nspname FROM pg_namespace WHERE nspname IN ('public', 'other')")).toEqual([{ nspname: 'public' }])
    expect(await next.as(reader, 'CREATE TABLE public.mine (n int)')).toBe('refused')
    expect(await next.as(reader, 'CREATE SCHEMA mine')).toBe('refused')
    await next.as(next.admin, 'CREATE TABLE public.kept (n int)')
    expect(await next.as(reader, 'SELECT n FROM public.kept')).toBe('refused')
    await expect(next.as(next.admin, 'SELECT public.one()')).rejects.toThrow('one')
    expect(await next.query("SELECT 1 FROM pg_database WHERE datname = 'assay_left'")).toEqual([])
  } finally {
    await next.drop([reader.username, 'assay_left'])
  }
}, 60_000)

it('a database in which something stays is removed', async ({ skip }) => {
  const handle = handleOr(skip)
  if (handle === undefined) return
  const left = await sqlPlace(handle, 'assay_changed', 'left-pw')
  const [oid, count] = [await oidOf(left), await databasesOf(left)]
  await left.query('ALTER DATABASE assay_changed SET search_path TO nowhere')
  await left.leave()
  const next = await sqlPlace(handle, 'assay_next', 'next-pw')
  try {
    expect(await oidOf(next)).not.toBe(oid)
    expect(await databasesOf(next)).toBe(count)
  } finally {
    await next.drop(['assay_changed'])
  }
}, 60_000)
