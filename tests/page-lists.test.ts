/** The lists of the page: narrowed by what is asked, by links and by the address, with rows made when they are opened. */
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { renderProofPage } from '../reports/index.ts'
import { renderPage } from '../reports/page/document.tsx'
import { greenResults, redResults } from '../reports/testing/sample-large.ts'
import { sampleResults } from '../reports/testing/sample-results.ts'
import { browserWith, elements, lacksBrowser, sheets } from './support/browser.ts'

describe.skipIf(lacksBrowser())('the lists of the page', () => {
  const sample = sampleResults()
  const { kills = [], variants = [] } = sample
  const { open, urlOf } = browserWith(() => ({
    plain: renderPage(sample),
    green: renderPage(greenResults(1300, 1400)),
    huge: renderPage(greenResults(20_000, 20_000)),
    red: renderPage(redResults(1300)),
    proof: renderProofPage({ kills, variants }),
  }))
  const rows = (page: Page, section: string) => page.locator(`#${section} tr[data-nav]:visible`).count()
  const status = (page: Page, section: string) => page.locator(`#${section} [data-shown]`).textContent()
  const hash = (page: Page) => page.evaluate('location.hash')
  const total = sample.clauses.length

  it('narrow by words, engine, level and outcome, and say so when nothing is left', () =>
    open('plain', async (page) => {
      const clauses = page.locator('#clauses')
      await clauses.getByLabel('Search').fill('one-time accepted')
      expect(await rows(page, 'clauses')).toBe(1)
      expect(await status(page, 'clauses')).toBe(`1 of ${total} match`)
      await clauses.getByRole('button', { name: 'Clear' }).click()
      await clauses.getByLabel('Engine').selectOption('kv')
      expect(await rows(page, 'clauses')).toBe(11)
      await clauses.getByLabel('Level').selectOption('advised')
      expect(await rows(page, 'clauses')).toBe(2)
      await clauses.getByRole('button', { name: /^Warned/ }).click()
      expect(await rows(page, 'clauses')).toBe(1)
      await clauses.getByRole('button', { name: /^Violated/ }).click()
      expect(await rows(page, 'clauses')).toBe(1)
      await clauses.getByLabel('Search').fill('nothing like this')
      expect(await clauses.getByText('No clause matches').isVisible()).toBe(true)
      await clauses.getByRole('button', { name: 'Clear' }).click()
      expect(await status(page, 'clauses')).toBe(`${total} in all`)
      await page
        .locator('#checks')
        .getByRole('button', { name: /^Failed/ })
        .click()
      expect(await rows(page, 'checks')).toBe(4)
    }))

  it('live in the address, which can be passed on, and going back undoes a step', () =>
    open('plain', async (page) => {
      const clauses = page.locator('#clauses')
      await clauses.getByLabel('Engine').selectOption('kv')
      await clauses.getByRole('button', { name: /^Verified/ }).click()
      expect(await hash(page)).toBe('#clauses?clauses.engine=kv&clauses.outcome=verified')
      await clauses.getByLabel('Search').pressSequentially('read')
      expect(await hash(page)).toBe('#clauses?clauses.q=read&clauses.engine=kv&clauses.outcome=verified')
      const narrowed = await status(page, 'clauses')
      const address = page.url()

      await page.goBack()
      expect(await hash(page)).toBe('#clauses?clauses.engine=kv&clauses.outcome=verified')
      await expect.poll(() => clauses.getByLabel('Search').inputValue()).toBe('')
      await page.goBack()
      await expect.poll(() => clauses.getByRole('button', { name: /^Verified/ }).getAttribute('aria-pressed')).toBe('false')
      expect(await rows(page, 'clauses')).toBe(11)
      await page.goBack()
      await expect.poll(() => status(page, 'clauses')).toBe(`${total} in all`)

      await page.goto(address)
      await page.reload()
      expect(await status(page, 'clauses')).toBe(narrowed)
      expect(await clauses.getByLabel('Search').inputValue()).toBe('read')
      await page
        .locator('#checks')
        .getByRole('button', { name: /^Failed/ })
        .click()
      expect(await hash(page)).toBe('#checks?clauses.q=read&clauses.engine=kv&clauses.outcome=verified&checks.outcome=failed')
      await page.locator('.contents').getByRole('link', { name: 'Coverage' }).click()
      expect(await hash(page)).toContain('#coverage?clauses.q=read')
      expect(await status(page, 'clauses')).toBe(narrowed)
    }))

  it('ignore what an address names and the page does not have', () =>
    open('plain', async (page) => {
      for (const odd of ['#clauses?clauses.engine=nobody&clauses.outcome=odd&x=1&%', '#%E0%A4%A', '#clause-NONE', '#?', '#main?']) {
        await page.goto(`${urlOf('plain')}${odd}`)
        await page.reload()
        expect(await status(page, 'clauses'), odd).toBe(`${total} in all`)
      }
    }))

  it('follow a count of an engine to the clauses it counts', () =>
    open('plain', async (page) => {
      await page.locator('.engine', { hasText: 'SSH credentials' }).getByRole('link', { name: 'verified' }).click()
      await expect.poll(() => rows(page, 'clauses')).toBe(6)
      await page.locator('#clauses').getByText('The port of a role is 22').click()
      await page.locator('#clauses').getByText('ssh/role-2').waitFor()
    }))

  it('open what a link names even where a filter hides it', () =>
    open('plain', async (page) => {
      await page.locator('#clauses').getByLabel('Engine').selectOption('kv')
      await page.evaluate("location.hash = '#clause-SSH-ZERO-01'")
      const row = page.locator('[id="clause-SSH-ZERO-01"]')
      await row.locator('details[open] .more').waitFor()
      expect(await page.evaluate('document.activeElement.id')).toBe('clause-SSH-ZERO-01')
      await page.goto(`${urlOf('plain')}#clause-SSH-VERIFY-02`)
      await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('clause-SSH-VERIFY-02')
    }))

  it('narrow the faults of a proof', () =>
    open('proof', async (page) => {
      await page.keyboard.press('/')
      await page.keyboard.type('one-time')
      expect(await page.locator('.faults tr[data-nav]:visible').count()).toBe(1)
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: /^Survived/ }).click()
      expect(await page.locator('.faults tr[data-nav]:visible').allTextContents()).toEqual([expect.stringContaining('ssh-ttl-uncapped')])
    }))

  it('make few elements until they are opened, and few sheets of paper where all is green', () =>
    open('green', async (page) => {
      expect(await elements(page)).toBeLessThan(1500)
      expect(await rows(page, 'clauses')).toBe(0)
      const printed = await sheets(page)
      expect(printed, 'sheets that were counted').toBeGreaterThan(0)
      expect(printed).toBeLessThan(10)
      await page.locator('#clauses').getByRole('button', { name: 'SSH credentials' }).click()
      expect(await rows(page, 'clauses')).toBe(50)
      await page.getByRole('button', { name: /^Show 200 more/ }).click()
      expect(await rows(page, 'clauses')).toBe(250)
      expect(await page.evaluate('document.activeElement.matches("tr[data-nav]:nth-child(52)")')).toBe(true)
    }))

  it('stay as small with 20,000 checks, and find one of them', () =>
    open('huge', async (page) => {
      expect(await elements(page)).toBeLessThan(1500)
      await page.locator('#checks').getByLabel('Search').fill('sample-19999')
      expect(await rows(page, 'checks')).toBe(1)
      expect(await elements(page)).toBeLessThan(1600)
    }))

  it('stay under 5,000 elements where everything is violated for a cause of its own', () =>
    open('red', async (page) => {
      expect(await elements(page)).toBeLessThan(5000)
      const more = page.locator('#violated .further > details')
      await more.locator('> summary').click()
      const last = more.locator('> details').last()
      await last.locator('> summary').click()
      await last.getByText('Expected', { exact: true }).waitFor()
    }))

  it('show on paper nothing that needs a mouse', () =>
    open('plain', async (page) => {
      await page.emulateMedia({ media: 'print' })
      expect(await page.locator('.toolbar:visible, .contents:visible, .copy:visible, .rest:visible').count()).toBe(0)
      expect(await page.locator('#violated .finding:visible').count()).toBe(3)
    }))
})
