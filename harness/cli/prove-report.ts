/** What a proof says: text, JSON, page, exit code. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { killTable, renderProofPage } from '../../reports/index.ts'
import type { KillRecord, VariantRecord } from '../../specs/meta/results.ts'
import type { WireFault } from '../run/wire-faults.ts'
import { exit } from './exit.ts'
import { colorOn } from './terminal.ts'
import type { TransportRecord } from './transport.ts'

export interface Proof {
  kills: (KillRecord & { note?: string })[]
  variants: VariantRecord[]
  wire: WireFault[]
  transport: TransportRecord[]
  /** Required clauses that a check decides and nothing kills. */
  unproven: string[]
  /** What went wrong on the clean reference. */
  alarms: string[]
  seconds: number
}

/** Why the proof fails, a line for each thing; none when it holds. */
const objectionsTo = (proof: Proof): string[] => [
  ...proof.kills.filter(({ state }) => state !== 'killed').map(({ fault, state }) => `fault ${fault} ${state}`),
  ...proof.variants
    .filter(({ state }) => state !== 'calm')
    .map(({ variant, state, alarms }) => `variant ${variant} ${[state, ...alarms.slice(0, 1)].join(': ')}`),
  ...proof.wire.filter(({ killed }) => !killed).map(({ id }) => `wire fault ${id} survived`),
  ...proof.transport.filter(({ state }) => state === 'wrong').map(({ fault, why }) => `transport ${fault}: ${why}`),
  ...proof.unproven.map((clause) => `clause ${clause} has a check that nothing was seen to fail`),
  ...proof.alarms.map((alarm) => `alarm on the clean reference: ${alarm}`),
]

/** Writes proof.json and proof.html, prints the proof and returns the exit code. */
export const conclude = (proof: Proof, options: { out: string; json?: boolean }): number => {
  mkdirSync(options.out, { recursive: true })
  const file = join(options.out, 'proof.json')
  writeFileSync(file, `${JSON.stringify(proof, null, 2)}\n`)
  const page = join(options.out, 'proof.html')
  writeFileSync(page, renderProofPage(proof))
  const text = killTable(proof.kills, proof.variants, { color: colorOn(process.stdout) })
  const escaped = proof.wire.filter((fault) => !fault.killed)
  const misjudged = proof.transport.filter((record) => record.state === 'wrong')
  const lines = [
    text,
    ...proof.kills.filter((kill) => kill.note !== undefined).map((kill) => `${kill.fault}: ${kill.note}`),
    ...proof.variants.flatMap((variant) => variant.alarms.map((alarm) => `${variant.variant}: ${alarm}`)),
    `wire faults: ${proof.wire.length - escaped.length} of ${proof.wire.length} killed${escaped.length === 0 ? '' : `; survived: ${escaped.map((fault) => fault.id).join(', ')}`}`,
    `transport faults: ${proof.transport.length - misjudged.length} of ${proof.transport.length} judged right`,
    `required clauses with a check and without a kill: ${proof.unproven.length}${proof.unproven.length === 0 ? '' : ` (${proof.unproven.join(', ')})`}`,
    `${proof.seconds} s; ${file}, ${page}`,
  ]
  const objections = objectionsTo(proof)
  if (options.json === true) process.stdout.write(`${JSON.stringify(proof)}\n`)
  else process.stdout.write(`${[...lines, ...objections.map((objection) => `not proven: ${objection}`)].join('\n')}\n`)
  return objections.length === 0 ? exit.passed : exit.failed
}
