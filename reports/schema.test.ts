import { describe, expect, it } from 'vitest'
import { resultsProblems } from './read-results.ts'
import { sampleResults, withMarkup } from './testing/sample-results.ts'

describe('the schema of results.json', () => {
  it('accepts results as they are, with any text in any string, and with members it does not know', () => {
    expect(resultsProblems(sampleResults())).toEqual([])
    expect(resultsProblems(withMarkup(sampleResults(), '</script>'))).toEqual([])
    expect(resultsProblems({ ...sampleResults(), later: 1 })).toEqual([])
  })

  it('names the place of what is wrong', () => {
    const results = sampleResults()
    const wrong = { ...results, verdict: 'fine', clauses: [{ ...results.clauses[0], level: 3 }], stats: { ...results.stats, requests: -1 } }
    const problems = resultsProblems(wrong).join('\n')
    expect(problems).toContain('/verdict: must be equal to one of the allowed values: conformant, nonConformant')
    expect(problems).toContain('/clauses/0/level')
    expect(problems).toContain('/stats/requests: must be >= 0 (found -1)')
  })
})
