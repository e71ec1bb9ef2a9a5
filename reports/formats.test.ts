/** Every format on realistic results, and on results in which every string tries to break out. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { FORMATS, readResults, terminalSummary, WRITERS } from './index.ts'
import { renderJunit } from './junit.ts'
import { renderMarkdown } from './markdown.ts'
import { renderPage } from './page/document.tsx'
import { renderSarif } from './sarif.ts'
import { sampleResults, withMarkup } from './testing/sample-results.ts'

const ESCAPE = '\u001b[2J\u009b\u202e]]>&amp;<img src=x onerror=alert(1)>"\'`|[a](javascript:b)'
const UNSEEN = /(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}\p{Noncharacter_Code_Point}]/u
const results = sampleResults()
const hostile = withMarkup(results, ESCAPE)
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'assay-reports-'))
})
afterAll(async () => rm(folder, { recursive: true }))

it('results.json is the first format, and reads back the same', async () => {
  expect(FORMATS.slice(0, 5).map((format) => WRITERS[format].file)).toEqual([
    'results.json',
    'report.html',
    'junit.xml',
    'summary.md',
    'report.sarif',
  ])
  const file = join(folder, 'results.json')
  await writeFile(file, WRITERS.json.render(results))
  expect(await readResults(file)).toEqual(results)
})

it.each(FORMATS)('%s holds no character that acts instead of being seen', (format) => {
  expect(WRITERS[format].render(hostile)).not.toMatch(UNSEEN)
})

describe('an unstable check', () => {
  it('has a line of its own in every format, and a failed one has not', () => {
    const [first, ...others] = results.checks
    const unstable = {
      ...first!,
      id: 'kv/wavers',
      outcome: 'passed' as const,
      stability: 'unstable' as const,
      reason: 'failed once and held',
    }
    const shown = [
      terminalSummary({ ...results, checks: [unstable, ...others] }),
      renderMarkdown({ ...results, checks: [unstable, ...others] }),
      renderJunit({ ...results, checks: [unstable, ...others] }),
      renderSarif({ ...results, checks: [unstable, ...others] }),
    ]
    for (const text of shown) expect(text).toMatch(/kv\/wavers(?::|&#58;) failed once and held/)
    const page = renderPage({ ...results, checks: [unstable, ...others] })
    expect(page).toMatch(/<section id="unstable".*?kv\/wavers.*?failed once and held.*?<\/section>/s)
    expect(page).toContain('href="#unstable"')
    const failed = { ...unstable, outcome: 'failed' as const }
    expect(terminalSummary({ ...results, checks: [failed, ...others] })).not.toContain('Unstable')
    expect(renderPage({ ...results, checks: [failed, ...others] })).not.toContain('id="unstable"')
  })
})

describe('readResults', () => {
  const refusal = async (text: string) => {
    const file = join(folder, 'bad.json')
    await writeFile(file, text)
    return readResults(file).then(
      () => 'accepted',
      (error: Error) => error.message,
    )
  }

  it('refuses a missing file, other text than JSON and other JSON than results, in words', async () => {
    await expect(readResults(join(folder, 'absent.json'))).rejects.toThrow('absent.json does not exist')
    expect(await refusal('{"a":')).toContain('bad.json: is not JSON: ')
    expect(await refusal('[]')).toContain('top level: must be object (found [])')
    expect(await refusal(JSON.stringify({ ...results, gate: 'open' }))).toContain(
      '/gate: must be equal to one of the allowed values: passed',
    )
  })

  it('names a few places and counts the rest', async () => {
    const clauses = results.clauses.map((clause) => ({ ...clause, level: 'maybe' }))
    expect(await refusal(JSON.stringify({ ...results, clauses }))).toContain('and 44 more')
  })
})

/** What stands beside the verdict. */
describe('JUnit', () => {
  it('counts as the gate does: a known deviation is skipped, one that no longer occurs fails', () => {
    const xml = renderJunit(results)
    const count = (pattern: RegExp) => (xml.match(pattern) ?? []).length
    expect(xml).toContain(`tests="${results.checks.length + 1}" failures="4" errors="1" skipped="8"`)
    expect([count(/<testcase /g), count(/<failure /g), count(/<error /g), count(/<skipped /g)]).toEqual([
      results.checks.length + 1,
      4,
      1,
      8,
    ])
    expect(xml).toContain('known deviation: old storage merges objects')
  })

  it('holds no sign that XML forbids or reads', () => {
    const xml = renderJunit(hostile)
    expect(xml).not.toMatch(UNSEEN)
    expect(xml).not.toContain('<img')
    expect(xml).not.toContain(']]>')
  })
})

describe('Markdown and SARIF', () => {
  it('summarises', () => {
    const text = renderMarkdown(results)
    expect(text).toContain('# ✗ Non-conformant: staging')
    expect(text).toContain('| SSH credentials | Non-conformant | 6 | 1 | 0 | 0 | 1 | 1 | 1 | 10 |')
    expect(text).toContain('## Violated (3)')
  })

  it('lets no text format, link or mention', () => {
    // What stands in a code span is shown as it is.
    expect(renderMarkdown(hostile).replaceAll(/(`+) .* \1$/gm, '')).not.toMatch(/<img|\]\(javascript|javascript:/)
  })

  it('has one rule per clause that does not hold, and suppresses what is known', () => {
    const [run] = JSON.parse(renderSarif(results)).runs
    expect(run.tool.driver.rules).toHaveLength(7)
    expect(run.tool.driver.rules[6]).toMatchObject({ id: 'assay/unexpectedPass' })
    expect(run.results.filter((one: { suppressions?: unknown[] }) => one.suppressions)).toHaveLength(1)
    expect(run.results[0]).toMatchObject({ ruleId: 'CORE-METHOD-02', level: 'error', ruleIndex: 0 })
  })
})
