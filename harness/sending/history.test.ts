import { expect, test } from 'vitest'
import { countingExpect } from '../checks/expect.ts'
import type { Operation } from '../contract/contract.ts'
import type { Answer } from '../target/exchange.ts'
import { learnedAnswer } from '../target/learned.ts'
import { evidenceFor, History } from './history.ts'

const operation = { id: 'kv1.read' } as Operation
const answered = (history: History, text: string, size = 0): Answer => {
  const bytes = Buffer.concat([Buffer.from(text), Buffer.alloc(size)])
  const { number } = history.add({
    operation,
    caller: 'root',
    token: undefined,
    request: { method: 'GET', path: '/', headers: {} },
    answer: learnedAnswer({ status: 200, headers: {}, bytes }, () => undefined),
    indeterminate: false,
    startedAt: 0,
    durationMs: 1,
  })
  return history.watched({ exchange: number, status: 200, data: JSON.parse(text), text } as unknown as Answer)
}

test('an assertion is about the answer that was looked into for it', () => {
  const history = new History()
  const first = answered(history, '{"a":1}')
  answered(history, '{"a":2}')
  const value = first.data.a
  expect(history.locator()(value)).toBe(1)
})

test('an answer that is judged itself is looked into for that assertion alone', () => {
  const history = new History()
  const count = countingExpect(() => undefined, history)
  const read = answered(history, '{"a":1}')
  const listed = answered(history, '{"keys":["one"]}').data.keys
  count(read).toHaveStatus(200)
  expect(() => count(listed).toEqual(['two'])).toThrow(expect.objectContaining({ exchange: 2 }))
})

test('a value that another answer holds is shown by that one', () => {
  const history = new History()
  const first = answered(history, '{"name":"a-long-name","n":1}')
  const second = answered(history, '{"name":"another-name"}')
  const name = first.data.name
  second.data.name?.toString()
  expect(history.locator()(name)).toBe(1)
  expect(history.locator()(7)).toBe(2)
})

test('what a decision looks into is known, judged answers included', () => {
  const history = new History()
  const [first, second, third] = ['{}', '{}', '{}'].map((text) => answered(history, text))
  first!.data
  const looked = history.looking()
  second!.data
  countingExpect(() => undefined, history)(third).toHaveStatus(200)
  expect(looked()).toEqual([2, 3])
})

test('else about the latest answer that holds the value, else about the latest exchange', () => {
  const history = new History()
  const { name } = answered(history, '{"name":"a-long-name"}').data
  answered(history, '{"a":2}')
  expect(history.locator()(name)).toBe(1)
  answered(history, '{"a":2}')
  expect(history.locator()(false)).toBe(3)
})

test('what a decision names is kept, whatever follows; of the rest the latest', () => {
  const history = new History()
  answered(history, '{}')
  history.keep(1)
  for (let more = 0; more < 2_500; more += 1) answered(history, '{}')
  expect(history.kept[0]?.number).toBe(1)
  expect(history.kept.length).toBeLessThanOrEqual(2_001)
  for (let more = 0; more < 100; more += 1) answered(history, '{}', 60_000)
  expect(history.kept[0]?.number).toBe(1)
  expect(history.kept.length).toBeLessThanOrEqual(72)
  expect(history.count).toBe(2_601)
})

test('evidence is each exchange that a decision names, and what led there', () => {
  const history = new History()
  for (let more = 0; more < 100; more += 1) answered(history, '{}')
  const numbers = (decisive: number[]) => evidenceFor(history.kept, decisive).map(({ number }) => number)
  expect(numbers([3, 60])).toEqual([1, 2, 3, 52, 53, 54, 55, 56, 57, 58, 59, 60].filter((n) => n <= 3 || n >= 52))
  const many = Array.from({ length: 20 }, (_, index) => index * 4 + 1)
  expect(numbers(many)).toEqual(many)
  expect(numbers([])).toEqual([89, 90, 91, 92, 93, 94, 95, 96, 97, 98, 99, 100])
})

test('of a large answer the beginning, the size and the hash are recorded', () => {
  const history = new History()
  answered(history, '{"a":1}', 5_000_000)
  const bytes = Buffer.from(history.kept[0]!.answer!.bytes)
  expect(bytes.length).toBeLessThan(10_000)
  expect(bytes.toString('utf8')).toMatch(/^\{"a":1\}[\s\S]*… \(5000007 bytes, SHA-256 [0-9a-f]{64}\)$/)
})

test('a check holds on to little, however many large answers it gets', () => {
  const history = new History()
  for (let more = 0; more < 200; more += 1) answered(history, '{"a":1}', 400_000)
  expect(history.kept.reduce((sum, { answer }) => sum + answer!.bytes.length, 0)).toBeLessThan(4_300_000)
})
