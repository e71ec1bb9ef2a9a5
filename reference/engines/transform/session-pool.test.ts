import { expect, test } from 'vitest'
import { fakeClock } from '../../core/clock.ts'
import { type PoolLimits, SessionPool } from './session-pool.ts'
import type { SqlSession } from './sql-kind.ts'

/** A pool on sessions that only count themselves. */
const poolOf = (limits: PoolLimits) => {
  const clock = fakeClock()
  const open = new Set<number>()
  const lost = new Map<number, () => void>()
  let made = 0
  let most = 0
  const pool = new SessionPool(limits, clock, async () => {
    made += 1
    const id = made
    open.add(id)
    most = Math.max(most, open.size)
    const session: SqlSession = {
      run: async () => [{ id }],
      close: async () => void open.delete(id),
      onLost: (action) => void lost.set(id, action),
    }
    return session
  })
  const used = (): Promise<unknown> => pool.use(async (session) => (await session.run([]))[0]!.id)
  return { pool, clock, open, lost, used, most: () => most }
}

const many = (count: number, work: () => Promise<unknown>): Promise<unknown[]> => Promise.all(Array.from({ length: count }, work))

test('no more sessions are open than may be, and no more stay than may idle', async () => {
  const { used, open, most } = poolOf({ open: 3, idle: 2, lifetime: 0 })
  await many(20, used)
  expect(most()).toBe(3)
  expect(open.size).toBe(2)
})

test('a session that is too old is ended where it idles, and used no more', async () => {
  const { used, open, clock } = poolOf({ open: 1, idle: 1, lifetime: 10 })
  expect([await used(), await used()]).toEqual([1, 1])
  await clock.advance(11)
  expect(open.size).toBe(0)
  expect(await used()).toBe(2)
})

test('a session that the database ended, or that met a failure, is replaced', async () => {
  const { pool, used, lost, open } = poolOf({ open: 1, idle: 1, lifetime: 0 })
  await used()
  lost.get(1)!()
  expect(await used()).toBe(2)
  await expect(pool.use(() => Promise.reject(new Error('it broke')))).rejects.toThrow('it broke')
  expect(await used()).toBe(3)
  expect([...open]).toEqual([3])
})

test('a pool that is closed ends its sessions once their work is done', async () => {
  const { pool, used, open } = poolOf({ open: 2, idle: 2, lifetime: 0 })
  const work = many(4, used)
  await pool.close()
  await work
  expect(open.size).toBe(0)
})
