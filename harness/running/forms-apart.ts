/**
 * Runs a check in forms that are equal by contract, and tells what a failure comes from: a check that fails in plain form too fails for what it
 * is about; one that fails in one kind of form alone shows that forms are not equal, which is a clause of its own, and holds otherwise.
 */

import type { RunnableCheck } from '../checks/vocabulary.ts'
import type { FormKind } from '../contract/contract.ts'
import { type RunContext, targetOfCheck } from '../sending/context.ts'
import { EqualForms, takesEitherForm } from '../sending/equal-forms.ts'
import type { CheckRun } from './check-run.ts'

const KINDS: readonly FormKind[] = ['synonyms', 'listing', 'carriers']

const WORDS: Record<FormKind, string> = {
  synonyms: 'with synonyms of methods',
  listing: 'with the other way of listing',
  carriers: "with the token's other carrier",
}

const isGood = ({ outcome }: Pick<CheckRun, 'outcome'>): boolean => outcome === 'passed' || outcome === 'observed'

/** Whether answers of the target made a check fail: what got none says nothing about the form in which it was asked. */
const isAgainst = (run: CheckRun): boolean => !isGood(run) && run.unanswered !== true

/** A check that holds, and fails in one kind of form: what it decided in plain form stands, and the forms differ. */
const formsDiffer = (plain: CheckRun, failed: CheckRun, kind: FormKind, clause: string): CheckRun => {
  const reason = `${WORDS[kind]}, and not without: ${failed.reason ?? failed.outcome}`
  const seen = failed.decisions.find(({ outcome }) => outcome === 'violated')
  const evidence = seen === undefined ? {} : { expected: seen.expected, seen: seen.seen, exchange: seen.exchange, after: seen.after }
  return {
    ...failed,
    check: { ...(plain.check as RunnableCheck), clauses: [...new Set([...plain.check.clauses, clause])] },
    outcome: 'failed',
    reason,
    decisions: [
      // Their exchanges are those of the other run.
      ...plain.decisions.map(({ exchange: _, after: __, beside: ___, ...rest }) => rest),
      { clause, outcome: 'violated', message: reason, ...evidence },
    ],
  }
}

/**
 * Runs a check with requests in either form where that makes no difference by contract. Only where it then does not hold it is run again, in plain form,
 * and if it holds there with each kind of form by itself, twice, and in plain form once more.
 *
 * @param run the check to its end, in these forms.
 */
export const inEitherForm = async (
  context: RunContext,
  check: RunnableCheck,
  run: (forms: EqualForms | undefined) => Promise<CheckRun>,
): Promise<CheckRun> => {
  const { equalForms } = targetOfCheck(context, check).api
  if (context.plain || equalForms === undefined || !takesEitherForm(context.contract, check)) return run(undefined)
  const formsOf = (kinds: readonly FormKind[]) => new EqualForms(context.seed, check.id, kinds)
  const mixed = formsOf(KINDS)
  const first = await run(mixed)
  if (!isAgainst(first) || mixed.taken.size === 0 || context.signal.aborted) return first
  const plain = await run(undefined)
  if (!isGood(plain) || context.signal.aborted) return plain
  for (const kind of mixed.taken) {
    const clause = equalForms[kind]
    if (clause === undefined || !isAgainst(await run(formsOf([kind])))) continue
    // Once may be chance, that it fails and that it does not.
    const again = await run(formsOf([kind]))
    if (!isAgainst(again)) continue
    const plainAgain = await run(undefined)
    return isGood(plainAgain) ? formsDiffer(plainAgain, again, kind, clause) : plainAgain
  }
  // Neither kind of form alone makes it fail: what failed once failed, unless it only could not be carried out.
  return first.outcome === 'failed' ? first : plain
}
