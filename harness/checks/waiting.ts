/** Waiting for what need not come. */
import type { Bench } from './vocabulary.ts'

/**
 * Waits until a condition holds, without a failure if it never does: for clean-up, and for a model that compares what was seen.
 *
 * @param times `within` in milliseconds, by default the grace time, and `every`, the milliseconds between two looks.
 * @returns whether it came to hold in time.
 */
export const comesToHold = async (
  bench: Pick<Bench, 'eventually' | 'grace'>,
  condition: () => Promise<boolean>,
  times: { within?: number; every?: number } = {},
): Promise<boolean> => {
  const { within = bench.grace, every = 200 } = times
  const last = performance.now() + within
  let holds = false
  const decided = async (): Promise<boolean> => {
    holds = await condition()
    return holds || performance.now() >= last
  }
  await bench.eventually(decided, { within: 2 * within, every })
  return holds
}
