/** What is asked about tokens and values: whether they are valid or tokenized, and what a token carries. */
import type { Route } from '../../core/engine.ts'
import { invalid } from '../../core/errors.ts'
import { answered, attempt, type Result, type Task, type TransformCall, type Work } from './batches.ts'
import type { TransformRules } from './rules.ts'
import type { TransformState } from './state.ts'
import { knownTokens, tokenizedValues } from './value-tokens.ts'

/** Refuses transformations that have no tokens. */
const ofTokens =
  (work: Work): Work =>
  (call, tasks) => {
    if (call.rules.hasTokens(tasks[0]!.transformation)) return work(call, tasks)
    const refused = attempt(() => {
      throw invalid('this is for tokenization only')
    })
    return tasks.map(() => refused)
  }

const validated = async (call: TransformCall, tasks: Task[]): Promise<Result[]> => {
  const { results, found } = await knownTokens(call, tasks)
  for (const { index, kept } of found) results[index] = call.rules.shownValid(kept !== undefined)
  return results
}

const described = async (call: TransformCall, tasks: Task[]): Promise<Result[]> => {
  const { results, found } = await knownTokens(call, tasks)
  for (const { index, kept } of found)
    results[index] = attempt(() => {
      if (kept === undefined) throw invalid('no such token')
      return call.rules.shownMetadata(kept)
    })
  return results
}

const question = (name: string, work: Work): Route<TransformState, TransformRules> => ({
  id: `transform.${name}`,
  method: 'POST',
  path: `${name}/:role_name`,
  handle: (call) => answered(call, ofTokens(work)),
})

export const questionRoutes: Route<TransformState, TransformRules>[] = [
  question('validate', validated),
  question('tokenized', tokenizedValues),
  question('metadata', described),
]
