/** The clean run of a proof: what it teaches about checks, and what it shows to be wrong with them. It may be shared out among several processes. */
import type { CheckDefinition } from '../checks/vocabulary.ts'
import type { Contract } from '../contract/contract.ts'
import { refusedOperations } from '../running/contract-checks.ts'
import { falsePositivesOf, type Instance, type ProofContext, runInstance } from './instance.ts'
import type { Learned, Team } from './team.ts'

/** What a run taught: how long each check takes, and which checks reach the clauses that schemas decide. */
export interface Baseline {
  /** Milliseconds, by the ids of checks. */
  durations: ReadonlyMap<string, number>
  /** Checks that let time pass: while they do, the machine can do something else. */
  resting: ReadonlySet<string>
  /** By clauses that schemas decide: ids of the checks whose exchanges reached them. */
  reaching: ReadonlyMap<string, ReadonlySet<string>>
  /** By the ids of faults: the checks that killed each in an earlier proof, which are tried first. */
  killers?: ReadonlyMap<string, readonly string[]>
}

/** What a clean run taught, with the run of this process. */
export interface CleanRun extends Baseline {
  instance: Instance
}

/** Milliseconds from which on it is worth while to do something else. */
const RESTING = 1000

const isDone = (status: number): boolean => status >= 200 && status < 300

/** What a share of the clean run taught: false positives of its checks, and all findings of schemas, also for clauses that checks decide. */
const learnedFrom = (contract: Contract, { runs, context }: Pick<Instance, 'runs' | 'context'>): Learned => {
  const { ledger } = context
  const bySchemas = [...ledger.clauses]
    .filter(([clause, { findings }]) => findings.size > 0 && contract.clauses.get(clause)?.level === 'required')
    .map(([clause, { findings }]) => `${clause} by the schema of an answer: ${[...findings.keys()][0]}`)
  return {
    durations: runs.map(({ check, durationMs }) => [check.id, durationMs]),
    resting: runs.filter(({ restedMs = 0 }) => restedMs >= RESTING).map(({ check }) => check.id),
    reaching: [...ledger.clauses].map(([clause, { by }]) => [clause, [...by]]),
    falsePositives: [...falsePositivesOf(contract, runs), ...bySchemas],
    refused: refusedOperations(context).map(({ clause, operation: { id } }) => [id, `${clause}: ${id} refused every request`]),
    served: [...ledger.statuses].filter(([, statuses]) => [...statuses.keys()].some(isDone)).map(([operation]) => operation),
  }
}

/** What all shares together taught. */
export const learnedTogether = (parts: readonly Learned[]) => {
  const reaching = new Map<string, Set<string>>()
  for (const [clause, checks] of parts.flatMap((part) => part.reaching))
    for (const check of checks) reaching.set(clause, (reaching.get(clause) ?? new Set()).add(check))
  const served = new Set(parts.flatMap((part) => part.served))
  const refused = parts.flatMap((part) => part.refused).filter(([operation]) => !served.has(operation))
  return {
    durations: new Map(parts.flatMap((part) => part.durations)),
    resting: new Set(parts.flatMap((part) => part.resting)),
    reaching,
    /** Where the clean server was held guilty of what it has not done. */
    falsePositives: [...new Set([...parts.flatMap((part) => part.falsePositives), ...refused.map(([, text]) => text)])],
  }
}

/** Rejects once the proof is cut short: a process that was to learn something has ended, and the others get nothing more from it. */
const cutShort = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    const rejects = (): void => reject(signal.reason)
    if (signal.aborted) rejects()
    else signal.addEventListener('abort', rejects, { once: true })
  })

/** Makes this process's share of the clean run, and learns from those of the others. */
export const runClean = async (
  proof: ProofContext,
  checks: readonly CheckDefinition[],
  team: Team,
): Promise<{ baseline: CleanRun; falsePositives: string[] }> => {
  const share = checks.filter((_, place) => place % team.of === team.index - 1)
  const instance = await runInstance(proof, share, { recording: true })
  const parts = await Promise.race([team.learn(learnedFrom(proof.contract, instance)), cutShort(proof.signal)])
  const { falsePositives, ...learned } = learnedTogether(parts)
  return { baseline: { instance, ...learned }, falsePositives }
}
