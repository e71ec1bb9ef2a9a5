import { expect, test } from 'vitest'
import { loadContract } from '../contract/load.ts'
import type { NumberedExchange } from './history.ts'
import { Ledger } from './ledger.ts'

const exchange = { number: 1 } as NumberedExchange

test('answers that fail in different ways are told apart, those that fail alike are counted', async () => {
  const read = (await loadContract()).operations.get('kv2.read')!
  const ledger = new Ledger()
  const json = 'application/json'
  for (const _ of [1, 2]) ledger.add(read, { status: 404, contentType: json, body: { data: {} }, size: 11 }, 'kv/x', exchange, true)
  ledger.add(read, { status: 400, contentType: undefined, body: undefined, size: 0 }, 'kv/y', exchange, true)
  const { findings, reached } = ledger.clauses.get('CORE-ERROR-01')!
  expect([...findings.values()].map(({ message, count }) => [message, count])).toEqual([
    ["kv2.read answered 404: the body must have required property 'errors'", 2],
    ['kv2.read answered 400 with an empty body', 1],
  ])
  expect(reached).toBe(3)
  // An empty body has nothing that could be labelled wrongly.
  expect(ledger.clauses.get('CORE-MEDIA-01')?.findings.size).toBe(0)
})
