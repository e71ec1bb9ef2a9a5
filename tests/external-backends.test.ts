/** Backends that somebody else runs: what a killed run made there is found by its names and removed, and nothing else is touched. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Backends, startBackends } from '../harness/backends/chain.ts'
import { sqlPlace } from '../harness/backends/sql-place.ts'
import { type BackendHandle, serviceOf } from '../harness/base/backend-handle.ts'
import { brokerAdmin } from '../harness/oracles/rabbitmq-management.ts'
import type { SqlPlace } from '../harness/oracles/sql.ts'
import { createReference, type Reference } from '../reference/index.ts'
import { backendJournal } from './support/backend-journal.ts'
import { assay, type Ran, temporaryFolder } from './support/cli.ts'
import { lacksBackend } from './support/needs.ts'

const TOKEN = 'root-token-of-the-external-test'
const KINDS = ['postgres', 'mariadb', 'rabbitmq']

const absent = (await Promise.all(KINDS.map((kind) => lacksBackend(kind, ['local'])))).includes(true)

describe.skipIf(absent)('backends of somebody else', () => {
  const journal = backendJournal()
  let backends: Backends
  let reference: Reference
  let neighbours: SqlPlace[]

  const handle = (name: string): BackendHandle => serviceOf(backends.handles[name])
  const broker = () => brokerAdmin(handle('rabbitmq'))

  beforeAll(async () => {
    const providers = process.env.ASSAY_PROVIDERS
    process.env.ASSAY_PROVIDERS = 'local'
    backends = await startBackends(KINDS, {
      external: {},
      journal,
      onProgress: () => {},
      signal: new AbortController().signal,
    })
    if (providers === undefined) delete process.env.ASSAY_PROVIDERS
    else process.env.ASSAY_PROVIDERS = providers
    reference = await createReference({ tls: false, rootToken: TOKEN }).listen()
    // Names that begin like ours and are not.
    neighbours = [
      await sqlPlace(handle('postgres'), 'assay_results', 'of-somebody-else-1'),
      await sqlPlace(handle('mariadb'), 'assay_results', 'of-somebody-else-2'),
    ]
    await broker().createVhost('assay-results')
    await broker().createAdministrator('assay-abc123-reader', 'of-somebody-else-3')
  }, 180_000)
  afterAll(async () => {
    for (const place of neighbours) await place.close()
    await reference.close()
    await backends.stop()
  }, 60_000)

  /** Names of databases, users and virtual hosts on all three. */
  const objects = async (): Promise<string[]> => {
    const [postgres, mariadb] = neighbours as [SqlPlace, SqlPlace]
    const rows = [
      ...(await postgres.query('SELECT datname AS name FROM pg_database UNION ALL SELECT rolname FROM pg_roles')),
      ...(await mariadb.query('SELECT schema_name AS name FROM information_schema.schemata UNION ALL SELECT User FROM mysql.user')),
    ]
    return [...rows.map(({ name }) => String(name)), ...(await broker().names())].sort()
  }

  const configured = (): string => {
    const folder = temporaryFolder()
    const external = Object.fromEntries(
      KINDS.map((kind) => {
        const { host, port, username, password, extra } = handle(kind)
        const query = extra.managementPort === undefined ? '' : `?managementPort=${extra.managementPort}`
        return [kind, `${kind}://${username}:${encodeURIComponent(password)}@${host}:${port}/${extra.database ?? ''}${query}`]
      }),
    )
    const target = {
      api: 'secrets',
      url: reference.url,
      engines: ['database', 'broker', 'transform'],
      identities: { root: { token: TOKEN } },
      backends: external,
    }
    writeFileSync(join(folder, 'assay.config.json'), JSON.stringify({ targets: [target] }))
    return folder
  }

  const certify = (folder: string, words: string[], during?: Parameters<typeof assay>[1]): Promise<Ran> =>
    assay(['certify', '--config', 'assay.config.json', '--effort', 'quick', ...words], { folder, ...during })

  /** Sessions of users, and in databases, that a run has made. */
  const sessions = async (): Promise<string[]> => {
    const [postgres, mariadb] = neighbours as [SqlPlace, SqlPlace]
    const rows = [
      ...(await postgres.query("SELECT concat('postgres ', usename, ' in ', datname) AS name FROM pg_stat_activity")),
      ...(await mariadb.query("SELECT CONCAT('mariadb ', user, ' in ', COALESCE(db, '')) AS name FROM information_schema.processlist")),
    ]
    return rows.map(({ name }) => String(name)).filter((name) => /assay_[a-z0-9]{6}_/.test(name))
  }

  /** Kills a run once names of these shapes are there. */
  const killed = async (folder: string, words: string[], shapes: RegExp[], names = objects): Promise<void> => {
    const before = await objects()
    let over = false
    let watching = Promise.resolve()
    // Checks of outages let the target connect through the run itself: who kills the run takes that way from the target.
    const ran = await certify(folder, words, {
      during: ({ kill }) => {
        watching = (async () => {
          while (!over) {
            const made = (await names()).filter((name) => !before.includes(name))
            if (shapes.every((shape) => made.some((name) => shape.test(name)))) return kill('SIGKILL')
            await new Promise((done) => setTimeout(done, 100))
          }
        })()
      },
    })
    over = true
    await watching
    expect(ran.code, ran.all).toBe(null)
    expect((await objects()).length).toBeGreaterThan(before.length)
  }

  /** Kills a run once it has made something on each of the three, users of names in both cases among it. */
  const killedOnEach = (folder: string): Promise<void> =>
    killed(folder, ['--engine', 'database,broker', '--kind', 'model,race'], [/^assay_.*_db_/, /_uSer_/, /^assay-.*-vhost-/, /^s-/])

  const journals = (folder: string): string[] => readdirSync(join(folder, 'journal'))

  test('clean removes what a killed run made there, users of the target included', { timeout: 180_000 }, async () => {
    const folder = configured()
    const before = await objects()
    await killedOnEach(folder)
    const [journal] = journals(folder)
    for (const kind of KINDS) expect(readFileSync(join(folder, 'journal', journal!), 'utf8')).not.toContain(handle(kind).password)
    const asked = await assay(['clean'], { folder })
    expect(asked.code, asked.all).toBe(3)
    expect(asked.stdout).toContain('assay clean --config FILE')
    const cleaned = await assay(['clean', '--config', 'assay.config.json'], { folder })
    expect(cleaned.code, cleaned.all).toBe(0)
    expect(await objects()).toEqual(before)
    expect(journals(folder)).toEqual([])
  })

  test('the next run with the same configuration removes it too', { timeout: 180_000 }, async () => {
    const folder = configured()
    const before = await objects()
    await killedOnEach(folder)
    const next = await certify(folder, ['--engine', 'database,broker', '--check', '*/creds-unknown'])
    expect(next.code, next.all).toBe(0)
    expect(await objects()).toEqual(before)
    expect(journals(folder)).toEqual([])
  })

  test('databases and users of token stores go at the next start, and the sessions that the target keeps with them', {
    timeout: 180_000,
  }, async () => {
    const folder = configured()
    const before = await objects()
    const shapes = [/^postgres assay_.*_user_/, /^mariadb assay_.*_user_/]
    await killed(folder, ['--engine', 'transform', '--check', 'transform/postgres-*,transform/mariadb-*'], shapes, sessions)
    expect(await sessions()).not.toEqual([])
    const next = await certify(folder, ['--engine', 'transform', '--check', 'transform/*-never-there'])
    expect(next.code, next.all).toBe(0)
    expect(await objects()).toEqual(before)
    expect(await sessions()).toEqual([])
    expect(journals(folder)).toEqual([])
  })
})
