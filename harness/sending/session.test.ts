import { expect, test } from 'vitest'
import type { RunnableCheck } from '../checks/vocabulary.ts'
import { type ClauseDecision, Session } from './session.ts'

const LONG = 'a long text of the target '.repeat(100_000)

const CASES: Partial<ClauseDecision>[] = [
  { message: LONG },
  { expected: { member: LONG } },
  { seen: [LONG] },
  { value: LONG },
  { value: { status: 200, body: LONG } },
]

test.each(CASES)('of what a decision is given little is kept, case %#', (given) => {
  const session = new Session({ id: 'kv/long' } as RunnableCheck)
  for (let count = 0; count < 10; count += 1) session.decide({ clause: 'KV-V1-01', outcome: 'observed', ...given })
  expect(JSON.stringify(session.decisions).length).toBeLessThan(1_000_000)
})

test('short values are kept as they are', () => {
  const session = new Session({ id: 'kv/short' } as RunnableCheck)
  const decision: ClauseDecision = { clause: 'KV-V1-01', outcome: 'violated', message: 'no', expected: { a: 1 }, seen: [2], value: null }
  session.decide(decision)
  expect(session.decisions).toEqual([decision])
})
