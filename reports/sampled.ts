/** What a run of limited time or failures says of what it left out. */
import type { Results } from '../specs/meta/results.ts'
import { duration, plural, thousands } from './text.ts'

const SECOND = 1000

/** The sentence, in a list; none where nothing was left out. */
export const sampleWords = ({ scope: { sample, engines }, clauses }: Pick<Results, 'scope' | 'clauses'>): string[] => {
  if (sample === undefined) return []
  const mine = clauses.filter(({ engine, outcome }) => engines.includes(engine) && outcome !== 'notClaimed' && outcome !== 'excluded')
  const seen = mine.filter(({ outcome }) => outcome !== 'notExercised')
  const { checks, of, failures, seconds = 0 } = sample
  const tried = `${thousands(checks)} of ${plural(of, 'check')}`
  const reached = `came to ${thousands(seen.length)} of ${plural(mine.length, 'clause')}`
  if (failures !== undefined) return [`Ended after ${plural(failures, 'violated clause')}: ${tried} ran and ${reached}.`]
  return [
    `A sample: ${tried} fitted into ${duration(seconds * SECOND)} and ${reached}.${checks === 0 ? '' : ' Another seed draws others.'}`,
  ]
}
