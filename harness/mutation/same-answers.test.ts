import { describe, expect, it } from 'vitest'
import type { Operation } from '../contract/contract.ts'
import { type Answers, firstDifference, leavesOfAnswer } from './same-answers.ts'

const answersOf = (run: string, ...bodies: unknown[]): Answers => {
  const exchanges = bodies.map((body) => ({
    operation: { id: 'toy.read' } as Operation,
    answer: { status: 200, headers: { date: String(Math.random()) }, bytes: Buffer.from(JSON.stringify(body)) } as never,
  }))
  return new Map([['toy/check', exchanges.map((exchange) => leavesOfAnswer(exchange, run))]])
}

/** Two clean runs: the name of the run is in what they made, and each was given another token. */
const clean = (): [Answers, Answers] => [
  answersOf('aaaaaa', { name: 'assay-aaaaaa-1', token: 't.123' }, ['x']),
  answersOf('bbbbbb', { name: 'assay-bbbbbb-1', token: 't.456' }, ['x']),
]

describe('answers beside those of the clean server', () => {
  it('do not differ by the names of the run and by what the server chooses', () => {
    expect(firstDifference(clean(), answersOf('cccccc', { name: 'assay-cccccc-1', token: 't.789' }, ['x']))).toBeUndefined()
  })

  it.each([
    ['a value', [{ name: 'assay-cccccc-', token: 't.789' }, ['x']], '/name "assay-*-" instead of "assay-*-1"'],
    ['a member that came', [{ name: 'assay-cccccc-1', token: 't.789', more: 1 }, ['x']], '/more 1 instead of absent'],
    ['a member that went', [{ name: 'assay-cccccc-1' }, ['x']], '/token absent instead of "t.123"'],
    ['the length of what the server chooses', [{ name: 'assay-cccccc-1', token: 't.7890' }, ['x']], '/token "t.7890" instead of "t.123"'],
    ['a list', [{ name: 'assay-cccccc-1', token: 't.789' }, []], ' 0 items instead of 1 items'],
    ['the number of exchanges', [{ name: 'assay-cccccc-1', token: 't.789' }], '1 exchanges instead of 2'],
  ])('differ by %s', (_, bodies, words) => {
    expect(firstDifference(clean(), answersOf('cccccc', ...bodies))).toContain(words)
  })
})
