/** What a run of limited time says of what it left out, in one sentence. */
import type { Results } from '../specs/meta/results.ts'
import { duration, plural, thousands } from './text.ts'

const SECOND = 1000

/** The sentence, in a list; none where nothing was left out for want of time. */
export const sampleWords = ({ scope: { sample, engines }, clauses }: Pick<Results, 'scope' | 'clauses'>): string[] => {
  if (sample === undefined) return []
  const mine = clauses.filter(({ engine, outcome }) => engines.includes(engine) && outcome !== 'notClaimed' && outcome !== 'excluded')
  const seen = mine.filter(({ outcome }) => outcome !== 'notExercised')
  return [
    `A sample: ${thousands(sample.checks)} of ${plural(sample.of, 'check')} fitted into ${duration(sample.seconds * SECOND)} and came to ${thousands(seen.length)} of ${plural(mine.length, 'clause')}. Another seed draws others.`,
  ]
}
