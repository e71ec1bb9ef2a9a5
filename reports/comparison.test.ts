import { describe, expect, it } from 'vitest'
import type { ClauseOutcome, Results } from '../specs/meta/results.ts'
import { comparisonText } from './compare-text.ts'
import { comparisonOf } from './comparison.ts'
import { renderComparePage } from './page/compare-page.tsx'
import { sampleResults, withMarkup } from './testing/sample-results.ts'

const named = (name: string, outcomes: Record<string, ClauseOutcome> = {}): Results => {
  const results = sampleResults({ proof: false })
  const clauses = results.clauses.map((clause) => ({ ...clause, outcome: outcomes[clause.id] ?? clause.outcome }))
  return { ...results, target: { ...results.target, name }, clauses }
}

const VIOLATED = 'SSH-VERIFY-02'
const two = comparisonOf([
  { results: named('one') },
  { results: named('other', { [VIOLATED]: 'verified' }), report: '../other/report.html' },
])

describe('a comparison of implementations', () => {
  it('marks the clauses that hold on one and not on another, and no others', () => {
    expect(two.clauses.filter(({ differs }) => differs).map(({ id, outcomes }) => [id, outcomes])).toEqual([
      [VIOLATED, ['violated', 'verified']],
    ])
    expect(comparisonText(two)).toContain('1 on some and not on others')
  })

  it('has every engine and clause of all, with the place of what one of them lacks empty', () => {
    const without = named('less')
    const less = {
      ...without,
      engines: without.engines.slice(1),
      clauses: without.clauses.filter(({ engine }) => engine !== without.engines[0]!.id),
    }
    const { engines, clauses } = comparisonOf([{ results: less }, { results: named('whole') }])
    expect(engines.find(({ id }) => id === without.engines[0]!.id)?.standings).toEqual([
      null,
      expect.objectContaining({ verdict: expect.any(String) }),
    ])
    expect(clauses.length).toBe(without.clauses.length)
    expect(clauses.filter(({ outcomes }) => outcomes[0] === null).length).toBe(without.clauses.length - less.clauses.length)
  })

  it('tells implementations of one name apart', () => {
    const [one, other] = [named('same'), { ...named('same'), run: 'second' }]
    const names = comparisonOf([{ results: one }, { results: other }]).implementations.map(({ name }) => name)
    expect(new Set(names).size).toBe(2)
  })

  it('links reports beside it, and nothing that could run', () => {
    expect(renderComparePage(two)).toContain('href="../other/report.html"')
    const odd = comparisonOf([{ results: named('a'), report: 'javascript:alert(1)' }, { results: named('b') }])
    expect(renderComparePage(odd)).not.toContain('javascript:alert')
  })

  it('lets no text of a server become markup', () => {
    const markup = '"\'><script>alert(1)</script>'
    const page = renderComparePage(comparisonOf([{ results: withMarkup(named('a'), markup) }, { results: named('b') }]))
    expect(page).not.toContain('<script>alert(1)')
  })
})
