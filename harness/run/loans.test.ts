import { expect, test } from 'vitest'
import { Loans } from './loans.ts'

const [a, b] = [{ id: 'a' }, { id: 'b' }]

test('what is free is lent, and the same borrower has it again', async () => {
  const loans = new Loans()
  const [one, two] = [{}, {}]
  expect([await loans.take(one, [a, b]), await loans.take(two, [a, b]), await loans.take(one, [a, b])]).toEqual([a, b, a])
})

test('who waits has what is given back, in the order of asking', async () => {
  const loans = new Loans()
  const [one, two, three] = [{}, {}, {}]
  await loans.take(one, [a])
  const order: string[] = []
  const waiting = [two, three].map((borrower, at) => loans.take(borrower, [a]).then(() => order.push(`${at}`)))
  const again = loans.take(two, [a])
  loans.giveBack(one)
  expect(await again).toEqual(a)
  loans.giveBack(two)
  await Promise.all(waiting)
  expect(order).toEqual(['0', '1'])
})

test('who gives up waiting is passed over', async () => {
  const loans = new Loans()
  const [one, two, three] = [{}, {}, {}]
  await loans.take(one, [a])
  void loans.take(two, [a])
  const third = loans.take(three, [a])
  loans.giveBack(two)
  loans.giveBack(one)
  expect(await third).toEqual(a)
})
