/** Every row of the gate: exit code and every format of the report say the same of it. */
import { describe, expect, test } from 'vitest'
import { exitOf } from '../harness/cli/exit.ts'
import { type Imagined, imagine } from '../harness/outcomes/testing/imagined.ts'
import { renderAnnotations } from '../reports/formats/annotations.ts'
import { renderShields } from '../reports/formats/badge.ts'
import { renderCodeQuality } from '../reports/formats/code-quality.ts'
import { renderPrometheus } from '../reports/formats/prometheus.ts'
import { renderTap } from '../reports/formats/tap.ts'
import { terminalSummary } from '../reports/index.ts'
import { renderJunit } from '../reports/junit.ts'
import { renderMarkdown } from '../reports/markdown.ts'
import { renderPage } from '../reports/page/document.tsx'
import { renderSarif } from '../reports/sarif.ts'
import type { GateReason, Results, Verdict } from '../specs/meta/results.ts'

interface Row {
  run: Imagined
  exit: number
  verdict: Verdict
  /** The first reason: its kind, and words of its sentence. */
  says?: [kind: GateReason['kind'], words: string]
}

const known = (clause: string, more: object = {}) => ({ clause, reason: 'known since spring', owner: 'us', ...more })
const good = { seen: 'verified' } as const
const kv = { kv: [good] }

const ROWS: Record<string, Row> = {
  'all good': {
    run: { engines: { kv: [good, { seen: 'observed', level: 'open' }, { seen: 'excluded' }] } },
    exit: 0,
    verdict: 'conformant',
  },
  'a required clause is violated': {
    run: { engines: { kv: [good, { seen: 'violated' }] } },
    exit: 1,
    verdict: 'nonConformant',
    says: ['violated', 'KV-C-02 is violated'],
  },
  'a violation is a known deviation': {
    run: { engines: { kv: [good, { seen: 'violated' }] }, deviations: [known('KV-C-02')] },
    exit: 0,
    verdict: 'nonConformant',
  },
  'a known deviation is of another failure': {
    run: { engines: { kv: [good, { seen: 'violated' }] }, deviations: [known('KV-C-02', { signature: 'something else' })] },
    exit: 1,
    verdict: 'nonConformant',
    says: ['violated', 'KV-C-02 is violated'],
  },
  'a known deviation passes unexpectedly': {
    run: { engines: kv, deviations: [known('KV-C-01')] },
    exit: 1,
    verdict: 'conformant',
    says: ['unexpectedPass', 'a known deviation no longer occurs: KV-C-01'],
  },
  'a known deviation has expired': {
    run: { engines: kv, deviations: [known('KV-C-01', { expires: '2020-01-01' })] },
    exit: 1,
    verdict: 'conformant',
    says: ['expired', 'a known deviation has expired: that of KV-C-01 on 2020-01-01'],
  },
  'a known deviation has expired and still occurs': {
    run: { engines: { kv: [{ seen: 'violated' }] }, deviations: [known('KV-C-01', { expires: '2020-01-01' })] },
    exit: 1,
    verdict: 'nonConformant',
    says: ['violated', 'KV-C-01 is violated'],
  },
  'a required clause is blocked': {
    run: { engines: { kv: [good, { seen: 'blocked' }] } },
    exit: 3,
    verdict: 'incomplete',
    says: ['undecided', 'KV-C-02 was not decided: something is absent'],
  },
  'a blocked clause is a known deviation': {
    run: { engines: { kv: [good, { seen: 'blocked' }] }, deviations: [known('KV-C-02', { outcome: 'blocked' })] },
    exit: 0,
    verdict: 'incomplete',
  },
  'no check reached a required clause': {
    run: { engines: { kv: [good, { seen: 'notExercised' }] } },
    exit: 3,
    verdict: 'incomplete',
    says: ['undecided', 'KV-C-02 was not decided: no check reached it'],
  },
  'nothing required of an engine was verified': {
    run: { engines: { ...kv, ssh: [{ seen: 'excluded' }, { seen: 'observed', level: 'open' }] } },
    exit: 3,
    verdict: 'incomplete',
    says: ['undecided', 'no required clause of ssh was verified'],
  },
  'the run was narrowed': {
    run: { engines: { kv: [good, { seen: 'notExercised' }] }, narrowedWithin: true },
    exit: 0,
    verdict: 'partial',
  },
  'the run was narrowed to one engine': { run: { engines: { ...kv, ssh: [good] }, asked: ['kv'] }, exit: 0, verdict: 'partial' },
  'nothing was selected': {
    run: { engines: { kv: [{ seen: 'notExercised' }] }, narrowedWithin: true },
    exit: 3,
    verdict: 'incomplete',
    says: ['nothingDecided', 'no check of the selection decided anything'],
  },
  'nothing fitted into the time of the run': {
    run: { engines: { kv: [{ seen: 'notExercised' }] }, sample: { seconds: 10, checks: 0, of: 300 } },
    exit: 3,
    verdict: 'incomplete',
    says: ['nothingDecided', 'nothing could be tried within 10 s: give the run more time'],
  },
  'nothing is claimed': {
    run: { engines: { kv: [{ seen: 'notClaimed' }] } },
    exit: 3,
    verdict: 'incomplete',
    says: ['nothingDecided', 'nothing of the selection is claimed'],
  },
  'an engine is not claimed': {
    run: { engines: { ...kv, broker: [{ seen: 'notClaimed' }, { seen: 'excluded' }] } },
    exit: 0,
    verdict: 'conformant',
  },
  'an engine was named, and this machine cannot try it': {
    run: { engines: { ...kv, broker: [{ seen: 'notClaimed' }, { seen: 'excluded' }] }, asked: ['kv', 'broker'] },
    exit: 3,
    verdict: 'incomplete',
    says: ['notClaimed', 'broker was asked for and cannot be tested here: the-backend is not installed: apt install the-backend'],
  },
  'an engine was named, and the target does not claim it': {
    run: { engines: { ...kv, ssh: [good] }, claimed: ['kv'], asked: ['kv', 'ssh'] },
    exit: 3,
    verdict: 'incomplete',
    says: ['notClaimed', 'ssh was asked for and the target does not claim it'],
  },
  'an advised clause does not hold': {
    run: { engines: { kv: [good, { seen: 'violated', level: 'advised' }] } },
    exit: 0,
    verdict: 'conformant',
  },
  'an advised clause does not hold, with --fail-on advised': {
    run: { engines: { kv: [good, { seen: 'violated', level: 'advised' }] }, failOn: ['advised'] },
    exit: 1,
    verdict: 'conformant',
    says: ['advised', 'KV-C-02 is advised and does not hold'],
  },
  'an advised failure is a known deviation, with --fail-on advised': {
    run: { engines: { kv: [good, { seen: 'violated', level: 'advised' }] }, failOn: ['advised'], deviations: [known('KV-C-02')] },
    exit: 0,
    verdict: 'conformant',
  },
  'a check is unstable': { run: { engines: { kv: [good, { seen: 'unstable' }] } }, exit: 0, verdict: 'conformant' },
  'a check is unstable, with --fail-on unstable': {
    run: { engines: { kv: [good, { seen: 'unstable' }] }, failOn: ['unstable'] },
    exit: 1,
    verdict: 'conformant',
    says: ['unstable', 'kv/c-02 failed once and passed when it was repeated'],
  },
  'a check failed by an internal error': {
    run: { engines: { kv: [good, { seen: 'errored' }] } },
    exit: 4,
    verdict: 'incomplete',
    says: ['errored', 'kv/c-02: TypeError: of our own'],
  },
  'the run was cut short': {
    run: { engines: kv, cutShort: true },
    exit: 3,
    verdict: 'incomplete',
    says: ['cutShort', 'the run was cut short'],
  },
  'everything at once': {
    run: {
      engines: { kv: [good, { seen: 'violated' }, { seen: 'errored' }], ssh: [{ seen: 'blocked' }] },
      deviations: [known('KV-C-01')],
    },
    exit: 1,
    verdict: 'nonConformant',
    says: ['violated', 'KV-C-02 is violated'],
  },
}

const GATES: Record<number, Results['gate']> = { 0: 'passed', 1: 'failed', 3: 'incomplete', 4: 'errored' }
const LABELS: Record<Results['gate'], string> = {
  passed: 'Gate passed',
  failed: 'Gate failed',
  incomplete: 'Gate incomplete',
  errored: 'Gate errored',
}
const VERDICTS: Record<Verdict, string> = {
  conformant: 'Conformant',
  nonConformant: 'Non-conformant',
  incomplete: 'Incomplete',
  partial: 'Partial',
  notClaimed: 'Not claimed',
}

/** Text of a page or of Markdown as its reader sees it. */
const plain = (text: string): string =>
  text
    .replace(/<[^>]*>/g, '')
    .replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)))
    .replace(/&quot;/g, '"')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&amp;/g, '&')
    .replace(/\s+/g, ' ')

const failing = (xml: string): number => {
  const [, failures, errors] = /<testsuites [^>]*failures="(\d+)" errors="(\d+)"/.exec(xml) ?? []
  expect((xml.match(/<failure /g) ?? []).length).toBe(Number(failures))
  expect((xml.match(/<error /g) ?? []).length).toBe(Number(errors))
  return Number(failures) + Number(errors)
}

const reported = (sarif: string): number => {
  const found = JSON.parse(sarif).runs[0].results as { level: string; suppressions?: unknown }[]
  return found.filter(({ level, suppressions }) => level === 'error' && suppressions === undefined).length
}

/** Whether each format for machines takes the run for failed. */
const failsIn = (results: Results): Record<string, boolean> => ({
  JUnit: failing(renderJunit(results)) > 0,
  SARIF: reported(renderSarif(results)) > 0,
  TAP: /^not ok (?!.*# TODO)/m.test(renderTap(results)),
  'GitLab code quality': (JSON.parse(renderCodeQuality(results)) as { severity: string }[]).some(({ severity }) =>
    ['critical', 'major'].includes(severity),
  ),
  'GitHub annotations': /^::error /m.test(renderAnnotations(results)),
})

describe('the gate', () => {
  test.each(Object.entries(ROWS))('%s', (_, { run, exit, verdict, says }) => {
    const results = imagine(run)
    expect([results.verdict, results.gate, exitOf(results)]).toEqual([verdict, GATES[exit], exit])
    expect(results.gateReasons[0]?.kind).toBe(says?.[0])

    for (const [format, fails] of Object.entries(failsIn(results))) expect(fails, `${format} fails as the gate does`).toBe(exit !== 0)
    const badge = JSON.parse(renderShields(results)) as { color: string; message: string }
    expect(badge.color === 'brightgreen', 'the badge is green').toBe(exit === 0 && verdict === 'conformant')
    expect(badge.color === 'red', 'the badge is red').toBe(exit === 1)
    expect(badge.message).toContain(VERDICTS[verdict].toLowerCase())
    const metrics = renderPrometheus(results)
    expect(metrics).toMatch(new RegExp(`^assay_gate\\{.*gate="${GATES[exit]}"\\} 1$`, 'm'))
    expect(metrics).toMatch(new RegExp(`^assay_verdict\\{.*verdict="${verdict}"\\} 1$`, 'm'))

    const terminal = terminalSummary(results, { width: 120 })
    const markdown = plain(renderMarkdown(results))
    const page = plain(renderPage(results).replace(/<(style|script)[\s\S]*?<\/\1>/g, ''))
    const label = LABELS[GATES[exit]!]
    expect(
      terminal
        .split('\n')
        .slice(0, 8)
        .map((line) => line.slice(2)),
    ).toEqual(expect.arrayContaining([VERDICTS[verdict], label]))
    expect(markdown).toMatch(new RegExp(`^# . ${VERDICTS[verdict]}: imagined .*\\*\\*${label}\\.\\*\\*`))
    expect(page).toContain(`Verdict on imagined${VERDICTS[verdict]}`)
    expect(page).toContain(label)
    for (const other of Object.values(LABELS).filter((one) => one !== label)) {
      for (const text of [terminal, markdown, page]) expect(text).not.toContain(other)
    }
    if (says === undefined) return
    for (const text of [terminal, markdown, page]) expect(text.replace(/\s+/g, ' ')).toContain(says[1])
  })

  test.each(Object.entries(ROWS).filter(([, { says }]) => says !== undefined && !['violated', 'advised'].includes(says[0])))(
    'says it in a sentence of its own: %s',
    (_, { run, says }) => {
      const results = imagine(run)
      expect(plain(renderSarif(results))).toContain(`assay/${says![0]}`)
      expect(plain(renderSarif(results))).toContain(says![1])
      if (says![0] !== 'unstable' && says![0] !== 'errored') expect(renderJunit(results)).toContain(`<failure message="${says![1]}`)
    },
  )

  test('a check that fails in a known way and in a new one is not known', () => {
    const results = imagine({ engines: { kv: [{ seen: 'violated' }, { seen: 'violated' }] }, deviations: [known('KV-C-01')] })
    expect(results.checks.map(({ deviation }) => deviation)).toEqual(['known since spring', undefined])
    expect(reported(renderSarif(results))).toBe(1)
    expect(failing(renderJunit(results))).toBe(1)
  })
})
