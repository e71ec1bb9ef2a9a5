/** The outcome of a proof: which seeded faults were caught, and whether a legal variant showed a false positive. */
import pc from 'picocolors'
import type { KillRecord, VariantRecord } from '../specs/meta/results.ts'
import { oneLine, plural } from './text.ts'

/** Faults of one engine by state, and its variants by state. */
export interface KillCounts {
  faults: number
  killed: number
  survived: number
  /** Survived, and no answer to a check differed from one of the clean server's. */
  sameAnswers: number
  /** Faults and variants whose code never ran. */
  unreached: number
  errored: number
  variants: number
  variantsPassed: number
  falsePositives: number
  variantsErrored: number
}

/** A proof in numbers, with every record: what `assay prove --json` prints. */
export interface KillSummary {
  passed: boolean
  total: KillCounts
  engines: Record<string, KillCounts>
  kills: KillRecord[]
  variants: VariantRecord[]
}

export const FAULT_STATES = {
  survived: { label: 'Survived', like: 'violated', meaning: 'no targeted clause was violated: the checks are blind to it' },
  sameAnswers: {
    label: 'No answer differed',
    like: 'violated',
    meaning: 'its code ran, and every answer was that of the clean server: no check asks what it changes, or it changes nothing',
  },
  unreached: { label: 'Unreached', like: 'blocked', meaning: 'its code never ran, so nothing was proven' },
  errored: { label: 'Errored', like: 'errored', meaning: 'the run did not come to an end' },
  killed: { label: 'Killed', like: 'verified', meaning: 'a clause that it breaks was violated by its own assertion' },
} as const

export const VARIANT_STATES = {
  falsePositive: { label: 'False positive', like: 'violated', meaning: 'a required clause was violated by legal behaviour' },
  errored: { label: 'Errored', like: 'errored', meaning: 'the run did not come to an end' },
  unreached: { label: 'Unreached', like: 'blocked', meaning: 'its code never ran, so nothing was proven' },
  passed: { label: 'Passed', like: 'verified', meaning: 'no required clause was violated' },
} as const

/** Counts a proof by engine. It passes when every fault is killed and every variant has passed, and there is at least one of them. */
export const killSummary = (kills: KillRecord[], variants: VariantRecord[] = []): KillSummary => {
  const ids = [...new Set([...kills, ...variants].map((record) => record.engine))].sort()
  const total = countsOf(kills, variants)
  return {
    passed: kills.length + variants.length > 0 && total.killed === total.faults && total.variantsPassed === total.variants,
    total,
    engines: Object.fromEntries(
      ids.map((id) => [
        id,
        countsOf(
          kills.filter((kill) => kill.engine === id),
          variants.filter((variant) => variant.engine === id),
        ),
      ]),
    ),
    kills,
    variants,
  }
}

/** The kill matrix as text: one line per engine, then everything that is not as it should be. */
export const killTable = (kills: KillRecord[], variants: VariantRecord[] = [], { color = false }: { color?: boolean } = {}): string => {
  const paint = pc.createColors(color)
  const { passed, total, engines } = killSummary(kills, variants)
  const head = [
    'engine',
    'faults',
    'killed',
    'survived',
    'no answer differed',
    'unreached',
    'errored',
    'variants',
    'passed',
    'false positives',
  ]
  const row = (name: string, counts: KillCounts): string[] => [
    name,
    ...[counts.faults, counts.killed, counts.survived, counts.sameAnswers, counts.unreached, counts.errored + counts.variantsErrored].map(
      String,
    ),
    ...[counts.variants, counts.variantsPassed, counts.falsePositives].map(String),
  ]
  const lines = table([head, ...Object.entries(engines).map(([id, counts]) => row(oneLine(id), counts)), row('total', total)])
  const wrong = [
    ...kills
      .filter((kill) => kill.state !== 'killed')
      .map((kill) => [FAULT_STATES[kill.state].label.toLowerCase(), kill.fault, kill.title, kill.clauses.join(' ')]),
    ...variants.filter((one) => one.state !== 'passed').map((one) => [one.state, one.variant, one.title, one.falsePositives.join(' ')]),
  ].map((cells) => cells.map(oneLine))
  const verdict = passed
    ? paint.green(`Proven: ${plainCount(total.faults, 'fault')} killed, ${plainCount(total.variants, 'variant')} without a false positive.`)
    : paint.red(`Not proven: ${plainCount(wrong.length, 'record')} of ${total.faults + total.variants} not as it should be.`)
  return [...lines, ...(wrong.length > 0 ? ['', ...table(wrong)] : []), '', verdict, ''].join('\n')
}

const plainCount = (count: number, noun: string): string => plural(count, noun).replaceAll('\u202f', ' ')

const countsOf = (kills: KillRecord[], variants: VariantRecord[]): KillCounts => {
  const faults = (state: KillRecord['state']) => kills.filter((kill) => kill.state === state).length
  const alternatives = (state: VariantRecord['state']) => variants.filter((variant) => variant.state === state).length
  return {
    faults: kills.length,
    killed: faults('killed'),
    survived: faults('survived'),
    sameAnswers: faults('sameAnswers'),
    unreached: faults('unreached') + alternatives('unreached'),
    errored: faults('errored'),
    variants: variants.length,
    variantsPassed: alternatives('passed'),
    falsePositives: alternatives('falsePositive'),
    variantsErrored: alternatives('errored'),
  }
}

/** Columns padded to their widest cell; numbers to the right. */
const table = (rows: string[][]): string[] => {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  return rows.map((row) =>
    row
      .map((cell, column) =>
        /^\d+$/.test(cell) || (column > 0 && row === rows[0] && rows.length > 1 && /^\d+$/.test(rows[1]?.[column] ?? ''))
          ? cell.padStart(widths[column] ?? 0)
          : cell.padEnd(widths[column] ?? 0),
      )
      .join('  ')
      .trimEnd(),
  )
}
