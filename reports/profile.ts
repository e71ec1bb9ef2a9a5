/** What a run says of its profile, in one sentence. */
import type { ClauseOutcome, ProfileRecord } from '../specs/meta/results.ts'
import { firstOf } from './text.ts'

const MOST = 3
const DIGITS = 12

/** The sentence, and what it is drawn like. */
export const profileWords = ({ name, title, digest, certified }: ProfileRecord): { say: string; like: ClauseOutcome } => {
  const what = `${name} (${title}, digest ${digest.slice(0, DIGITS)})`
  return certified.holds
    ? { say: `Certified for ${what}.`, like: 'verified' }
    : { say: `Not certified for ${what}: ${firstOf(certified.reasons, MOST).join('; ')}.`, like: 'violated' }
}
