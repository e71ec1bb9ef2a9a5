/** What the causes of its checks mean for a clause. */
import type { Vote } from '../../specs/meta/outcomes.ts'
import type { CheckResult, ClauseResult, Narrowing } from '../../specs/meta/results.ts'

/** A vote on a clause; what a check could not decide for a known cause is left to the others. */
export const votedWith = (vote: Vote, causedBy: readonly string[] | undefined): Vote =>
  vote === 'blocked' && causedBy !== undefined ? 'undecided' : vote

interface Open {
  check: string
  vote: string
  causedBy: string[]
}

const openIn = (clause: string, checks: readonly CheckResult[]): Open[] =>
  checks.flatMap(({ id, undecided = [] }) =>
    undecided.flatMap(({ clause: of, vote, causedBy = [] }) => (of === clause ? [{ check: id, vote, causedBy }] : [])),
  )

const narrowingsOf = (open: readonly Open[]): Narrowing[] => {
  const by = new Map<string, string[]>()
  for (const { check, causedBy } of open) for (const cause of causedBy) by.set(cause, [...(by.get(cause) ?? []), check])
  return [...by].map(([cause, checks]) => ({ cause, checks }))
}

/** All causes, where each of these has any; none where one has none. */
const commonTo = (all: readonly { causedBy?: string[] }[]): string[] =>
  all.some(({ causedBy = [] }) => causedBy.length === 0) ? [] : [...new Set(all.flatMap(({ causedBy = [] }) => causedBy))].sort()

/** What explains that a clause is violated or undecided, or what it was verified without. */
export const causesOfClause = (
  { id, outcome }: Pick<ClauseResult, 'id' | 'outcome'>,
  checks: readonly CheckResult[],
): Pick<ClauseResult, 'causedBy' | 'narrowedBy'> => {
  const open = openIn(id, checks)
  if (outcome === 'verified') {
    const narrowedBy = narrowingsOf(open.filter(({ vote }) => vote !== 'notExercised'))
    return narrowedBy.length === 0 ? {} : { narrowedBy }
  }
  const violated = checks.flatMap(({ decisions }) => decisions.filter((one) => one.clause === id && one.outcome === 'violated'))
  const unreached = outcome === 'notExercised' ? open : open.filter(({ vote }) => vote !== 'notExercised')
  const causedBy = commonTo(outcome === 'violated' ? violated : outcome === 'blocked' || outcome === 'notExercised' ? unreached : [])
  return causedBy.length === 0 ? {} : { causedBy }
}
