/** The page in a real browser: it opens, is searched and clicked, is accessible, prints whole, and runs nothing of a server's. */
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import axe from 'axe-core'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { chromium } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { renderProofPage, renderReports } from '../reports/index.ts'
import { sampleResults, withMarkup } from '../reports/testing/sample-results.ts'
import { isAbsent } from './support/needs.ts'

const CHROMIUM = process.env.ASSAY_CHROMIUM ?? '/usr/bin/chromium'
const ARGUMENTS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]
/** Markup that would set a global, open a dialog, load or navigate if any of it came alive. */
const MARKUP =
  '"\'></script></style></title><script>window.hit=1;alert(1)</script><img src=x onerror="window.hit=1"><svg onload="window.hit=1">' +
  '<a href="javascript:window.hit=1">x</a><iframe srcdoc="<script>parent.hit=1</script>"></iframe><base href="https://elsewhere.example/"><!--'

const absent = isAbsent(`a browser at ${CHROMIUM} (apt-get install chromium, or name one in ASSAY_CHROMIUM)`, existsSync(CHROMIUM))

describe.skipIf(absent)('the page in a browser', () => {
  let browser: Browser
  let folder: string
  const urls: Record<string, string> = {}

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'assay-page-'))
    const samples = {
      plain: sampleResults(),
      large: sampleResults({ extra: 860 }),
      hostile: withMarkup(sampleResults(), MARKUP),
    }
    for (const [name, results] of Object.entries(samples)) {
      await renderReports(results, join(folder, name), ['html', 'junit'])
      urls[name] = pathToFileURL(join(folder, name, 'report.html')).href
    }
    const { kills = [], variants = [] } = samples.plain
    urls.proof = pathToFileURL(join(folder, 'proof.html')).href
    await writeFile(join(folder, 'proof.html'), renderProofPage({ kills, variants, unproven: ['KV-META-01'] }))
    browser = await chromium.launch({ executablePath: CHROMIUM, args: ARGUMENTS })
  }, 60_000)
  afterAll(async () => {
    await browser?.close()
    await rm(folder, { recursive: true, force: true })
  })

  /** Opens a sample and fails the test on a script error, a dialog, or a request for anything but the file. */
  const open = async (name: string, use: (page: Page, trouble: string[]) => Promise<void>, options: BrowserContextOptions = {}) => {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, reducedMotion: 'reduce', ...options })
    const trouble: string[] = []
    try {
      const page = await context.newPage()
      page.on('pageerror', (error) => trouble.push(`error: ${error.message}`))
      page.on('console', (message) => trouble.push(`console: ${message.text()}`))
      page.on('dialog', (dialog) => {
        trouble.push(`dialog: ${dialog.message()}`)
        void dialog.dismiss()
      })
      page.on('request', (request) => {
        if (!request.url().startsWith('data:') && !request.url().startsWith(urls[name]!)) trouble.push(`request: ${request.url()}`)
      })
      await page.goto(urls[name]!)
      await use(page, trouble)
      expect(trouble).toEqual([])
    } finally {
      await context.close()
    }
  }

  const shown = (page: Page, section: string) => page.locator(`#${section} tr[data-row]:visible`).count()
  const status = (page: Page, section: string) => page.locator(`#${section} [data-shown]`).textContent()
  const total = sampleResults().clauses.length

  it('says the verdict and the gate first, and shows all clauses', () =>
    open('plain', async (page) => {
      expect(await page.locator('h1').textContent()).toBe('Non-conformant')
      expect(await page.locator('.gate-word').textContent()).toBe('Gate failed')
      expect(await shown(page, 'clauses')).toBe(total)
      expect(await status(page, 'clauses')).toBe(`${total} of ${total} shown`)
    }))

  it('narrows clauses by words, engine, level and outcome, and says so when nothing is left', () =>
    open('plain', async (page) => {
      const clauses = page.locator('#clauses')
      await clauses.getByLabel('Search').fill('one-time accepted')
      expect(await shown(page, 'clauses')).toBe(1)
      expect(await status(page, 'clauses')).toBe(`1 of ${total} shown`)
      await clauses.getByRole('button', { name: 'Clear' }).click()
      await clauses.getByLabel('Engine').selectOption('kv')
      expect(await shown(page, 'clauses')).toBe(11)
      await clauses.getByLabel('Level').selectOption('advised')
      expect(await shown(page, 'clauses')).toBe(2)
      await clauses.getByRole('button', { name: 'Warned' }).click()
      expect(await shown(page, 'clauses')).toBe(1)
      await clauses.getByRole('button', { name: 'Violated' }).click()
      expect(await shown(page, 'clauses')).toBe(1)
      await clauses.getByLabel('Search').fill('nothing like this')
      expect(await clauses.getByText('No clause matches').isVisible()).toBe(true)
      await clauses.getByRole('button', { name: 'Clear' }).click()
      expect(await shown(page, 'clauses')).toBe(total)
      await page.locator('#checks').getByRole('button', { name: 'Failed' }).click()
      expect(await shown(page, 'checks')).toBe(4)
    }))

  it('follows a count of an engine to the clauses it counts', () =>
    open('plain', async (page) => {
      await page.locator('.card', { hasText: 'SSH credentials' }).getByRole('link', { name: 'verified' }).click()
      expect(await shown(page, 'clauses')).toBe(6)
      await page.locator('#clauses').getByText('The port of a role is 22').click()
      expect(await page.getByText('ssh/role-2').first().isVisible()).toBe(true)
    }))

  it('opens a deep link even where a filter hides it', () =>
    open('plain', async (page) => {
      await page.locator('#clauses').getByLabel('Engine').selectOption('kv')
      await page.evaluate("location.hash = '#clause-SSH-ZERO-01'")
      const row = page.locator('[id="clause-SSH-ZERO-01"]')
      await row.locator('details[open]').waitFor()
      expect(await row.isVisible()).toBe(true)
      expect(await page.evaluate('document.activeElement.id')).toBe('clause-SSH-ZERO-01')
      await page.goto(`${urls.plain}#clause-SSH-VERIFY-02`)
      expect(await page.evaluate('document.activeElement.id')).toBe('clause-SSH-VERIFY-02')
    }))

  it('is used by keyboard: skip link, search, next and previous, open all, clear', () =>
    open('plain', async (page) => {
      await page.keyboard.press('Tab')
      expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to the results')
      await page.keyboard.press('/')
      await page.keyboard.type('token')
      expect(await shown(page, 'clauses')).toBeLessThan(total)
      await page.keyboard.press('Escape')
      expect(await shown(page, 'clauses')).toBe(total)
      await page.evaluate('scrollTo(0, 0)')
      await page.keyboard.press('j')
      const first = await page.evaluate('document.activeElement.id')
      expect(first).toBe('clause-CORE-METHOD-02')
      await page.keyboard.press('j')
      expect(await page.evaluate('document.activeElement.id')).toBe('clause-CORE-ERROR-01')
      await page.keyboard.press('k')
      expect(await page.evaluate('document.activeElement.id')).toBe(first)
      await page.keyboard.press('e')
      expect(await page.locator('details:not([open])').count()).toBe(0)
      await page.keyboard.press('e')
      expect(await page.locator('details[open]').count()).toBe(0)
    }))

  it('narrows the faults of a proof', () =>
    open('proof', async (page) => {
      await page.keyboard.press('/')
      await page.keyboard.type('one-time')
      expect(await shown(page, 'proof')).toBe(1)
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: 'Survived' }).click()
      expect(await page.locator('#proof tr[data-row]:visible').allTextContents()).toEqual([expect.stringContaining('ssh-ttl-uncapped')])
    }))

  it('copies a curl line', () =>
    open(
      'plain',
      async (page) => {
        const finding = page.locator('[id="clause-SSH-VERIFY-02"]')
        await finding.getByRole('button', { name: 'Copy: curl' }).first().click()
        await finding.getByText('Copied').waitFor()
        expect(await page.evaluate('navigator.clipboard.readText()')).toContain('curl -sS -X POST')
      },
      { permissions: ['clipboard-read', 'clipboard-write'] },
    ))

  it('is complete without its script', () =>
    open(
      'plain',
      async (page) => {
        expect(await shown(page, 'clauses')).toBe(total)
        expect(await page.locator('.toolbar:visible').count()).toBe(0)
        await page.getByText('A value that was written is read back unchanged.').first().click()
        expect(await page.getByText('kv/read-1').first().isVisible()).toBe(true)
      },
      { javaScriptEnabled: false },
    ))

  it('prints with everything opened and nothing that needs a mouse', () =>
    open('plain', async (page) => {
      await page.emulateMedia({ media: 'print' })
      expect(await page.locator('.toolbar:visible, .contents:visible, .copy:visible').count()).toBe(0)
      await page.evaluate("dispatchEvent(new Event('beforeprint'))")
      expect(await page.locator('details:not([open])').count()).toBe(0)
      expect((await page.pdf()).length).toBeGreaterThan(20_000)
    }))

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
          await page.keyboard.press('e')
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
      await page.keyboard.press('e')
      for (const button of await page.locator('#clauses .chip').all()) await button.click()
      await page.locator('#clauses').getByRole('button', { name: 'Clear' }).click()
      await page.waitForTimeout(300)
      expect(await page.evaluate('window.hit')).toBeUndefined()
      expect(await page.locator('img, iframe, base, script:not([type=module])').count()).toBe(0)
      expect(await page.locator('a[href^="javascript:"]').count()).toBe(0)
      expect(await page.locator('h1').textContent()).toBe('Non-conformant')
    }))

  it('has a policy that stops script even if markup got in', () =>
    open('plain', async (page, trouble) => {
      await page.evaluate(`document.body.insertAdjacentHTML('beforeend', '<img src="data:," onerror="window.hit=1">')
        const script = document.createElement('script'); script.textContent = 'window.hit=2'; document.body.append(script)`)
      await page.waitForTimeout(200)
      expect(await page.evaluate('window.hit')).toBeUndefined()
      expect(trouble.splice(0).join('\n')).toContain('Content Security Policy')
    }))

  it('writes JUnit that a strict XML reader reads', () =>
    open('plain', async (page) => {
      const xml = readFileSync(join(folder, 'hostile', 'junit.xml'), 'utf8')
      const count = `((text) => { const found = new DOMParser().parseFromString(text, 'text/xml'); return found.querySelector('parsererror')?.textContent ?? found.querySelectorAll('testcase').length })`
      expect(await page.evaluate(`${count}(${JSON.stringify(xml)})`)).toBe(sampleResults().checks.length)
    }))

  it('stays quick with 900 clauses', () =>
    open('large', async (page) => {
      const before = performance.now()
      await page.locator('#clauses').getByLabel('Search').fill('field number 8')
      expect(await shown(page, 'clauses')).toBeGreaterThan(50)
      expect(performance.now() - before).toBeLessThan(5000)
    }))
})
