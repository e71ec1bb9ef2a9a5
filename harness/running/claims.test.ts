import { describe, expect, it } from 'vitest'
import type { CheckDefinition } from '../checks/vocabulary.ts'
import type { Operation } from '../contract/contract.ts'
import type { CheckRun } from './check-run.ts'
import { splitClaims, unclaimedEngines, withoutUnreachable } from './claims.ts'

const check = (id: string, options: Partial<CheckDefinition> = {}): CheckDefinition => ({
  id,
  engine: 'shell',
  clauses: [`CLAUSE-${id.toUpperCase()}`],
  title: id,
  kind: 'scenario',
  needs: {},
  deadline: 1000,
  body: async () => undefined,
  ...options,
})

const onHost = check('on-host', { needs: { backends: ['host'] } })
const plain = check('plain')
/** Decided by the answers of `shell.enter` alone. */
const schema: CheckDefinition = { id: 'a/schema', engine: 'a', clauses: ['CLAUSE-SCHEMA'], title: '', kind: 'contract', needs: {} }

const enter = { id: 'shell.enter', engine: 'shell', api: 'a', clause: 'CLAUSE-SCHEMA', responses: {} } as unknown as Operation

const means = (backends: Record<string, never> = {}) => ({
  backends,
  missingBackends: { host: { reason: 'no host', remedy: 'get one' } },
  contract: { operations: new Map([[enter.id, enter]]) } as never,
  targets: new Map(),
})

const run = (of: CheckDefinition, outcome: CheckRun['outcome']): CheckRun =>
  ({ check: of, outcome, decisions: [], exchanges: [], exchangeCount: 0, durationMs: 0, notes: {} }) as CheckRun

const all = [onHost, plain, schema]

describe('claims', () => {
  it('leave out the checks that lack a backend, and none where everything is claimed', () => {
    expect(splitClaims(means(), all, false)).toEqual({ checks: [plain, schema], notClaimed: [onHost] })
    expect(splitClaims(means(), all, true)).toEqual({ checks: all, notClaimed: [] })
    expect(splitClaims(means({ host: {} as never }), all, false)).toEqual({ checks: all, notClaimed: [] })
  })

  it('leave out a clause that only the answers to such a check could have decided, with what it lacks', () => {
    const split = splitClaims(means(), all, false)
    const left = withoutUnreachable(means(), split, [run(plain, 'passed'), run(schema, 'blocked')])
    expect(left.runs.map((one) => one.check.id)).toEqual(['plain'])
    expect(left.notClaimed).toEqual([onHost, { ...schema, needs: { backends: ['host'] } }])
  })

  it.each([
    ['a check of the same operations was blocked for another reason', [run(plain, 'blocked'), run(schema, 'blocked')]],
    ['a check of the same operations broke off', [run(plain, 'errored'), run(schema, 'blocked')]],
    ['its answers came', [run(plain, 'passed'), run(schema, 'passed')]],
  ])('keep the clause where %s', (_, runs) => {
    const split = splitClaims(means(), all, false)
    expect(withoutUnreachable(means(), split, runs)).toEqual({ ...split, runs })
  })

  it('keep the clause where no check lacks anything, or only checks of other operations do', () => {
    const runs = [run(plain, 'passed'), run(schema, 'blocked')]
    const nothing = splitClaims(means(), [plain, schema], false)
    expect(withoutUnreachable(means(), nothing, runs)).toEqual({ ...nothing, runs })
    const other = splitClaims(means(), [plain, schema, { ...onHost, engine: 'other' }], false)
    expect(withoutUnreachable(means(), other, runs)).toEqual({ ...other, runs })
  })

  it('say of an engine none of whose checks can run what it lacks', () => {
    expect(unclaimedEngines(means(), { checks: [schema], notClaimed: [onHost] }, ['shell'])).toEqual([
      { id: 'shell', reason: 'no host', remedy: 'get one' },
    ])
    expect(unclaimedEngines(means(), { checks: [plain], notClaimed: [onHost] }, ['shell'])).toEqual([])
  })
})
