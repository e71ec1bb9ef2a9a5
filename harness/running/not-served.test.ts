import { describe, expect, it } from 'vitest'
import { Refused } from '../base/errors.ts'
import { loadContract } from '../contract/load.ts'
import { clauseNotServed } from './not-served.ts'

const contract = await loadContract()
const [operation] = [...contract.operations.values()].filter(
  ({ method, clause, parameters }) => method === 'POST' && clause !== undefined && parameters.length === 0,
)
const named = [...contract.operations.values()].find(({ clause, parameters }) => clause !== undefined && parameters.length > 0)!
const about = (clause: string | undefined, kind: 'scenario' | 'model' = 'scenario') => ({ clauses: [clause!] as [string], kind })

describe('an operation that a target does not serve', () => {
  const { id, clause } = operation!

  it.each([404, 405, 501])('violates the clause that states it where set-up got %d', (status) => {
    expect(clauseNotServed(contract, about(clause), new Refused(id, status, ''))).toBe(clause)
  })

  it('blocks where the check is about something else, was drawn, or was refused in another way', () => {
    expect(clauseNotServed(contract, about('X-01'), new Refused(id, 405, ''))).toBeUndefined()
    expect(clauseNotServed(contract, about(clause, 'model'), new Refused(id, 405, ''))).toBeUndefined()
    for (const status of [400, 403, 500, 503]) expect(clauseNotServed(contract, about(clause), new Refused(id, status, ''))).toBeUndefined()
    expect(clauseNotServed(contract, about(clause), new Error('anything else'))).toBeUndefined()
  })

  it('is not what 404 for something with a name means', () => {
    expect(clauseNotServed(contract, about(named.clause), new Refused(named.id, 404, ''))).toBeUndefined()
    expect(clauseNotServed(contract, about(named.clause), new Refused(named.id, 405, ''))).toBe(named.clause)
  })
})
