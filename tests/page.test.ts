/** The page in a real browser: it opens, is read by keyboard and without script, is accessible, and runs nothing of a server's. */
import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { renderProofPage } from '../reports/index.ts'
import { renderJunit } from '../reports/junit.ts'
import { renderPage } from '../reports/page/document.tsx'
import { reasonsApart } from '../reports/standing.ts'
import { sampleResults, withMarkup } from '../reports/testing/sample-results.ts'
import { browserWith, lacksBrowser } from './support/browser.ts'

/** Markup that would set a global, open a dialog, load or navigate if any of it came alive. */
const MARKUP =
  '"\'></script></style></title><script>window.hit=1;alert(1)</script><img src=x onerror="window.hit=1"><svg onload="window.hit=1">' +
  '<a href="javascript:window.hit=1">x</a><iframe srcdoc="<script>parent.hit=1</script>"></iframe><base href="https://elsewhere.example/"><!--'

/** Opens every group and everything that can be opened, in it too. */
const openAll = async (page: Page): Promise<void> => {
  await page.evaluate("for (const group of document.querySelectorAll('.group button[aria-expanded=false]')) group.click()")
  await page.locator('main').focus()
  await page.keyboard.press('e')
  await expect.poll(() => page.locator('details > script').count()).toBe(0)
}

describe.skipIf(lacksBrowser())('the page in a browser', () => {
  const sample = sampleResults()
  const hostile = withMarkup(sampleResults(), MARKUP)
  const { kills = [], variants = [] } = sample
  const { open } = browserWith(() => ({
    plain: renderPage(sample),
    hostile: renderPage(hostile),
    proof: renderProofPage({ kills, variants, unproven: ['KV-META-01'] }),
  }))

  const rows = (page: Page, section: string) => page.locator(`#${section} tr[data-nav]:visible`).count()
  const status = (page: Page, section: string) => page.locator(`#${section} [data-shown]`).textContent()
  const focused = (page: Page) => page.evaluate('document.activeElement.id')
  const total = sample.clauses.length

  it('says the verdict and the gate first, and how much there is', () =>
    open('plain', async (page) => {
      expect(await page.locator('h1').textContent()).toBe('Non-conformant')
      expect(await page.locator('.gate-word').textContent()).toBe('Gate failed')
      expect(await status(page, 'clauses')).toBe(`${total} in all`)
    }))

  it('is used by keyboard: skip link, search, next and previous, open all, clear', () =>
    open('plain', async (page) => {
      await page.keyboard.press('Tab')
      expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to the results')
      await page.keyboard.press('/')
      await page.keyboard.type('token')
      expect(await status(page, 'clauses')).toMatch(new RegExp(`^\\d+ of ${total} match$`))
      await page.keyboard.press('Escape')
      expect(await status(page, 'clauses')).toBe(`${total} in all`)
      await page.evaluate('scrollTo(0, 0)')
      await page.keyboard.press('j')
      expect(await focused(page)).toBe('clause-CORE-METHOD-02')
      await page.keyboard.press('j')
      expect(await focused(page)).toBe('clause-CORE-ERROR-01')
      await page.keyboard.press('k')
      expect(await focused(page)).toBe('clause-CORE-METHOD-02')
      await page.keyboard.press('e')
      expect(await page.locator('details:not([open]):visible').count()).toBe(0)
      await page.keyboard.press('e')
      expect(await page.locator('details[open]:visible').count()).toBe(0)
    }))

  it('opens and closes a group by keyboard, and keeps the focus', () =>
    open('plain', async (page) => {
      const group = page.locator('#checks').getByRole('button', { name: 'Core conventions' })
      await group.focus()
      await page.keyboard.press('Enter')
      expect(await group.getAttribute('aria-expanded')).toBe('true')
      expect(await rows(page, 'checks')).toBeGreaterThan(5)
      expect(await page.evaluate('document.activeElement.ariaExpanded')).toBe('true')
      await page.keyboard.press('Enter')
      expect(await rows(page, 'checks')).toBe(0)
    }))

  it('copies a curl line', () =>
    open(
      'plain',
      async (page) => {
        const finding = page.locator('[id="clause-SSH-VERIFY-02"]')
        await finding.locator('> summary').click()
        await finding.getByRole('button', { name: 'Copy: curl' }).first().click()
        await finding.getByText('Copied').waitFor()
        expect(await page.evaluate('navigator.clipboard.readText()')).toContain('curl -sS -X POST')
        await finding.getByText('2 more exchanges').click()
        await finding.getByRole('button', { name: 'Copy: curl' }).nth(1).click()
        await finding.getByText('Copied').first().waitFor()
        await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toContain('/creds/otp')
      },
      { permissions: ['clipboard-read', 'clipboard-write'] },
    ))

  it('is read without its script: verdict, gate, violations with what shows them, engines', () =>
    open(
      'plain',
      async (page) => {
        expect(await page.locator('.toolbar:visible').count()).toBe(0)
        for (const { id, text } of sample.clauses.filter((clause) => clause.outcome === 'violated')) {
          const card = page.locator(`[id="clause-${id}"]`)
          expect(await card.getByText(text).isVisible()).toBe(true)
          if ((await card.getAttribute('open')) === null) await card.locator('> summary').click()
          expect(await card.getByText('Expected', { exact: true }).isVisible()).toBe(true)
          expect(await card.getByText('Response', { exact: true }).isVisible()).toBe(true)
        }
        expect(await page.getByText('The script of this page makes the rows').first().isVisible()).toBe(true)
      },
      { javaScriptEnabled: false },
    ))

  it.each([
    ['light', 1280, 'plain'],
    ['dark', 1280, 'plain'],
    ['light', 768, 'plain'],
    ['light', 320, 'plain'],
    ['dark', 320, 'plain'],
    ['light', 1280, 'hostile'],
    ['light', 1280, 'proof'],
    ['dark', 320, 'proof'],
  ] as const)(
    'has nothing for axe to object to: %s, %i pixels, %s',
    (colorScheme, width, name) =>
      open(
        name,
        async (page) => {
          await openAll(page)
          const violations = await page.evaluate(
            `${axe.source}\n;axe.run(document, { rules: { region: { enabled: true } } }).then((found) => found.violations.map((one) => one.id + ': ' + one.nodes.slice(0, 3).map((node) => node.target + ' ' + node.failureSummary).join(' | ')))`,
          )
          expect(violations).toEqual([])
          if (name !== 'hostile') expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0)
        },
        { colorScheme, viewport: { width, height: 800 } },
      ),
    60_000,
  )

  it('runs nothing of what a server wrote, wherever it wrote it', () =>
    open('hostile', async (page) => {
      await openAll(page)
      for (const button of await page.locator('#clauses .chip').all()) await button.click()
      await page.locator('#clauses').getByRole('button', { name: 'Clear' }).click()
      await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
      expect(await page.evaluate('window.hit')).toBeUndefined()
      expect(await page.locator('img, iframe, base, script:not([type=module], [type="application/json"])').count()).toBe(0)
      expect(await page.locator('a[href^="javascript:"], [onload], [onerror]').count()).toBe(0)
      expect(await page.locator('#checks td').getByText('<img src=x onerror').first().isVisible()).toBe(true)
      expect(await page.locator('h1').textContent()).toBe('Non-conformant')
    }))

  it('has a policy that stops script even if markup got in', () =>
    open('plain', async (page, trouble) => {
      await page.evaluate(`document.body.insertAdjacentHTML('beforeend', '<img src="data:," onerror="window.hit=1">')
        const script = document.createElement('script'); script.textContent = 'window.hit=2'; document.body.append(script)`)
      await expect.poll(() => trouble.filter((one) => one.includes('Content Security Policy')).length).toBeGreaterThan(1)
      expect(await page.evaluate('window.hit')).toBeUndefined()
      trouble.splice(0)
    }))

  it('writes JUnit that a strict XML reader reads', () =>
    open('plain', async (page) => {
      const xml = renderJunit(hostile)
      const count = `((text) => { const found = new DOMParser().parseFromString(text, 'text/xml'); return found.querySelector('parsererror')?.textContent ?? found.querySelectorAll('testcase').length })`
      expect(await page.evaluate(`${count}(${JSON.stringify(xml)})`)).toBe(hostile.checks.length + reasonsApart(hostile).length)
    }))
})
