/** The page on realistic results, and on results in which every string tries to break out. */
import { describe, expect, it } from 'vitest'
import type { Results } from '../../specs/meta/results.ts'
import { sampleResults, withMarkup } from '../testing/sample-results.ts'
import { viewOf } from '../view.ts'
import { renderPage } from './document.tsx'

const ESCAPE = '\u001b[2J\u202e]]>&amp;<img src=x onerror=alert(1)>"\'`|[a](javascript:b)'
const UNSEEN = /(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}\p{Noncharacter_Code_Point}]/u
const results = sampleResults()
const hostile = withMarkup(results, ESCAPE)

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
