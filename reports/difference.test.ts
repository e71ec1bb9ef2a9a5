import { describe, expect, it } from 'vitest'
import type { ClauseOutcome, Results } from '../specs/meta/results.ts'
import { differenceMarkdown, differenceText } from './diff-text.ts'
import { differenceOf, incomparable } from './difference.ts'
import { renderDiffPage } from './page/diff-page.tsx'
import { sampleResults, withMarkup } from './testing/sample-results.ts'

/** The sample with other outcomes of some clauses. */
const withOutcomes = (outcomes: Record<string, ClauseOutcome>, more: Partial<Results> = {}): Results => {
  const results = sampleResults({ proof: false })
  return { ...results, ...more, clauses: results.clauses.map((clause) => ({ ...clause, outcome: outcomes[clause.id] ?? clause.outcome })) }
}

const VIOLATED = 'SSH-VERIFY-02'
const VERIFIED = sampleResults().clauses.find(({ outcome, level }) => outcome === 'verified' && level === 'required')!.id

describe('a difference between two results', () => {
  it('is none between results and themselves', () => {
    const difference = differenceOf(sampleResults(), sampleResults())
    expect(difference.regression).toBe(false)
    expect(differenceText(difference)).toContain('Nothing changed.')
  })
  it('names what is newly violated, why, and that it is a regression', () => {
    const difference = differenceOf(withOutcomes({ [VIOLATED]: 'verified' }), sampleResults())
    expect(difference.violated.map(({ id }) => id)).toEqual([VIOLATED])
    expect(difference.regression).toBe(true)
    expect(differenceText(difference)).toMatch(
      new RegExp(`^staging: Regression: 1 clause newly violated[\\s\\S]*Newly violated[\\s\\S]*${VIOLATED}`),
    )
  })
  it('takes a violation that a known deviation covers for none', () => {
    const results = sampleResults()
    const known = results.clauses.find(({ id }) => id === 'KV-WRITE-01')!
    expect(known.outcome).toBe('violated')
    const difference = differenceOf(withOutcomes({ 'KV-WRITE-01': 'verified' }), results)
    expect(difference.violated.map(({ deviation }) => deviation)).toEqual(['old storage merges objects'])
    expect(difference.regression).toBe(false)
  })
  it('names what was fixed and what is no longer decided', () => {
    const difference = differenceOf(sampleResults(), withOutcomes({ [VIOLATED]: 'verified', [VERIFIED]: 'blocked' }))
    expect(difference.fixed.map(({ id }) => id)).toEqual([VIOLATED])
    expect(difference.blocked.map(({ id }) => id)).toEqual([VERIFIED])
    expect(difference.regression).toBe(true)
  })
  it('names clauses and checks that another version of the suite brought or lost, and what became slower or unstable', () => {
    const results = sampleResults()
    const [first, second, ...checks] = results.checks.filter(({ outcome }) => outcome === 'passed')
    const old = { ...results, clauses: results.clauses.slice(1), checks: [{ ...first!, durationMs: 100 }, ...checks] }
    const other = { ...results, checks: [{ ...first!, durationMs: 1000, stability: 'unstable' as const }, second!] }
    const difference = differenceOf(old, other, 5)
    expect(difference.clausesAdded).toEqual([results.clauses[0]!.id])
    expect(difference.checksAdded).toEqual([second!.id])
    expect(difference.checksGone).toEqual(checks.map(({ id }) => id))
    expect(difference.slower).toEqual([{ id: first!.id, beforeMs: 100, afterMs: 1000, factor: 10 }])
    expect(difference.unstable).toEqual([first!.id])
  })
  it('keeps clauses of another level apart from regressions', () => {
    const results = sampleResults()
    const advised = (one: Results): Results => ({
      ...one,
      clauses: one.clauses.map((clause) => (clause.id === VIOLATED ? { ...clause, level: 'advised', outcome: 'verified' } : clause)),
    })
    const difference = differenceOf(advised(results), results)
    expect(difference.levelChanged.map(({ id, levelBefore, level }) => [id, levelBefore, level])).toEqual([
      [VIOLATED, 'advised', 'required'],
    ])
    expect(difference.violated).toEqual([])
    expect(difference.regression).toBe(false)
    expect(differenceText(difference)).toContain(`Level changed (1)\n  ${VIOLATED} (required, was advised; violated, was verified)`)
    expect(renderDiffPage(difference)).toContain('Level changed')
  })
  it('is refused between targets and between APIs', () => {
    const results = sampleResults()
    expect(incomparable(results, results)).toBeUndefined()
    expect(incomparable(results, { ...results, target: { ...results.target, name: 'production' } })).toMatch(/"staging".*"production"/)
    const [api] = results.target.apis
    expect(incomparable(results, { ...results, target: { ...results.target, apis: [api!] } })).toMatch(/secrets/)
  })
  it('lets text of a server format nothing', () => {
    const hostile = differenceOf(withOutcomes({ [VIOLATED]: 'verified' }), withMarkup(sampleResults(), '"><script>alert(1)</script>'))
    expect(renderDiffPage(hostile)).not.toContain('<script>alert')
    expect(differenceMarkdown(hostile)).not.toContain('<script>')
  })
})
