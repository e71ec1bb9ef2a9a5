/** The engines of a proof in two halves that take about as long, for continuous integration. */

interface Listed {
  id: string
}
interface OfEngine {
  engine: string
}

const countOf = (items: readonly OfEngine[], engine: string): number => items.filter((item) => item.engine === engine).length

/**
 * Splits engines into two halves whose checks are as equal in number as can be: each run of a fault or variant begins with them.
 *
 * @param checks the last part of a check's id is the operation that it was made for, where it was made for one
 * @throws Error that names an engine without a fault: nothing of it could be proved.
 */
export const halvesOf = (
  engines: readonly Listed[],
  faults: readonly OfEngine[],
  checks: readonly (Listed & OfEngine)[],
  operations: readonly (Listed & OfEngine)[],
): [string[], string[]] => {
  const bare = engines.map(({ id }) => id).filter((id) => countOf(faults, id) === 0)
  if (bare.length > 0) throw new Error(`engines without a fault: ${bare.join(', ')}`)
  // The last engine is in the second half always: the other half of all splits are the same ones turned round.
  const splits = Array.from({ length: 2 ** (engines.length - 1) - 1 }, (_, at): [string[], string[]] => {
    const isFirst = (place: number): boolean => (((at + 1) >> place) & 1) === 1
    return [engines.filter((_engine, place) => isFirst(place)), engines.filter((_engine, place) => !isFirst(place))].map((half) =>
      half.map(({ id }) => id),
    ) as [string[], string[]]
  })
  const ownerOf = new Map(operations.map(({ id, engine }) => [id, engine]))
  const counts = new Map<string, { pair: [string, string]; count: number }>()
  for (const { id, engine } of checks) {
    const pair: [string, string] = [engine, ownerOf.get(id.slice(id.lastIndexOf('/') + 1)) ?? engine]
    counts.set(pair.join(), { pair, count: (counts.get(pair.join())?.count ?? 0) + 1 })
  }
  // What one engine checks on the operations of another is left out where that one is in the other half.
  const size = (half: string[]): number =>
    [...counts.values()].reduce((sum, { pair, count }) => (pair.every((engine) => half.includes(engine)) ? sum + count : sum), 0)
  const longer = (split: [string[], string[]]): number => Math.max(...split.map(size))
  return splits.reduce((best, split) => (longer(split) < longer(best) ? split : best))
}

/** Engines of which no fault was tried. */
export const missingFrom = (engines: readonly Listed[], kills: readonly OfEngine[]): string[] =>
  engines.map(({ id }) => id).filter((id) => countOf(kills, id) === 0)
