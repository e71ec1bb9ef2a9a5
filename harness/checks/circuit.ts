/** Sequences in which everything follows everything. */
import type { Random } from './vocabulary.ts'

/**
 * A closed walk through the complete graph with loops, each edge once: of n items n² + 1, in which each one directly follows each other and
 * itself exactly once.
 *
 * @param items what follows one another; told apart by place, so that equal ones may be among them.
 * @param random in which order, beyond that.
 */
export const everyPair = <T>(random: Pick<Random, 'shuffle'>, items: readonly T[]): T[] => {
  const open = items.map(() => random.shuffle([...items.keys()]))
  const walk: number[] = []
  const stack = items.length === 0 ? [] : [0]
  while (stack.length > 0) {
    const next = open[stack.at(-1)!]!.pop()
    if (next === undefined) walk.push(stack.pop()!)
    else stack.push(next)
  }
  return walk.reverse().map((index) => items[index]!)
}
