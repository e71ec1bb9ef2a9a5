import { describe, expect, test } from 'vitest'
import type { ClauseResult, EngineResult } from '../../specs/meta/results.ts'
import type { RunContext } from './context.ts'
import type { Matched } from './deviations.ts'
import type { CheckRun } from './execute.ts'
import { gateOf } from './gate.ts'
import type { Plan } from './plan.ts'

const context = (aborted = false) => ({ signal: aborted ? AbortSignal.abort() : new AbortController().signal }) as RunContext
const plan = (fields: Partial<Plan> = {}): Plan => ({
  engines: ['kv'],
  checks: [],
  narrowed: false,
  narrowedWithin: false,
  asked: [],
  unclaimed: [],
  leftOut: [],
  ...fields,
})
const decided = { check: { id: 'kv/a' }, outcome: 'passed', decisions: [{ clause: 'KV-1', outcome: 'verified' }] } as unknown as CheckRun
const idle = { ...decided, decisions: [] } as CheckRun
const engine = { id: 'kv', verdict: 'conformant' } as EngineResult
const clause = (outcome: ClauseResult['outcome']) =>
  ({ id: 'KV-1', level: 'required', outcome, checks: ['kv/a'] }) as unknown as ClauseResult
const matched = (fields: Partial<Matched> = {}): Matched => ({ records: [], reasons: new Map(), uncovered: [], ...fields })

describe('the gate', () => {
  test('is incomplete where an engine that was asked for lacks its backend', () => {
    const lacking = { id: 'broker', verdict: 'not-claimed', reason: 'no RabbitMQ', cure: 'install it' } as EngineResult
    const of = (asked: string[]) => gateOf(context(), plan({ asked }), [decided], [engine, lacking], [clause('verified')], matched())
    expect(of([]).gate).toBe('passed')
    expect(of(['kv', 'broker'])).toEqual({
      gate: 'incomplete',
      gateReasons: ['broker was asked for and cannot be tested here: no RabbitMQ: install it'],
    })
  })
  test('passes where everything selected was decided and holds', () => {
    expect(gateOf(context(), plan(), [decided], [engine], [clause('verified')], matched()).gate).toBe('passed')
  })
  test('fails on a violation that no deviation covers', () => {
    const uncovered = [{ clause: 'KV-1', check: 'kv/a', outcome: 'violated' as const, reason: 'no' }]
    expect(gateOf(context(), plan(), [decided], [engine], [clause('violated')], matched({ uncovered }))).toEqual({
      gate: 'failed',
      gateReasons: ['KV-1 is violated'],
    })
  })
  test.each([
    ['a required clause is blocked', context(), plan(), [decided], clause('blocked'), 'KV-1 was not decided: no check reached it'],
    ['the run was cut short', context(true), plan(), [decided], clause('verified'), 'the run was cut short'],
    ['what was asked for is not claimed', context(), plan({ unclaimed: ['ssh'] }), [decided], clause('verified'), 'ssh was asked for'],
    ['nothing decided anything', context(), plan(), [idle], clause('verified'), 'no check of the selection decided anything'],
  ])('is incomplete where %s', (_, of, selection, runs, one, reason) => {
    const { gate, gateReasons } = gateOf(of, selection, runs, [engine], [one], matched())
    expect(gate).toBe('incomplete')
    expect(gateReasons.join()).toContain(reason)
  })
})
