import { expect, test } from 'vitest'
import type { CheckRun } from '../running/check-run.ts'
import { misleading } from './shown-evidence.ts'

const exchange = (number: number, operation: string, status: number, body: unknown): CheckRun['exchanges'][number] =>
  ({ number, operation: { id: operation }, answer: { status, headers: {}, bytes: Buffer.from(JSON.stringify(body)) } }) as never

const exchanges = [exchange(1, 'kv1.read', 404, { errors: [] }), exchange(2, 'kv1.list', 200, { data: { keys: ['a-long-name'] } })]
const decision = { clause: 'KV-LIST-01', outcome: 'violated' as const }

test('the operation and status of a message are those of an exchange that is shown', () => {
  const message = 'expected a refusal (4xx); kv1.list answered 200 {}'
  expect(misleading({ exchanges }, { ...decision, message, exchange: 1 })).toContain('kv1.list answered 200, and kv1.read is shown')
  expect(misleading({ exchanges }, { ...decision, message, exchange: 2 })).toBeUndefined()
  expect(misleading({ exchanges }, { ...decision, message, exchange: 1, beside: [2] })).toBeUndefined()
})

test('a value that was seen stands in what is shown, unless no answer holds it', () => {
  expect(misleading({ exchanges }, { ...decision, seen: ['a-long-name'], exchange: 1 })).toContain('2 (kv1.list) holds the value')
  expect(misleading({ exchanges }, { ...decision, seen: ['a-long-name'], exchange: 2 })).toBeUndefined()
  expect(misleading({ exchanges }, { ...decision, seen: 'made of it', exchange: 1 })).toBeUndefined()
})

test('an object is never shown as its kind', () => {
  expect(misleading({ exchanges }, { ...decision, message: 'got [object Object]', exchange: 2 })).toContain('shows no value')
})
