/** The pages beside the report, in a real browser: accessible, of the width of a phone, and asking for nothing but themselves. */
import axe from 'axe-core'
import { describe, expect, it } from 'vitest'
import { comparisonOf, differenceOf, nightsOf, renderComparePage, renderDiffPage, renderHistoryPage } from '../reports/index.ts'
import { renderPage } from '../reports/page/document.tsx'
import { sampleResults } from '../reports/testing/sample-results.ts'
import { browserWith, lacksBrowser } from './support/browser.ts'

const sample = sampleResults()
const before = { ...sample, clauses: sample.clauses.map((clause) => ({ ...clause, outcome: 'verified' as const })) }

const nights = [before, sample, sample].map((results, at) => ({ ...results, startedAt: `2026-11-2${at}T02:00:00.000Z` }))

const PAGES: Record<string, () => string> = {
  diff: () => renderDiffPage(differenceOf(before, sample)),
  compare: () =>
    renderComparePage(
      comparisonOf([
        { results: sample, report: 'one/report.html' },
        { results: { ...before, target: { ...before.target, name: 'another implementation' } } },
      ]),
    ),
  history: () => renderHistoryPage(nightsOf(sample.target.name, nights)),
  'report with a history': () => renderPage(sample, nightsOf(sample.target.name, nights)),
}

describe.skipIf(lacksBrowser())('published pages', () => {
  const { open } = browserWith(() => Object.fromEntries(Object.entries(PAGES).map(([name, render]) => [name, render()])))

  it.each(
    Object.keys(PAGES).flatMap((name) => [
      [name, 'light', 1280] as const,
      [name, 'dark', 1280] as const,
      [name, 'light', 360] as const,
      [name, 'dark', 360] as const,
    ]),
  )(
    '%s has nothing for axe to object to: %s, %i pixels',
    (name, colorScheme, width) =>
      open(
        name,
        async (page) => {
          const violations = await page.evaluate(
            `${axe.source}\n;axe.run(document, { rules: { region: { enabled: true } } }).then((found) => found.violations.map((one) => one.id + ': ' + one.nodes.slice(0, 3).map((node) => node.target + ' ' + node.failureSummary).join(' | ')))`,
          )
          expect(violations).toEqual([])
          expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0)
        },
        { colorScheme, viewport: { width, height: 800 } },
      ),
    60_000,
  )
})
