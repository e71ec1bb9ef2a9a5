/** The one order of violated clauses in every report: what explains most comes first. */
import type { ClauseResult } from './results.ts'

/** How many clauses follow from each, or rest on it, directly or through others. */
const countsBeneath = (clauses: readonly Pick<ClauseResult, 'id' | 'causedBy'>[]): Map<string, number> => {
  const causesOf = new Map(clauses.map(({ id, causedBy = [] }) => [id, causedBy]))
  const counts = new Map<string, number>()
  for (const { id } of clauses) {
    const above = new Set(causesOf.get(id))
    for (const cause of above) for (const further of causesOf.get(cause) ?? []) above.add(further)
    above.delete(id)
    for (const cause of above) counts.set(cause, (counts.get(cause) ?? 0) + 1)
  }
  return counts
}

/** Compares ids of clauses: what explains more comes first, else what stands first among the clauses. */
export const byExplaining = (clauses: readonly Pick<ClauseResult, 'id' | 'causedBy'>[]): ((left: string, right: string) => number) => {
  const counts = countsBeneath(clauses)
  const places = new Map(clauses.map(({ id }, index) => [id, index]))
  const placeOf = (id: string): number => places.get(id) ?? clauses.length
  return (left, right) => (counts.get(right) ?? 0) - (counts.get(left) ?? 0) || placeOf(left) - placeOf(right)
}
