/** Seeded faults, each of which a check has to catch by a clause that it breaks. */
import type { KillRecord } from '../../specs/meta/results.ts'
import { isContractCheck, isRunnable, takesServerAway } from '../checks/check.ts'
import type { CheckDefinition } from '../checks/vocabulary.ts'
import type { Contract } from '../contract/contract.ts'
import type { CheckRun } from '../run/check-run.ts'
import { takesEitherForm } from '../run/equal-forms.ts'
import { voteOf } from '../run/verdict.ts'
import type { Baseline } from './clean-run.ts'
import type { Experience } from './experience.ts'
import { type ProofContext, runInstance } from './instance.ts'
import type { SeededFault } from './server-under-test.ts'
import { evidenceOf, type ShownEvidence } from './shown-evidence.ts'

const EXERCISERS = 3

/**
 * The checks that may kill a fault: those that decide its clauses, of its own engine first and of these first what is likely to notice it soonest, and
 * what exercises the schema-decided ones: checks of the fault's own engine, which see most of its values, and the quickest of all. Where forms of requests are not
 * equal, all of its engine may show it.
 *
 * @param most - how many exercisers of either sort a schema-decided clause gets.
 */
const checksFor = (
  contract: Contract,
  all: CheckDefinition[],
  baseline: Baseline,
  experience: Experience,
  { clauses, engine }: SeededFault,
  most: number,
): CheckDefinition[] => {
  const durationOf = ({ id }: CheckDefinition): number => baseline.durations.get(id) ?? 0
  const byDuration = (left: CheckDefinition, right: CheckDefinition) => durationOf(left) - durationOf(right)
  const costOf = (check: CheckDefinition): number => experience.costOf(check.id, durationOf(check))
  const byCost = (left: CheckDefinition, right: CheckDefinition) => costOf(left) - costOf(right)
  const deciding = all.filter((check) => check.clauses.some((clause) => clauses.includes(clause)))
  // Sweeps decide some clauses for every operation of every engine: those over the fault's own see it.
  const isNear = (check: CheckDefinition) => [check.engine, contract.operations.get(check.operation ?? '')?.engine].includes(engine)
  const inOrder = deciding.filter(isRunnable).sort(byCost)
  const active = [...inOrder.filter(isNear), ...inOrder.filter((check) => !isNear(check))]
  const passive = deciding.filter(isContractCheck)
  const reaching = new Set(passive.flatMap((check) => [...(baseline.reaching.get(check.clauses[0]) ?? [])]))
  // A server that is sealed answers nobody: with a fault in what it says then, a run would end there.
  const exercisers = all.filter((check) => reaching.has(check.id) && !deciding.includes(check) && !takesServerAway(check)).sort(byDuration)
  const own = exercisers.filter((check) => check.engine === engine)
  // Forms that are not equal show in whatever the engine is asked in them.
  const ruled = [...contract.apis.values()].flatMap(({ equalForms }) => Object.values(equalForms ?? {}))
  const inForms = clauses.some((clause) => ruled.includes(clause))
    ? all
        .filter((check) => check.engine === engine && isRunnable(check) && takesEitherForm(contract, check) && !deciding.includes(check))
        .sort(byDuration)
    : []
  const chosen = new Set([...own.slice(0, most * passive.length), ...exercisers.slice(0, most * passive.length)])
  return [...chosen, ...passive, ...active, ...inForms]
}

/** What a fault will take at least: milliseconds of the quickest check that decides its clauses, and whether all of these let time pass. */
export const leastTimeOf = (
  all: CheckDefinition[],
  { durations, resting }: Pick<Baseline, 'durations' | 'resting'>,
  { clauses }: Pick<SeededFault, 'clauses'>,
): { ms: number; isRest: boolean } => {
  const deciding = all.filter((check) => isRunnable(check) && check.clauses.some((clause) => clauses.includes(clause)))
  return {
    ms: Math.min(...deciding.map(({ id }) => durations.get(id) ?? 0), Number.MAX_SAFE_INTEGER),
    isRest: deciding.length > 0 && deciding.every(({ id }) => resting.has(id)),
  }
}

const killersOf = (runs: CheckRun[], clauses: readonly string[]): string[] =>
  runs
    .filter((run) => clauses.some((clause) => run.check.clauses.includes(clause) && voteOf(run, clause) === 'violated'))
    .map((run) => run.check.id)

/** What is told of a fault beside the record of it. */
export interface Told {
  note?: string
  evidence?: ShownEvidence
}

const tryOnce = async (
  proof: ProofContext,
  checks: CheckDefinition[],
  { resting }: Baseline,
  experience: Experience,
  fault: SeededFault,
): Promise<Pick<KillRecord, 'state' | 'killedBy'> & Told> => {
  try {
    const { runs, hits } = await runInstance(proof, checks, {
      server: { faults: [fault.id] },
      verdictsOnly: true,
      isResting: ({ id }) => resting.has(id),
      isDecisive: (clause) => fault.clauses.includes(clause),
      enough: (so) => killersOf(so, fault.clauses).length > 0,
    })
    const killedBy = killersOf(runs, fault.clauses)
    experience.add(
      runs.filter(({ check }) => isRunnable(check)).map(({ check }) => check.id),
      killedBy,
    )
    if (killedBy.length > 0) return { state: 'killed', killedBy, evidence: evidenceOf(runs, fault.clauses) }
    const other = runs.filter((run) => run.outcome !== 'passed').slice(0, 3)
    const note = [`${runs.length} checks`, ...other.map((run) => `${run.check.id} ${run.outcome}: ${run.reason ?? ''}`)].join(' | ')
    return { state: (hits.get(fault.id) ?? 0) === 0 ? 'unreached' : 'survived', killedBy, note }
  } catch (error) {
    return { state: 'errored', killedBy: [], note: (error as Error).message }
  }
}

const isOpen = ({ state }: Pick<KillRecord, 'state'>): boolean => state === 'survived' || state === 'unreached'

const byChance = ({ kind }: CheckDefinition): boolean => kind === 'race' || kind === 'model' || kind === 'property'

/** Tries one fault; where checks that draw or race let it survive, once more with the next seed, which the note then says. */
export const tryFault = async (
  proof: ProofContext,
  all: CheckDefinition[],
  baseline: Baseline,
  experience: Experience,
  fault: SeededFault,
): Promise<KillRecord & Told> => {
  const record = { fault: fault.id, engine: fault.engine, title: fault.title, clauses: fault.clauses }
  const likelyFirst = (checks: CheckDefinition[]): CheckDefinition[] => {
    const killedBefore = (check: CheckDefinition): boolean =>
      isRunnable(check) && baseline.killers?.get(fault.id)?.includes(check.id) === true
    return [...checks.filter(killedBefore), ...checks.filter((check) => !killedBefore(check))]
  }
  const few = likelyFirst(checksFor(proof.contract, all, baseline, experience, fault, EXERCISERS))
  if (few.length === 0) return { ...record, state: 'survived', killedBy: [], note: 'no check decides its clauses' }
  const quick = await tryOnce(proof, few, baseline, experience, fault)
  // Which few are quickest differs from run to run: only all of them together have the last word.
  const checks = checksFor(proof.contract, all, baseline, experience, fault, all.length)
  const first = isOpen(quick) && checks.length > few.length ? await tryOnce(proof, checks, baseline, experience, fault) : quick
  if (!isOpen(first) || !checks.some(byChance)) return { ...record, ...first }
  const second = await tryOnce({ ...proof, seed: proof.seed + 1 }, checks, baseline, experience, fault)
  const note =
    second.state === 'killed' ? `survived seed ${proof.seed} (${first.note ?? ''}), killed with seed ${proof.seed + 1}` : second.note
  return { ...record, ...second, ...(note === undefined ? {} : { note }) }
}
