/** The pages beside the report, in a real browser: accessible, of the width of a phone, and asking for nothing but themselves. */
import axe from 'axe-core'
import { describe, expect, it } from 'vitest'
import {
  type ContractSite,
  comparisonOf,
  differenceOf,
  nightsOf,
  renderComparePage,
  renderContractSite,
  renderDiffPage,
  renderHistoryPage,
} from '../reports/index.ts'
import { renderPage } from '../reports/page/document.tsx'
import { sampleResults } from '../reports/testing/sample-results.ts'
import { browserWith, lacksBrowser } from './support/browser.ts'

const sample = sampleResults()
const before = { ...sample, clauses: sample.clauses.map((clause) => ({ ...clause, outcome: 'verified' as const })) }

const against = {
  url: 'https://other.example',
  checks: 12,
  exchanges: 340,
  parted: [{ check: 'kv/model', reason: 'asks for kv1.read here, and for kv1.list there' }],
  leftOut: 2,
  differences: [
    { clause: 'KV-WRITE-01', operation: 'kv1.write', place: '', check: 'kv/write-1', here: 'status 204', there: 'status 200', count: 3 },
    { operation: 'kv1.read', place: '/data/a', check: 'kv/read-1', here: 'a number', there: 'nothing', count: 1 },
  ],
}

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
  ...Object.fromEntries(['contract', 'contract with a run', 'engine of a contract'].map((name) => [name, () => contractPages()[name]!])),
  history: () => renderHistoryPage(nightsOf(sample.target.name, nights)),
  'report with a history': () => renderPage({ ...sample, against }, nightsOf(sample.target.name, nights)),
}

const site: ContractSite = {
  version: '0.1.0',
  engines: sample.engines.map(({ id, title }) => ({
    id,
    title,
    api: 'secrets',
    clauses: sample.clauses
      .filter(({ engine }) => engine === id)
      .map(({ outcome: _, checks, reason: __, observations: ___, reproduction: ____, ...clause }) => ({
        ...clause,
        checks: checks.map((check) => ({ id: check, title: 'what it decides', kind: 'scenario' })),
        operations: [`${id}.read`],
      })),
    operations: [
      {
        id: `${id}.read`,
        method: 'GET',
        path: '/{mount}/{path}',
        summary: 'Reads.',
        statuses: ['200', '404'],
        schemas: ['read.json'],
        clauses: [],
      },
    ],
    schemas: [{ name: 'read.json', text: '{ "type": "object" }' }],
  })),
}

const contractPages = (): Record<string, string> => {
  const [plain, withRun] = [renderContractSite(site), renderContractSite(site, sample)]
  return {
    contract: plain.get('index.html')!,
    'contract with a run': withRun.get('index.html')!,
    'engine of a contract': withRun.get('kv.html')!,
  }
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
