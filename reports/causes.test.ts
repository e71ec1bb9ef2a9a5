/** Clauses that one defect breaks are one thing to mend; what has another cause stays apart. */
import { expect, it } from 'vitest'
import type { CheckResult, ExchangeRecord } from '../specs/meta/results.ts'
import { causesOf } from './causes.ts'
import { sampleResults } from './testing/sample-results.ts'
import { type Finding, viewOf } from './view.ts'

const results = sampleResults()
const [sample] = viewOf(results).violated as [Finding]
const [failure] = sample.failures as [Finding['failures'][number]]

interface Told {
  operation?: string
  status?: number
  message?: string
  check?: string
  deviation?: string
}

const finding = (
  clause: string,
  { operation = 'kv1.read', status = 200, message = 'm', check = 'kv/a', deviation }: Told = {},
): Finding => {
  const exchange: ExchangeRecord = { ...failure.exchange!, operation, response: { status, headers: {} } }
  const failing: CheckResult = { ...failure.check, id: check }
  return {
    clause: { ...sample.clause, id: clause },
    failures: [{ check: failing, decision: { clause, outcome: 'violated', message }, exchange, beside: [] }],
    ...(deviation === undefined ? {} : { deviation }),
  }
}

const grouped = (findings: Finding[]): string[][] => causesOf(findings).map(({ clauses }) => clauses.map(({ id }) => id))

it('takes together what the same operation, status and message break, whatever values the message names', () => {
  const findings = [
    finding('A', { message: '"x" is missing after 3 writes of key-71a' }),
    finding('B', { operation: 'kv1.write' }),
    finding('C', { message: '"yz" is missing after 12 writes of key-9', check: 'kv/b' }),
  ]
  expect(grouped(findings)).toEqual([['A', 'C'], ['B']])
  expect(causesOf(findings)[0]?.failures.map(({ check }) => check.id)).toEqual(['kv/a', 'kv/b'])
})

it('keeps apart another operation, another status, another message, and what is a known deviation', () => {
  const findings = [
    finding('A'),
    finding('B', { operation: 'kv1.list' }),
    finding('C', { status: 500 }),
    finding('D', { message: 'another' }),
    finding('E', { deviation: 'known' }),
  ]
  expect(grouped(findings)).toEqual([['A'], ['B'], ['C'], ['D'], ['E']])
})

it('names a check once, and keeps apart clauses of which no check says why', () => {
  const [first] = causesOf([finding('A'), finding('B')])
  expect(first?.failures).toHaveLength(1)
  const silent = (id: string): Finding => ({ clause: { ...sample.clause, id }, failures: [] })
  expect(grouped([silent('A'), silent('B')])).toEqual([['A'], ['B']])
})
