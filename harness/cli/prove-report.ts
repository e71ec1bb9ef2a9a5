/** What a proof says: text, JSON, page, exit code. */
import { killTable } from '../../reports/index.ts'
import type { KillRecord, VariantRecord } from '../../specs/meta/results.ts'
import { jsonText } from '../../specs/meta/unseen.ts'
import type { Told } from '../mutation/faults.ts'
import type { TransportRecord } from '../mutation/transport.ts'
import type { WireFault } from '../mutation/wire-faults.ts'
import { exit } from './exit.ts'
import { writeProof } from './proof-files.ts'
import { colorOn } from './terminal.ts'

export interface Proof {
  kills: (KillRecord & Told)[]
  variants: VariantRecord[]
  wire: WireFault[]
  transport: TransportRecord[]
  /** Required clauses that a check decides and nothing kills. */
  unproven: string[]
  /** What went wrong on the clean reference. */
  falsePositives: string[]
  seconds: number
}

/** Why the proof fails, a line for each thing; none when it holds. */
const objectionsTo = (proof: Proof): string[] => [
  ...proof.kills
    .filter(({ state }) => state !== 'killed')
    .map(({ fault, state }) => `fault ${fault} ${state === 'sameAnswers' ? 'survived, no answer differed' : state}`),
  ...proof.variants
    .filter(({ state }) => state !== 'passed')
    .map(({ variant, state, falsePositives }) => `variant ${variant} ${[state, ...falsePositives.slice(0, 1)].join(': ')}`),
  ...proof.wire.filter(({ killed }) => !killed).map(({ id }) => `wire fault ${id} survived`),
  ...proof.transport.filter(({ state }) => state === 'wrong').map(({ fault, why }) => `transport ${fault}: ${why}`),
  ...proof.unproven.map((clause) => `clause ${clause} has a check that nothing was seen to fail`),
  ...proof.falsePositives.map((found) => `false positive on the clean reference: ${found}`),
]

const evidenceText = (kills: Proof['kills']): string => {
  const shown = kills.flatMap(({ evidence }) => evidence ?? [])
  const wrong = shown.reduce((sum, one) => sum + one.wrong.length, 0)
  return `evidence: ${shown.reduce((sum, { tried }) => sum + tried, 0)} decisions tried, ${wrong} show another exchange than the message speaks of`
}

/** A line, unless there is nothing to say. */
const unless = (isIdle: boolean, line: string): string[] => (isIdle ? [] : [line])

/** Writes the proof, prints it, which a full disk must not swallow, and returns the exit code. */
export const conclude = (proof: Proof, options: { out: string; json?: boolean }): number => {
  let files: string[] = []
  let failure: Error | undefined
  try {
    files = writeProof(proof, options.out)
  } catch (error) {
    failure = error as Error
  }
  const text = killTable(proof.kills, proof.variants, { color: colorOn(process.stdout) })
  const escaped = proof.wire.filter((fault) => !fault.killed)
  const misjudged = proof.transport.filter((record) => record.state === 'wrong')
  const lines = [
    text,
    ...proof.kills.filter((kill) => kill.note !== undefined).map((kill) => `${kill.fault}: ${kill.note}`),
    ...proof.variants.flatMap((variant) => variant.falsePositives.map((found) => `${variant.variant}: ${found}`)),
    evidenceText(proof.kills),
    ...proof.kills.flatMap(({ fault, evidence }) => evidence?.wrong.map((wrong) => `evidence of ${fault}: ${wrong}`) ?? []),
    ...unless(
      proof.wire.length === 0,
      `wire faults: ${proof.wire.length - escaped.length} of ${proof.wire.length} killed${escaped.length === 0 ? '' : `; survived: ${escaped.map((fault) => fault.id).join(', ')}`}`,
    ),
    ...unless(
      proof.transport.length === 0,
      `transport faults: ${proof.transport.length - misjudged.length} of ${proof.transport.length} judged right`,
    ),
    `required clauses with a check and without a kill: ${proof.unproven.length}${proof.unproven.length === 0 ? '' : ` (${proof.unproven.join(', ')})`}`,
    [`${proof.seconds} s`, ...(files.length === 0 ? [] : [files.join(', ')])].join('; '),
  ]
  const objections = objectionsTo(proof)
  if (options.json === true) process.stdout.write(`${jsonText(proof)}\n`)
  else process.stdout.write(`${[...lines, ...objections.map((objection) => `not proven: ${objection}`)].join('\n')}\n`)
  if (failure !== undefined) throw failure
  return objections.length === 0 ? exit.passed : exit.failed
}
