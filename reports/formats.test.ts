/** Every format on realistic results, and on results in which every string tries to break out. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Results } from '../specs/meta/results.ts'
import { FORMATS, killTable, readResults, renderProofPage, renderReports, terminalSummary } from './index.ts'
import { renderJunit } from './junit.ts'
import { killSummary } from './kills.ts'
import { renderMarkdown } from './markdown.ts'
import { renderPage } from './page/document.tsx'
import { renderSarif } from './sarif.ts'
import { sampleResults, withMarkup } from './testing/sample-results.ts'
import { cut, duration, oneLine, visible, wrap } from './text.ts'
import { viewOf } from './view.ts'

const ESCAPE = '\u001b[2J\u202e]]>&amp;<img src=x onerror=alert(1)>"\'`|[a](javascript:b)'
const UNSEEN = /(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}\p{Noncharacter_Code_Point}]/u
const results = sampleResults()
const hostile = withMarkup(results, ESCAPE)
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'assay-reports-'))
})
afterAll(async () => rm(folder, { recursive: true }))

describe('renderReports', () => {
  it('writes every format, and what it writes reads back the same', async () => {
    const files = await renderReports(results, join(folder, 'deep/er'))
    expect(files).toHaveLength(FORMATS.length)
    expect(files.map((file) => file.split('/').at(-1)).slice(0, 5)).toEqual([
      'results.json',
      'report.html',
      'junit.xml',
      'summary.md',
      'report.sarif',
    ])
    expect(await readResults(files[0]!)).toEqual(results)
  })

  it('writes only what it is asked for', async () => {
    expect(await renderReports(results, join(folder, 'one'), ['junit'])).toEqual([join(folder, 'one', 'junit.xml')])
  })
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

  it('refuses what is no file, no JSON or no results, in words', async () => {
    await expect(readResults(join(folder, 'absent.json'))).rejects.toThrow('absent.json: cannot be read (ENOENT)')
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
const gateOf = (page: string): string => /<div class="gate[\s\S]*?<div class="overall">/.exec(page)?.[0] ?? ''

describe('the page', () => {
  const page = renderPage(results)

  it('needs nothing from outside', () => {
    expect(page).not.toMatch(/<(script|img|iframe|object|embed|source)[^>]*\ssrc=/)
    expect(page).not.toMatch(/@import|url\(/)
    expect(page.match(/<link [^>]*>/g)).toEqual([expect.stringContaining('href="data:image/svg+xml')])
  })

  it('holds every clause and check', () => {
    for (const clause of results.clauses) expect(page).toMatch(new RegExp(`"id":"clause-${clause.id}"|id="clause-${clause.id}"`))
    for (const check of results.checks) expect(page).toContain(check.id)
  })

  it('turns no text into markup', () => {
    // What differs between expected and seen is another part of another text, so its marks are not counted.
    const tags = (html: string) => (html.replace(/<(style|script)[\s\S]*?<\/\1>|<mark>/g, '').match(/<[a-z]+/g) ?? []).length
    expect(tags(renderPage(withMarkup(results, '<b>x</b>')))).toBe(tags(renderPage(withMarkup(results, 'plain'))))
    expect(UNSEEN.exec(renderPage(hostile))?.[0]).toBeUndefined()
  })

  it('lays out the JSON of an exchange, but never changes what was received', () => {
    const [check, ...others] = results.checks.filter((one) => one.outcome === 'failed')
    const page = (body: string) => {
      const evidence = check!.evidence.map((one) => ({ ...one, response: { ...one.response!, body } }))
      return renderPage({ ...results, checks: [{ ...check!, evidence }, ...others] })
    }
    expect(page(`{"list":[1,2],"text":"${'x'.repeat(60)}"}`)).toContain('{\n  &quot;list&quot;: [1,2],\n  &quot;text&quot;')
    const large = `{"n":12345678901234567890,"text":"${'x'.repeat(60)}"}`
    expect(page(large)).toContain(large.replaceAll('"', '&quot;'))
  })

  it('shows one failure of a clause whole, and the others behind it', () => {
    const failed = results.checks.find((one) => one.outcome === 'failed')!
    const many = Array.from({ length: 13 }, (_, n) => ({ ...failed, id: `core/sweep-${n}` }))
    const page = renderPage({ ...results, checks: many })
    expect(page).toContain('12 more checks found the same')
    expect(page).toContain('and 4 more among the checks')
  })

  it('gives each line of the gate the sentence of its clause and a link', () => {
    const text = results.clauses.find((clause) => clause.id === 'SSH-VERIFY-02')!.text
    expect(gateOf(page)).toContain(
      `<a class="id" href="#clause-SSH-VERIFY-02">SSH-VERIFY-02</a> is violated: <span class="soft">${text}</span>`,
    )
    const gateReasons: Results['gateReasons'] = [
      { gate: 'errored', kind: 'errored', subject: 'kv/read-1', message: 'kv/read-1: TypeError' },
      { gate: 'incomplete', kind: 'undecided', subject: 'ssh', message: 'no required clause of ssh was verified' },
      { gate: 'incomplete', kind: 'cutShort', message: 'the run was cut short' },
    ]
    const lines = gateOf(renderPage({ ...results, gateReasons }))
    expect(lines).toContain('<a class="id" href="#checks?checks.q=kv%2Fread-1">kv/read-1</a>: TypeError')
    expect(lines).toContain('<a class="id" href="#clauses?clauses.engine=ssh">ssh</a> no required clause')
    expect(lines).toContain('<li>the run was cut short</li>')
  })

  it('shows the violations before it tells of the run', () => {
    const places = ['id="verdict"', 'id="violated"', 'id="engines"', 'id="clauses"', 'id="run"'].map((id) => page.indexOf(id))
    expect(places).toEqual([...places].sort((a, b) => a - b))
    expect(page.indexOf('Effort')).toBeGreaterThan(page.indexOf('id="run"'))
  })

  it('shows the exchange that answered what was seen, not the last one', () => {
    const failed = results.checks.find((one) => one.id === 'ssh/verify-2')!
    const [first] = failed.evidence
    const refused = { ...first!, number: 7, response: { status: 401, headers: {} } }
    const decisions = [{ ...failed.decisions[0]!, seen: '401', exchange: 3 }]
    const view = viewOf({ ...results, checks: [{ ...failed, decisions, evidence: [refused, ...failed.evidence] }] })
    expect(view.violated.flatMap((finding) => finding.failures).map((failure) => failure.exchange?.number)).toEqual([7])
  })

  it('links only where following does no harm', () => {
    const deviations = results.deviations.map((entry) => ({ ...entry, link: 'javascript:alert(1)' }))
    expect(renderPage({ ...results, deviations })).not.toContain('href="javascript:')
  })

  it('stays small with 900 clauses', () => {
    expect(renderPage(sampleResults({ extra: 860 })).length).toBeLessThan(1_500_000)
  })

  it('says so when there is nothing', () => {
    const nothing = {
      ...results,
      clauses: [],
      checks: [],
      engines: [],
      coverage: [],
      backends: [],
      deviations: [],
      kills: [],
      variants: [],
    }
    expect(renderPage(nothing)).toContain('0 of 0 clauses decided')
  })
})

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

describe('the terminal summary', () => {
  it('says what the machine lacks, how it is had, and how many clauses are not claimed for want of it', () => {
    const [clause] = results.clauses
    const lacking = {
      ...results,
      clauses: [{ ...clause!, outcome: 'notClaimed' as const }],
      checks: [{ ...results.checks[0]!, clauses: [clause!.id], outcome: 'notClaimed' as const }],
      backends: [{ name: 'sshd', provider: 'none' as const, reason: 'sshd is not to be had without ssh', remedy: 'apt-get install it' }],
    }
    const text = terminalSummary(lacking, { width: 100 })
    expect(text).toContain('Missing on this machine (1 clause is not claimed)\n  sshd is not to be had without ssh\n')
    expect(text).toContain('to have it  apt-get install it')
    expect(terminalSummary({ ...results, backends: [] }, {})).not.toContain('Missing on this machine')
  })

  it('says verdict, gate, engines, failures with their exchange, remedies, and how to run again', () => {
    const text = terminalSummary(results, { width: 120, report: 'assay-report/report.html' })
    expect(text).toContain('✗ Non-conformant\n')
    expect(text).toContain('✗ Gate failed\n')
    expect(text).toMatch(/^✗ ssh +6 +1 +0 +0 +1 +1 +1 +10 {2}non-conformant$/m)
    expect(text).toMatch(/expected {2}a refusal \(4xx\)/)
    expect(text).toMatch(/response {2}405 /)
    expect(text).toMatch(/remedy {2}add "allow: \[oversize\]"/)
    expect(text).toContain('report  assay-report/report.html')
    expect(text.trimEnd().endsWith('--dialect vault --seed 4711')).toBe(true)
  })

  it('fits a narrow terminal, where the verdict of an engine is its sign', () => {
    const text = terminalSummary(results, { width: 80 })
    expect(text).toMatch(/^✗ ssh +6 +1 +0 +0 +1 +1 +1 +10$/m)
    const table = text.split('\n').filter((line) => /^. (engine|core|agent-tokens|all) /.test(line))
    expect(Math.max(...table.map((line) => line.length))).toBeLessThanOrEqual(80)
  })

  it('can do without colour and without signs, and lets no server draw', () => {
    expect(terminalSummary(hostile)).not.toMatch(UNSEEN)
    expect(terminalSummary(results, { unicode: false })).not.toMatch(/[^\n -~‹›]/)
    expect(terminalSummary(results, { color: true })).toContain('\u001b[31m')
  })
})

describe('the page of a proof', () => {
  const { kills = [], variants = [] } = results
  const wire = [{ id: 'kv1.read 200: /data dropped', operation: 'kv1.read', killed: false, clauses: ['KV-READ-01'] }]

  it('is proven only when nothing is missing', () => {
    expect(renderProofPage({ kills: [kills[0]!], variants: [variants[0]!] })).toContain('</svg>Proven</h1>')
    expect(renderProofPage({ kills: [kills[0]!], variants: [], wire })).toContain('</svg>Not proven</h1>')
    expect(renderProofPage({ kills: [kills[0]!], variants: [], unproven: ['KV-META-01'] })).toContain('</svg>Not proven</h1>')
    expect(renderProofPage({ kills: [], variants: [] })).toContain('</svg>Not proven</h1>')
  })

  it('shows every fault, what wire faults were not found, and links nowhere it does not lead', () => {
    const page = renderProofPage({ kills, variants, wire, unproven: ['KV-META-01'], falsePositives: ['kv/read: <b>'], seconds: 12 })
    for (const kill of kills) expect(page).toContain(kill.fault)
    expect(page).toContain('kv1.read 200: /data dropped')
    expect(page).toContain('2 seeded faults are not caught. 2 legal behaviours are held against the server.')
    expect(page).toContain('1 required clause has a check, but no fault that it kills.')
    expect(page).toContain('kv/read: &lt;b>')
    expect(page).not.toContain('href="#clause-')
  })
})

describe('the kill matrix', () => {
  it('counts, and passes only when everything is killed and without a false positive', () => {
    const { kills = [], variants = [] } = results
    expect(killSummary(kills, variants)).toMatchObject({
      passed: false,
      total: { faults: 5, killed: 3, survived: 1, unreached: 1, variants: 2, falsePositives: 1 },
    })
    expect(killSummary([kills[0]!], [variants[0]!]).passed).toBe(true)
    expect(killSummary([], []).passed).toBe(false)
  })

  it('shows as text what is not as it should be', () => {
    const text = killTable(results.kills ?? [], results.variants)
    expect(text).toMatch(/^kv +2 +2 +0 +0 +0 +1 +1 +0$/m)
    expect(text).toMatch(/^survived +ssh-ttl-uncapped /m)
    expect(text).not.toContain('kv-merge')
  })
})

describe('text', () => {
  it('shows what cannot be seen, and keeps what can', () => {
    expect(visible('a\u0000b\u200bc\ud800d\u009b')).toBe('a\\u{0}b\\u{200b}c\\u{d800}d\\u{9b}')
    expect(visible('tab\tline\n‹é漢😀›')).toBe('tab\tline\n‹é漢😀›')
    expect(oneLine(' a\r\n b\u001b ')).toBe('a b\\u{1b}')
  })

  it('cuts, wraps and tells time', () => {
    expect(cut('abcdef', 4)).toBe('abcd… (2 more characters)')
    expect(wrap('aa bb cc', 5)).toEqual(['aa bb', 'cc'])
    expect(wrap('a bbbbbbb', 5)).toEqual(['a', 'bbbbb', 'bb'])
    expect([duration(12.4), duration(2400), duration(185_000)]).toEqual(['12 ms', '2.4 s', '3 min 5 s'])
  })
})
