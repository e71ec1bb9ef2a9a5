/** Pages of results, opened in a real browser that reports whatever a page does beyond showing itself. */
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { chromium } from 'playwright-core'
import { afterAll, beforeAll, expect } from 'vitest'
import { isAbsent } from './needs.ts'

export const CHROMIUM = process.env.ASSAY_CHROMIUM ?? '/usr/bin/chromium'
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

/** Whether tests with a browser are to be skipped here. */
export const lacksBrowser = (): boolean =>
  isAbsent(`a browser at ${CHROMIUM} (apt-get install chromium, or name one in ASSAY_CHROMIUM)`, existsSync(CHROMIUM))

/** Opens a page by its name and fails the test on a script error, a dialog, or a request for anything but the file. */
export type Open = (name: string, use: (page: Page, trouble: string[]) => Promise<void>, options?: BrowserContextOptions) => Promise<void>

/**
 * Starts a browser for the tests of a file and stops it after them.
 *
 * @param pages documents by name, made when the tests start
 * @returns how a page is opened, and the address of one
 */
export const browserWith = (pages: () => Record<string, string>): { open: Open; urlOf: (name: string) => string } => {
  let browser: Browser
  let folder: string
  const urlOf = (name: string): string => pathToFileURL(join(folder, `${name}.html`)).href

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'assay-page-'))
    await Promise.all(Object.entries(pages()).map(([name, text]) => writeFile(join(folder, `${name}.html`), text)))
    browser = await chromium.launch({ executablePath: CHROMIUM, args: ARGUMENTS })
  }, 60_000)
  afterAll(async () => {
    await browser?.close()
    await rm(folder, { recursive: true, force: true })
  })

  const open: Open = async (name, use, options = {}) => {
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
        if (!request.url().startsWith('data:') && !request.url().startsWith(urlOf(name))) trouble.push(`request: ${request.url()}`)
      })
      await page.goto(urlOf(name))
      await use(page, trouble)
      expect(trouble).toEqual([])
    } finally {
      await context.close()
    }
  }
  return { open, urlOf }
}

/** How many elements a page has. */
export const elements = (page: Page): Promise<number> => page.evaluate<number>('document.querySelectorAll("*").length')

/** How many sheets of paper a page takes. */
export const sheets = async (page: Page): Promise<number> =>
  (await page.pdf({ format: 'A4' })).toString('latin1').match(/\/Type\s*\/Page\b/g)?.length ?? 0
