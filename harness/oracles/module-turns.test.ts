import { expect, it } from 'vitest'
import { ModuleTurns } from './module-turns.ts'

/** Work that ends when it is told to, and says how it is to end. */
const held = () => {
  let end = (_value: string): void => undefined
  let starts = 0
  const work = () => {
    starts += 1
    return new Promise<string>((resolve) => {
      end = resolve
    })
  }
  return { work, end: (value = 'good') => end(value), starts: () => starts }
}

const settled = async (): Promise<void> => {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve()
}
const failed = (result: string): boolean => result === 'bad'

it('a failure alone is a failure, and is not tried again', async () => {
  const turns = new ModuleTurns()
  const [one] = [held()]
  const result = turns.beside(one.work, failed)
  await settled()
  one.end('bad')
  expect(await result).toBe('bad')
  expect(one.starts()).toBe(1)
})

it('a failure beside others is tried once more, alone, also where the other began later', async () => {
  const turns = new ModuleTurns()
  const [one, other] = [held(), held()]
  const result = turns.beside(one.work, failed)
  const second = turns.beside(other.work, failed)
  await settled()
  one.end('bad')
  await settled()
  expect(one.starts(), 'while the other runs').toBe(1)
  other.end()
  await second
  await settled()
  expect(one.starts(), 'alone').toBe(2)
  one.end('bad')
  expect(await result).toBe('bad')
})

it('an error beside others is tried again too, and one alone is thrown', async () => {
  const turns = new ModuleTurns()
  const other = held()
  const beside = turns.beside(other.work)
  let calls = 0
  const result = turns.beside(async () => {
    calls += 1
    throw new Error(`call ${calls}`)
  })
  await settled()
  other.end()
  await beside
  await expect(result).rejects.toThrow('call 2')
})

it('nobody is beside who asked to be alone, and later ones wait behind', async () => {
  const turns = new ModuleTurns()
  const [first, alone, later] = [held(), held(), held()]
  const all = [turns.beside(first.work), turns.alone(alone.work), turns.beside(later.work)]
  await settled()
  expect([first, alone, later].map((one) => one.starts())).toEqual([1, 0, 0])
  first.end()
  await settled()
  expect([alone, later].map((one) => one.starts())).toEqual([1, 0])
  alone.end()
  await settled()
  expect(later.starts()).toBe(1)
  later.end()
  expect(await Promise.all(all)).toEqual(['good', 'good', 'good'])
})

it('work that is alone uses the module without waiting for itself, and an error gives the turn back', async () => {
  const turns = new ModuleTurns()
  const nested = turns.alone(async () => {
    expect(await turns.beside(async () => 'inner')).toBe('inner')
    expect(await turns.alone(async () => 'innermost')).toBe('innermost')
    throw new Error('outer')
  })
  await expect(nested).rejects.toThrow('outer')
  expect(await turns.beside(async () => 'next')).toBe('next')
})
