import { expect, test } from 'vitest'
import type { Answer } from '../target/exchange.ts'
import { sparingOne } from './sparing-one.ts'

const answers = (...worked: boolean[]) => {
  const left = worked.map((ok) => ({ ok }) as Answer)
  return async () => left.shift()!
}

test('one thing of several may need a second try', async () => {
  const spared = sparingOne()
  expect((await spared(answers(true))).ok).toBe(true)
  expect((await spared(answers(false, true))).ok).toBe(true)
  expect((await spared(answers(true))).ok).toBe(true)
})

test('a second thing that fails at first has failed', async () => {
  const spared = sparingOne()
  await spared(answers(false, true))
  expect((await spared(answers(false, true))).ok).toBe(false)
})

test('what fails twice has failed', async () => {
  expect((await sparingOne()(answers(false, false, true))).ok).toBe(false)
})
