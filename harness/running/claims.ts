/** What a run claims: the embedded server claims what this machine can exercise, and the rest is found by what the checks need. */
import { isContractCheck } from '../checks/check.ts'
import type { CheckDefinition, ContractCheck } from '../checks/vocabulary.ts'
import { answerClauses } from '../planning/catalogue.ts'
import type { RunFacts } from '../planning/run-facts.ts'
import type { RunContext } from '../sending/context.ts'
import type { CheckRun } from './check-run.ts'
import { exercisesOf } from './contract-checks.ts'

export interface Split {
  /** Checks that run. */
  checks: CheckDefinition[]
  /** Checks that cannot for want of the backends in their needs. */
  notClaimed: CheckDefinition[]
}

/** The part of a run that says what it can have. */
type Means = Pick<RunContext, 'backends' | 'missingBackends' | 'contract' | 'targets'>

/** The backends that a check needs and that are not to be had. */
const lackedBy = ({ backends }: Means, { needs }: CheckDefinition): string[] =>
  (needs.backends ?? []).filter((name) => backends[name] === undefined)

/**
 * Which checks run.
 *
 * @param all true where everything is claimed: a target of the user's, or backends are required. Checks that lack something are then blocked.
 */
export const splitClaims = (means: Means, checks: CheckDefinition[], all: boolean): Split => {
  if (all) return { checks, notClaimed: [] }
  const lacks = (check: CheckDefinition): boolean => lackedBy(means, check).length > 0
  return { checks: checks.filter((check) => !lacks(check)), notClaimed: checks.filter(lacks) }
}

/** Engines of the operations whose answers decide the clause of a contract check. */
const decidingEngines = ({ contract }: Means, { clauses }: CheckDefinition): Set<string> => {
  const deciding = [...contract.operations.values()].filter((operation) => answerClauses(operation).has(clauses[0]!))
  return new Set(deciding.map(({ engine }) => engine))
}

/** A check that reached no end leaves open what its requests would have shown. */
const cameToItsEnd = ({ outcome }: CheckRun): boolean => outcome === 'passed' || outcome === 'observed' || outcome === 'failed'

/**
 * The backends for want of which no answer decided a clause; none where that has another cause.
 *
 * A clause that schemas decide is reached by whatever requests are sent. What could be sent was: every sample of the operations, and
 * every check of their engines that has what it needs. Where all of these came to their end and none reached the clause, only those that
 * lack a backend can.
 */
const lackedByClause = (means: Means, split: Split, check: ContractCheck, runs: readonly CheckRun[]): string[] => {
  const engines = decidingEngines(means, check)
  const others = runs.filter((run) => engines.has(run.check.engine) && run.check.kind !== 'contract')
  if (!others.every(cameToItsEnd)) return []
  const idle = split.notClaimed.filter(({ engine }) => engines.has(engine))
  return [...new Set([...exercisesOf(means, check), ...idle].flatMap((one) => lackedBy(means, one)))]
}

/** Takes the clauses that only backends which are missing can decide out of what is claimed, once the run has not reached them. */
export const withoutUnreachable = (means: Means, split: Split, runs: readonly CheckRun[]): Split & { runs: CheckRun[] } => {
  const gone = new Map<CheckDefinition, CheckDefinition>()
  if (split.notClaimed.length > 0)
    for (const { check, outcome } of runs) {
      if (outcome !== 'blocked' || !isContractCheck(check)) continue
      const backends = lackedByClause(means, split, check, runs)
      if (backends.length > 0) gone.set(check, { ...check, needs: { ...check.needs, backends } })
    }
  return {
    checks: split.checks.filter((check) => !gone.has(check)),
    notClaimed: [...split.notClaimed, ...gone.values()],
    runs: runs.filter(({ check }) => !gone.has(check)),
  }
}

/** Engines none of whose checks could run, with the reason and what to do about it. */
export const unclaimedEngines = (means: Means, split: Split, engines: readonly string[]): RunFacts['unclaimedEngines'] =>
  engines
    .filter((engine) => !split.checks.some((check) => check.engine === engine && check.kind !== 'contract'))
    .map((id) => {
      const needed = split.notClaimed.filter((check) => check.engine === id).flatMap((check) => check.needs.backends ?? [])
      const why = needed.map((name) => means.missingBackends[name]).find((found) => found !== undefined)
      return { id, reason: why?.reason ?? 'nothing of it can be exercised', remedy: why?.remedy ?? 'see `assay backends`' }
    })
