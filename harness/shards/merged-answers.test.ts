/** What the parts of a run say together of an operation that one of them saw refuse everything. */
import { expect, test } from 'vitest'
import type { CheckResult, Results } from '../../specs/meta/results.ts'
import { decideFromAnswers } from './merged-answers.ts'

const CLAUSE = 'TOY-01'
const check = { id: 'toy/answers', clauses: [CLAUSE], outcome: 'blocked', decisions: [], evidence: [] } as unknown as CheckResult
const refusing = (count: number): Results =>
  ({
    coverage: [{ operation: 'toy.write', requests: count, statuses: { 405: count } }],
    answers: [
      {
        clause: CLAUSE,
        reached: 0,
        findings: [
          {
            message: 'refused',
            expected: 'success',
            seen: '405',
            check: 'toy/write',
            count,
            unserved: 'toy.write',
            exchange: { number: 3 },
          },
        ],
      },
    ],
  }) as unknown as Results
const serving = {
  coverage: [{ operation: 'toy.write', requests: 1, statuses: { 204: 1 } }],
  answers: [{ clause: CLAUSE, reached: 1, findings: [] }],
} as unknown as Results
const decided = (...parts: Results[]): CheckResult => decideFromAnswers(check, parts, new Map([[CLAUSE, 'required']]))

test('refusals of all parts count together', () => {
  expect(decided(refusing(2), refusing(1)).outcome).toBe('blocked')
  expect(decided(refusing(2), refusing(2))).toMatchObject({
    outcome: 'failed',
    reason: 'refused (4 of 4 requests; seen in toy/write)',
    evidence: [{ number: 1 }],
  })
})

test('one part that saw the operation do something outweighs the refusals of the others', () => {
  expect(decided(refusing(9), serving)).toMatchObject({ outcome: 'passed', decisions: [{ clause: CLAUSE, outcome: 'verified' }] })
})
