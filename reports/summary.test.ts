/** What the terminal says at the end. */
import { describe, expect, it } from 'vitest'
import { renderMarkdown, terminalSummary } from './index.ts'
import { renderPage } from './page/document.tsx'
import { sampleResults, withMarkup } from './testing/sample-results.ts'

const ESCAPE = '\u001b[2J\u202e]]>&amp;<img src=x onerror=alert(1)>"\'`|[a](javascript:b)'
const UNSEEN = /(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}\p{Noncharacter_Code_Point}]/u
const results = sampleResults()
const hostile = withMarkup(results, ESCAPE)

describe('the terminal summary', () => {
  it('says what the machine lacks, how to install it, and how many clauses are not claimed without it', () => {
    const [clause] = results.clauses
    const sshd = { provider: 'none' as const, reason: 'sshd is not to be had without ssh', remedy: 'apt-get install it' }
    const lacking = {
      ...results,
      clauses: [{ ...clause!, outcome: 'notClaimed' as const }],
      checks: [{ ...results.checks[0]!, clauses: [clause!.id], outcome: 'notClaimed' as const }],
      backends: ['sshd', 'sshd/users'].map((name) => ({ name, ...sshd })),
    }
    const text = terminalSummary(lacking, { width: 100 })
    expect(text).toContain('Missing on this machine (1 clause is not claimed)\n  sshd is not to be had without ssh\n')
    expect(text.match(/to have it {2}apt-get install it/g)).toHaveLength(1)
    expect(terminalSummary({ ...results, backends: [] }, {})).not.toContain('Missing on this machine')
  })

  it('says under which clauses a second server differs, those with most answers first', () => {
    const one = { operation: 'kv1.read', place: '/data/a', check: 'kv/v1-replaces', here: '"x"', there: 'an object', count: 2 }
    const against = { url: 'https://b.example', checks: 3, exchanges: 1200, parted: [], leftOut: 0 }
    const differences = [one, { ...one, clause: 'KV-V1-02', place: '', here: '200', there: '204', count: 5 }]
    const text = terminalSummary({ ...results, against: { ...against, differences } }, { width: 120 })
    expect(text).toContain(
      'Against https://b.example: 1\u202f200 answers compared, 7 differ\n  KV-V1-02: 5 answers, first kv1.read status: 200 here',
    )
    expect(text).toContain('where the contract is silent: 2 answers, first kv1.read /data/a: "x" here, an object there')
    expect(terminalSummary({ ...results, against: { ...against, differences: [] } }, {})).toContain('no answer differs')
  })

  it('says what of the whole a sample came to, as page and Markdown do', () => {
    const sample = { seconds: 60, checks: 1200, of: 4360 }
    const some = { ...results, verdict: 'partial' as const, scope: { ...results.scope, part: true, sample } }
    const words = /A sample: 1\u202f200 of 4\u202f360 checks fitted into 1 min 0 s and came to \d+ of \d+ clauses\./
    expect(terminalSummary(some, { width: 300 })).toMatch(words)
    expect(renderMarkdown(some)).toMatch(words)
    expect(renderPage(some)).toMatch(words)
    expect(terminalSummary(results, { width: 300 })).not.toContain('A sample')
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
