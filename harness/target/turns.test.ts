/** Turns hold on to nothing of what came of them. */
import { expect, test } from 'vitest'
import { collectGarbage } from '../base/collect-garbage.ts'
import { turnsOf } from './turns.ts'

test('what came of turns is let go of while others still wait', async () => {
  const turns = turnsOf({ concurrency: 2 })
  const came: WeakRef<object>[] = []
  const answer = async (): Promise<void> => {
    const result = (await turns.add(async () => ({ bytes: Buffer.alloc(1000) }))) as object
    came.push(new WeakRef(result))
  }
  let end: () => void = () => undefined
  const waits = () => turns.add(() => new Promise<void>((done) => (end = done)))
  const all = [...Array.from({ length: 50 }, answer), waits(), waits(), answer()]
  await expect.poll(() => came.length).toBe(50)
  // A weak reference holds its value for the rest of the turn in which it was made.
  await new Promise((done) => setImmediate(done))
  collectGarbage()
  expect(turns.size).toBe(1)
  expect(came.filter((one) => one.deref() !== undefined).length).toBeLessThanOrEqual(2)
  end()
  await all.at(-1)
  turns.clear()
})

test('turns come in order', async () => {
  const turns = turnsOf({ concurrency: 1 })
  const seen: number[] = []
  await Promise.all([1, 2, 3, 4].map((number) => turns.add(async () => seen.push(number))))
  expect(seen).toEqual([1, 2, 3, 4])
})
