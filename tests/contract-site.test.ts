/** The contract as pages: whole, linked within itself, searched and found by its address from a file, with outcomes where a run is given. */
import { beforeAll, describe, expect, test } from 'vitest'
import { siteOf } from '../harness/cli/contract-contents.ts'
import type { Contract } from '../harness/contract/contract.ts'
import { loadContract } from '../harness/contract/load.ts'
import { type ContractSite, renderContractSite } from '../reports/index.ts'
import { sampleResults } from '../reports/testing/sample-results.ts'
import { browserWith, lacksBrowser } from './support/browser.ts'

let contract: Contract
let site: ContractSite
let pages: Map<string, string>

beforeAll(async () => {
  contract = await loadContract()
  site = await siteOf(contract)
  pages = renderContractSite(site)
})

const idsIn = (page: string): Set<string> => new Set([...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id!))

test('has a page for each engine with each of its clauses, operations and schemas', () => {
  expect([...pages.keys()]).toEqual(['index.html', ...[...contract.engines.keys()].map((id) => `${id}.html`)])
  for (const { id, engine } of contract.clauses.values()) expect(pages.get(`${engine}.html`), id).toContain(`id="clause-${id}"`)
  for (const { id, engine } of contract.operations.values()) expect(pages.get(`${engine}.html`), id).toContain(`id="operation-${id}"`)
  expect(site.engines.find(({ id }) => id === 'kv')?.operations.find(({ id }) => id === 'kv1.read')?.schemas).toEqual(['v1-read.json'])
})

test('leads nowhere that is not there', () => {
  const ids = new Map([...pages].map(([name, page]) => [name, idsIn(page)]))
  const broken = [...pages].flatMap(([name, page]) =>
    [...page.matchAll(/ href="([^"]+)"/g)]
      .map(([, href]) => href!)
      .filter((href) => !href.startsWith('data:') && !href.includes('?'))
      .filter((href) => {
        const [file, fragment] = href.split('#')
        const known = ids.get(file === '' ? name : file!)
        return known === undefined || (fragment !== undefined && !known.has(decodeURIComponent(fragment)))
      })
      .map((href) => `${name}: ${href}`),
  )
  expect(broken).toEqual([])
})

test('says which checks decide a clause, or why none does', () => {
  for (const { clauses } of site.engines)
    for (const { id, checks, excluded } of clauses) expect(checks.length > 0 || excluded !== undefined, id).toBe(true)
})

test('lets no text of a result become markup', () => {
  const results = sampleResults()
  const markup = '<script>alert(1)</script>'
  const hostile = {
    ...results,
    clauses: results.clauses.map((clause) => ({ ...clause, id: 'KV-V1-01', outcome: 'blocked' as const, reason: markup })),
  }
  for (const [name, page] of renderContractSite(site, hostile)) expect(page, name).not.toContain('<script>alert(1)')
})

describe.skipIf(lacksBrowser())('in a browser', () => {
  const results = {
    ...sampleResults(),
    clauses: [{ ...sampleResults().clauses[0]!, id: 'KV-V1-04', engine: 'kv', outcome: 'violated' as const }],
  }
  const { open, urlOf } = browserWith(() => {
    const withRun = renderContractSite(site, results)
    return { index: withRun.get('index.html')!, kv: withRun.get('kv.html')! }
  })

  test('clauses are searched and narrowed by what became of them', () =>
    open('index', async (page) => {
      const clauses = page.locator('#clauses')
      await clauses.getByLabel('Search').fill('KV-V1-04')
      await expect.poll(() => page.locator('#clauses tr[data-nav]:visible').count()).toBe(1)
      await clauses.getByRole('button', { name: 'Clear' }).click()
      await clauses.getByRole('button', { name: /^Violated/ }).click()
      await expect
        .poll(() => page.locator('#clauses tr[data-nav]:visible').allTextContents())
        .toEqual([expect.stringContaining('KV-V1-04')])
    }))

  test('an address leads to its clause', () =>
    open('kv', async (page) => {
      await page.goto(`${urlOf('kv')}#clause-KV-V1-04`)
      await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('clause-KV-V1-04')
      expect(await page.locator('#clause-KV-V1-04').getByText('Violated').isVisible()).toBe(true)
    }))
})
