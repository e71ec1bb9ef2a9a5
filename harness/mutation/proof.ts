/** The proof as a whole: every fault and variant of a selection, and the required clauses that nothing was seen to fail. */
import PQueue from 'p-queue'
import type { KillRecord, VariantRecord } from '../../specs/meta/results.ts'
import type { CheckDefinition } from '../checks/vocabulary.ts'
import type { Contract } from '../contract/contract.ts'
import { withShown } from '../contract/general.ts'
import { catalogue } from '../run/catalogue.ts'
import { type Baseline, tryFault } from './faults.ts'
import type { ProofContext } from './instance.ts'
import type { LegalVariant, SeededFault } from './server-under-test.ts'
import { packs, tryVariants } from './variants.ts'
import type { WireFault } from './wire-faults.ts'

/** What a proof is about. */
export interface Selected {
  engines: string[]
  faults: SeededFault[]
  variants: LegalVariant[]
}

const AT_ONCE = 4
const MOST_BORROWED = 3

/** Sweeps decide some clauses only over operations of other engines: a few such checks, of those that need nothing installed. */
export const borrowedChecks = async (contract: Contract, selected: Selected, own: CheckDefinition[]): Promise<CheckDefinition[]> => {
  const decided = new Set(own.flatMap((check) => check.clauses))
  const undecided = new Set(selected.faults.flatMap((fault) => fault.clauses).filter((clause) => !decided.has(clause)))
  if (undecided.size === 0) return []
  const all = await catalogue(contract, [...contract.engines.keys()], selected.engines)
  const plain = all.filter((check) => check.operation !== undefined && (check.needs.backends ?? []).length === 0)
  return [...undecided].flatMap((clause) => plain.filter((check) => check.clauses.includes(clause)).slice(0, MOST_BORROWED))
}

/**
 * Required clauses that a check decides and no fault of the selection kills.
 *
 * @param elsewhere clauses that faults outside the selection break: a narrowed proof leaves them to the whole one.
 */
export const unprovenClauses = (
  contract: Contract,
  checks: CheckDefinition[],
  kills: KillRecord[],
  wire: WireFault[],
  engines: readonly string[],
  elsewhere: ReadonlySet<string>,
): string[] => {
  const proven = new Set([
    ...kills.filter((kill) => kill.state === 'killed').flatMap((kill) => kill.clauses),
    ...wire.filter((fault) => fault.killed).flatMap((fault) => fault.clauses),
  ])
  const decided = new Set(checks.flatMap((check) => check.clauses))
  return [...contract.clauses.values()]
    .filter((clause) => engines.includes(clause.engine) && clause.level === 'required' && decided.has(clause.id))
    .filter(({ id }) => !proven.has(id) && !elsewhere.has(id))
    .map((clause) => clause.id)
}

export interface ProveOptions {
  /** Each variant in a server of its own. */
  singly: boolean
  onProgress(message: string): void
}

/** Tries every fault and every variant of the selection, several at once. */
export const tryAll = async (
  proof: ProofContext,
  all: CheckDefinition[],
  baseline: Baseline,
  selected: Selected,
  { singly, onProgress }: ProveOptions,
): Promise<{ kills: (KillRecord & { note?: string })[]; variants: VariantRecord[] }> => {
  const queue = new PQueue({ concurrency: AT_ONCE })
  let done = 0
  const total = selected.faults.length + selected.variants.length
  const tick = <T extends { state: string }>(id: string, record: T): T => {
    done += 1
    if (!['killed', 'passed'].includes(record.state)) onProgress(`${record.state}: ${id}`)
    else if (done % 25 === 0) onProgress(`${done}/${total}`)
    return record
  }
  const kills = selected.faults.map((fault) => queue.add(async () => tick(fault.id, await tryFault(proof, all, baseline, fault))))
  const variants = packs(selected.variants, singly ? 1 : undefined).map((pack) => {
    const engines = withShown(proof.contract, new Set([pack[0]!.engine]))
    const checks = all.filter(({ engine }) => engines.includes(engine))
    return queue.add(async () => (await tryVariants(proof, checks, pack)).map((record) => tick(record.variant, record)))
  })
  return { kills: await Promise.all(kills), variants: (await Promise.all(variants)).flat() }
}
