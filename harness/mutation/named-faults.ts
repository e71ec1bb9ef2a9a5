/** Faults that somebody names: tried without a clean run of all checks, which would take longer than they do. */
import { isContractCheck, isRunnable } from '../checks/check.ts'
import type { CheckDefinition } from '../checks/vocabulary.ts'
import type { Contract } from '../contract/contract.ts'
import { withShown } from '../contract/general.ts'
import { answerClauses } from '../planning/catalogue.ts'
import { expectedTime } from '../planning/check-costs.ts'
import type { Baseline } from './clean-run.ts'
import type { Selected } from './proof.ts'

const decides = (check: CheckDefinition, clauses: readonly string[]): boolean => check.clauses.some((clause) => clauses.includes(clause))

/** The checks that may say something of a selection: those that decide the clauses of its faults, and all of an engine where any may show one, or for its variants. */
export const checksConcerned = (contract: Contract, all: readonly CheckDefinition[], { faults, variants }: Selected): CheckDefinition[] => {
  const ruled = [...contract.apis.values()].flatMap(({ equalForms }) => Object.values(equalForms ?? {}))
  const whole = new Set(variants.flatMap(({ engine }) => withShown(contract, new Set([engine]))))
  // What schemas decide, and forms that are not equal, any check of the engine may show.
  const byAny = faults.filter(
    ({ clauses }) =>
      clauses.some((clause) => ruled.includes(clause)) || all.some((check) => isContractCheck(check) && decides(check, clauses)),
  )
  return all.filter(
    (check) =>
      whole.has(check.engine) ||
      faults.some(({ clauses }) => decides(check, clauses)) ||
      byAny.some(({ engine }) => isRunnable(check) && check.engine === engine),
  )
}

/** What is known without a clean run: how long checks usually take, and that any may reach what schemas decide, first those of an operation that shows it. */
export const guessed = (contract: Contract, checks: readonly CheckDefinition[]): Baseline => {
  const passive = checks.filter(isContractCheck).map(({ clauses: [clause] }) => clause)
  const usual = expectedTime(new Map())
  const showsOne = ({ operation = '' }: CheckDefinition): boolean => {
    const found = contract.operations.get(operation)
    return found !== undefined && [...answerClauses(found)].some((clause) => passive.includes(clause))
  }
  const runnable = checks.filter(isRunnable)
  const ids = new Set(runnable.map(({ id }) => id))
  return {
    durations: new Map(runnable.map((check) => [check.id, showsOne(check) ? 0 : usual(check)])),
    resting: new Set(runnable.filter(({ waits }) => waits === true).map(({ id }) => id)),
    reaching: new Map(passive.map((clause) => [clause, ids])),
  }
}
