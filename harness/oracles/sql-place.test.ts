/** What the judges of databases see and make, on real ones. */
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { backendJournal } from '../../tests/support/backend-journal.ts'
import { type Backends, startBackends } from '../backends/chain.ts'
import { sqlPlace } from '../backends/sql-place.ts'
import { serviceOf } from '../base/backend-handle.ts'
import type { SqlPlace } from './sql.ts'

const journal = backendJournal()
let backends: Backends
beforeAll(async () => {
  const signal = new AbortController().signal
  backends = await startBackends(['postgres', 'mariadb'], { external: {}, journal, onProgress: () => {}, signal })
}, 120_000)
afterAll(() => backends?.stop(), 30_000)

const PASSWORD = `a@:/%'"\\ b`
const maker = { username: 'assay_maker', password: PASSWORD }
const writer = { username: 'assay_writer', password: PASSWORD }
const reader = { username: 'assay_reader', password: PASSWORD }

/** The schema that a place has from the start, and a statement that waits. */
const FIRST: Record<string, { schema: string; wait: string }> = {
  postgres: { schema: 'public', wait: 'SELECT pg_sleep(30)' },
  mariadb: { schema: 'assay_judge', wait: 'SELECT SLEEP(30)' },
}

for (const [name, { schema, wait }] of Object.entries(FIRST)) {
  const onPlace = (title: string, judged: (place: SqlPlace) => Promise<void>): void =>
    it(`${name}: ${title}`, async ({ skip }) => {
      if (backends.handles[name] === undefined) return skip(backends.missing[name]?.reason)
      const place = await sqlPlace(serviceOf(backends.handles[name]), 'assay_judge', 'admin-pw')
      try {
        await judged(place)
      } finally {
        await place.drop([maker.username, writer.username, reader.username])
      }
    }, 60_000)

  onPlace('users have exactly the rights that were named, also on tables of later', async (place) => {
    await place.as(place.admin, `CREATE TABLE ${schema}.early (n int)`)
    await place.user(writer, ['SELECT', 'INSERT'], schema)
    await place.user(maker, ['CREATE'], schema)
    await place.user(reader, ['SELECT'], schema)
    await place.as(maker, `CREATE TABLE ${schema}.late (n int)`)
    for (const table of [`${schema}.early`, `${schema}.late`]) {
      const statements = {
        select: `SELECT n FROM ${table}`,
        insert: `INSERT INTO ${table} VALUES (1)`,
        update: `UPDATE ${table} SET n = 2`,
        delete: `DELETE FROM ${table}`,
        drop: `DROP TABLE ${table}`,
      }
      const may = async (login: typeof writer): Promise<string[]> => {
        const allowed: string[] = []
        for (const [about, sql] of Object.entries(statements)) {
          const failed = await place.as(login, sql).then(
            (answer) => answer === 'refused',
            () => true,
          )
          if (!failed) allowed.push(about)
        }
        return allowed
      }
      expect(await may(writer)).toEqual(['select', 'insert'])
      expect(await may(reader)).toEqual(['select'])
    }
    await place.user(writer, ['SELECT'], schema)
    expect(await place.as(writer, `INSERT INTO ${schema}.late VALUES (1)`)).toBe('refused')
    await place.user(writer, ['SELECT', 'INSERT', 'UPDATE'], schema)
    expect(await place.as(writer, `UPDATE ${schema}.late SET n = 3`)).toEqual([])
    await place.retire(maker.username)
    expect(await place.login(maker)).toBe(false)
    expect(await place.as(writer, `SELECT n FROM ${schema}.late`)).toEqual([{ n: 3 }])
  })

  onPlace('every value is seen, in every schema, as text and as bytes', async (place) => {
    await place.schema('assay_other')
    const bytes = name === 'postgres' ? 'bytea' : 'varbinary(20)'
    const value = name === 'postgres' ? `'\\x00ff41'` : `x'00ff41'`
    for (const at of [schema, 'assay_other']) {
      await place.query(`CREATE TABLE ${at}.odd (t varchar(40), n int, b ${bytes}, nothing int)`)
      await place.query(`INSERT INTO ${at}.odd VALUES ('schlüssel ''x''', 7, ${value}, NULL)`)
    }
    const rows = await place.contents()
    expect(rows.map((row) => `${row.schema}.${row.table}`).sort()).toEqual([`assay_other.odd`, `${schema}.odd`].sort())
    for (const { values } of rows) {
      expect(values.map(({ column }) => column)).toEqual(['t', 'n', 'b'])
      expect(values[0]!.text).toBe(`schlüssel 'x'`)
      expect(values[1]!.text).toBe('7')
      expect(values[2]!.bytes).toEqual(Buffer.from([0x00, 0xff, 0x41]))
    }
  })

  onPlace('sessions tell how long they are open and whether they idle', async (place) => {
    await place.user(reader, ['SELECT'], schema)
    const busy = place.as(reader, wait).catch(() => 'ended')
    const [session] = await vi.waitFor(async () => {
      const found = await place.sessions(reader.username)
      expect(found).toHaveLength(1)
      expect(found[0]!.idle).toBe(false)
      return found
    })
    await vi.waitFor(async () => expect((await place.sessions(reader.username))[0]!.openMs).toBeGreaterThan(session!.openMs))
    await place.user(reader, ['SELECT'], schema)
    expect(await busy).toBe('ended')
    await vi.waitFor(async () => expect(await place.sessions(reader.username)).toEqual([]))
  })
}
