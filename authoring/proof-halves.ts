/** The engines of a proof in two halves of about as many faults, for continuous integration. */

interface Listed {
  id: string
}
interface OfEngine {
  engine: string
}

const countOf = (faults: readonly OfEngine[], engine: string): number => faults.filter((fault) => fault.engine === engine).length

/**
 * Splits engines by their count of faults: the largest first, each to the lighter half.
 *
 * @throws Error that names an engine without a fault: nothing of it could be proved.
 */
export const halvesOf = (engines: readonly Listed[], faults: readonly OfEngine[]): [string[], string[]] => {
  const weights = engines.map(({ id }) => ({ id, count: countOf(faults, id) })).sort((left, right) => right.count - left.count)
  const bare = weights.filter(({ count }) => count === 0).map(({ id }) => id)
  if (bare.length > 0) throw new Error(`engines without a fault: ${bare.join(', ')}`)
  const halves: [string[], string[]] = [[], []]
  const sums = [0, 0]
  for (const { id, count } of weights) {
    const lighter = sums[0]! <= sums[1]! ? 0 : 1
    halves[lighter].push(id)
    sums[lighter]! += count
  }
  return halves
}

/** Engines of which no fault was tried. */
export const missingFrom = (engines: readonly Listed[], kills: readonly OfEngine[]): string[] =>
  engines.map(({ id }) => id).filter((id) => countOf(kills, id) === 0)
