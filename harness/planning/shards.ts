/** Which checks belong to which part of a run: the same on every machine. */

/** What a check counts that no earlier run has: a little, so that many of them are not one part's. */
const UNKNOWN = 100

/**
 * The part of checks that a shard runs.
 *
 * @param checks in an order that is the same for all shards.
 * @param shard from 1.
 * @param durations milliseconds by check id, from earlier runs; where there are none, checks go round.
 */
export const partFor = <T extends { id: string }>(
  checks: readonly T[],
  { index, of }: { index: number; of: number },
  durations: ReadonlyMap<string, number> = new Map(),
): T[] => {
  if (durations.size === 0) return checks.filter((_, at) => at % of === index - 1)
  const loads = Array.from({ length: of }, () => 0)
  const costOf = ({ id }: T): number => durations.get(id) ?? UNKNOWN
  const longestFirst = [...checks].sort((left, right) => costOf(right) - costOf(left) || (left.id < right.id ? -1 : 1))
  const mine = new Set<T>()
  for (const check of longestFirst) {
    const least = loads.indexOf(Math.min(...loads))
    loads[least]! += costOf(check) + 1
    if (least === index - 1) mine.add(check)
  }
  return checks.filter((check) => mine.has(check))
}
