import { expect, test } from 'vitest'
import { Reservations } from './reservations.ts'

const [a, b] = [{ id: 'a' }, { id: 'b' }]

test('what is free is reserved, and the same holder has it again', async () => {
  const reservations = new Reservations()
  const [one, two] = [{}, {}]
  expect([
    await reservations.reserve(one, [a, b]),
    await reservations.reserve(two, [a, b]),
    await reservations.reserve(one, [a, b]),
  ]).toEqual([a, b, a])
})

test('who waits has what is released, in the order of asking', async () => {
  const reservations = new Reservations()
  const [one, two, three] = [{}, {}, {}]
  await reservations.reserve(one, [a])
  const order: string[] = []
  const waiting = [two, three].map((holder, at) => reservations.reserve(holder, [a]).then(() => order.push(`${at}`)))
  const again = reservations.reserve(two, [a])
  reservations.release(one)
  expect(await again).toEqual(a)
  reservations.release(two)
  await Promise.all(waiting)
  expect(order).toEqual(['0', '1'])
})

test('who gives up waiting is passed over', async () => {
  const reservations = new Reservations()
  const [one, two, three] = [{}, {}, {}]
  await reservations.reserve(one, [a])
  void reservations.reserve(two, [a])
  const third = reservations.reserve(three, [a])
  reservations.release(two)
  reservations.release(one)
  expect(await third).toEqual(a)
})
