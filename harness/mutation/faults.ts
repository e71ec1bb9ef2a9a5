/** Seeded faults, each of which a check has to catch by a clause that it breaks. */
import type { KillRecord } from '../../specs/meta/results.ts'
import { isContractCheck, isRunnable, takesServerAway } from '../checks/check.ts'
import type { CheckDefinition } from '../checks/vocabulary.ts'
import type { Contract } from '../contract/contract.ts'
import { voteOf } from '../outcomes/verdict.ts'
import type { CheckRun } from '../running/check-run.ts'
import type { RunContext } from '../sending/context.ts'
import { takesEitherForm } from '../sending/equal-forms.ts'
import type { Baseline } from './clean-run.ts'
import { type ProofContext, runInstance } from './instance.ts'
import { differenceBy } from './same-answers.ts'
import type { SeededFault } from './server-under-test.ts'
import { evidenceOf, type ShownEvidence } from './shown-evidence.ts'
import { type Trial, trialOf } from './trials.ts'

const EXERCISERS = 3

/**
 * The checks that may kill a fault: those that decide its clauses, of its own engine first and of these first what is likely to notice it soonest, and
 * what exercises the schema-decided ones: checks of the fault's own engine, which see most of its values, and the quickest of all. Where forms of requests are not
 * equal, all of its engine may show it.
 *
 * @param most - how many exercisers of either sort a schema-decided clause gets, and how many of its engine show that forms are not equal.
 */
const checksFor = (
  contract: Contract,
  all: CheckDefinition[],
  baseline: Baseline,
  { clauses, engine }: SeededFault,
  most: number,
): CheckDefinition[] => {
  const durationOf = ({ id }: CheckDefinition): number => baseline.durations.get(id) ?? 0
  const byDuration = (left: CheckDefinition, right: CheckDefinition) => durationOf(left) - durationOf(right)
  const deciding = all.filter((check) => check.clauses.some((clause) => clauses.includes(clause)))
  // Sweeps decide some clauses for every operation of every engine: those over the fault's own see it.
  const isNear = (check: CheckDefinition) => [check.engine, contract.operations.get(check.operation ?? '')?.engine].includes(engine)
  const inOrder = deciding.filter(isRunnable).sort(byDuration)
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
        .slice(0, most)
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

/** Checks whose exchanges show what a schema decides of these clauses: with one of them the fault is found again at once. */
const showing = ({ ledger }: RunContext, runs: readonly CheckRun[], clauses: readonly string[]): string[] =>
  runs.filter(({ check }) => clauses.some((clause) => ledger.clauses.get(clause)?.foundBy.has(check.id))).map(({ check }) => check.id)

/** What is told of a fault beside the record of it. */
export interface Told {
  note?: string
  evidence?: ShownEvidence
  /** Where every check was run to its end: what each did, with this seed. */
  trials?: Trial[]
  seed?: number
}

/** One fault, what it is tried with, and what is known already. */
interface Trying {
  proof: ProofContext
  all: CheckDefinition[]
  baseline: Baseline
  fault: SeededFault
  /** Every check comes to its end, whatever the others found. */
  toTheEnd?: boolean
}

/** As they are run to their end: what schemas decide after all answers, and what takes the server away last. */
const rankOf = (check: CheckDefinition): number => (takesServerAway(check) ? 2 : Number(isContractCheck(check)))

const tryOnce = async (
  checks: CheckDefinition[],
  { proof, baseline, fault, toTheEnd = false }: Trying,
): Promise<Pick<KillRecord, 'state' | 'killedBy'> & Told> => {
  try {
    const inOrder = toTheEnd ? [...checks].sort((left, right) => rankOf(left) - rankOf(right)) : checks
    const { runs, hits, context } = await runInstance(proof, inOrder, {
      server: { faults: [fault.id] },
      verdictsOnly: true,
      isResting: ({ id }) => baseline.resting.has(id),
      isDecisive: (clause) => !toTheEnd && fault.clauses.includes(clause),
      enough: (so) => !toTheEnd && killersOf(so, fault.clauses).length > 0,
    })
    const killedBy = killersOf(runs, fault.clauses)
    const told = toTheEnd ? { seed: proof.seed, trials: runs.map((run) => trialOf(context, run, fault.clauses)) } : {}
    if (killedBy.length > 0) {
      const all = [...new Set([...showing(context, runs, fault.clauses), ...killedBy])]
      return { state: 'killed', killedBy: all, evidence: evidenceOf(runs, fault.clauses), ...told }
    }
    const other = runs.filter((run) => run.outcome !== 'passed').slice(0, 3)
    const note = [`${runs.length} checks`, ...other.map((run) => `${run.check.id} ${run.outcome}: ${run.reason ?? ''}`)].join(' | ')
    return { state: (hits.get(fault.id) ?? 0) === 0 ? 'unreached' : 'survived', killedBy, note, ...told }
  } catch (error) {
    // What was interrupted decided nothing.
    proof.signal.throwIfAborted()
    return { state: 'errored', killedBy: [], note: (error as Error).message }
  }
}

const isOpen = ({ state }: Pick<KillRecord, 'state'>): boolean => state === 'survived' || state === 'unreached'

const byChance = ({ kind }: CheckDefinition): boolean => kind === 'race' || kind === 'model' || kind === 'property'

/** Tells of a fault that survived whether any answer to its checks differed from the clean server's: where none did, no check of these can notice it. */
const withDifference = async <R extends KillRecord & Told>({ proof, fault }: Trying, checks: CheckDefinition[], record: R): Promise<R> => {
  if (record.state !== 'survived') return record
  const difference = await differenceBy(proof, checks.filter(isRunnable), fault.id)
  const note = [...(difference === undefined ? [] : [`an answer differed: ${difference}`]), record.note ?? ''].join(' | ')
  return { ...record, state: difference === undefined ? 'sameAnswers' : 'survived', note }
}

/**
 * Tries one fault; where checks that draw or race let it survive, once more with the next seed, which the note then says.
 *
 * @throws the reason of the proof's signal where that ended it: nothing is decided then.
 */
export const tryFault = async (trying: Trying): Promise<KillRecord & Told> => {
  const { proof, all, baseline, fault } = trying
  const record = { fault: fault.id, engine: fault.engine, title: fault.title, clauses: fault.clauses }
  const killedBefore = all.filter((check) => isRunnable(check) && baseline.killers?.get(fault.id)?.includes(check.id) === true)
  const likelyFirst = (checks: CheckDefinition[]): CheckDefinition[] => [...new Set([...killedBefore, ...checks])]
  const few = likelyFirst(checksFor(proof.contract, all, baseline, fault, EXERCISERS))
  if (few.length === 0) return { ...record, state: 'survived', killedBy: [], note: 'no check decides its clauses' }
  const quick = await tryOnce(few, trying)
  // Which few are quickest differs from run to run: only all of them together have the last word.
  const checks = checksFor(proof.contract, all, baseline, fault, all.length)
  const first = isOpen(quick) && checks.length > few.length ? await tryOnce(checks, trying) : quick
  if (!isOpen(first) || !checks.some(byChance)) return withDifference(trying, checks, { ...record, ...first })
  const second = await tryOnce(checks, { ...trying, proof: { ...proof, seed: proof.seed + 1 } })
  const note =
    second.state === 'killed' ? `survived seed ${proof.seed} (${first.note ?? ''}), killed with seed ${proof.seed + 1}` : second.note
  return withDifference(trying, checks, { ...record, ...second, ...(note === undefined ? {} : { note }) })
}
