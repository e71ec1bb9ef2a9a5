/**
 * The page of a large green run in a browser: milliseconds until it can be used, its elements and its sheets of paper.
 * First word: checks of the run, default 20 000. `ASSAY_CHROMIUM` names the browser; without one the measurement says so.
 */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Browser, chromium } from 'playwright-core'
import { renderPage } from '../reports/page/document.tsx'
import { greenResults } from '../reports/testing/sample-large.ts'

const REPETITIONS = 5
const executablePath = process.env.ASSAY_CHROMIUM ?? '/usr/bin/chromium'
const checks = Number(process.argv[2] ?? 20_000)

interface Opened {
  /** Until the document is read and its script has run. */
  interactiveMs: number
  /** From a search to the one row that it leaves. */
  searchMs: number
  elements: number
  sheets: number
}

const opened = async (browser: Browser, url: string): Promise<Opened> => {
  const page = await browser.newPage()
  await page.goto(url)
  const interactiveMs = await page.evaluate<number>('performance.getEntriesByType("navigation")[0].domContentLoadedEventEnd')
  const elements = await page.evaluate<number>('document.querySelectorAll("*").length')
  const sheets = (await page.pdf({ format: 'A4' })).toString('latin1').match(/\/Type\s*\/Page\b/g)?.length ?? 0
  const begun = performance.now()
  await page
    .locator('#checks')
    .getByLabel('Search')
    .fill(`sample-${checks - 1}`)
  await page.locator('#checks tr[data-nav]:visible').waitFor()
  const searchMs = performance.now() - begun
  await page.close()
  return { interactiveMs, searchMs, elements, sheets }
}

const median = (numbers: number[]): number => Math.round(numbers.toSorted((left, right) => left - right)[Math.floor(numbers.length / 2)]!)

const measure = async (): Promise<object> => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-bench-page-'))
  const browser = await chromium.launch({ executablePath, args: ['--headless', '--no-sandbox', '--disable-gpu'] })
  try {
    const file = join(folder, 'report.html')
    const page = renderPage(greenResults(checks, checks))
    writeFileSync(file, page)
    const all: Opened[] = []
    for (let index = 0; index < REPETITIONS; index += 1) all.push(await opened(browser, pathToFileURL(file).href))
    const [first] = all
    return {
      checks,
      kilobytes: Math.round(Buffer.byteLength(page) / 1000),
      interactiveMs: median(all.map(({ interactiveMs }) => interactiveMs)),
      searchMs: median(all.map(({ searchMs }) => searchMs)),
      elements: first?.elements,
      sheets: first?.sheets,
    }
  } finally {
    await browser.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

console.log(
  JSON.stringify(existsSync(executablePath) ? await measure() : { skipped: `no browser at ${executablePath} (ASSAY_CHROMIUM names one)` }),
)
