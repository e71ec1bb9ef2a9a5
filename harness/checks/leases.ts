/** What holds of the leases of every engine. */
import type { CheckContext } from './vocabulary.ts'

/** Milliseconds between two renewals: long enough that a maximum counted anew from the second one shows. */
const PAUSE = 6_000
/** Seconds by which a whole number may exceed what is left. */
const ROUNDING = 2

/**
 * Asserts that renewing a lease again and again does not take it beyond its maximum, counted from its issue. A refusal of the renewal is as good.
 *
 * @param lease id of a lease that was issued just now.
 * @param maximum seconds from its issue.
 */
export const renewsWithin = async (
  { bench, expect }: Pick<CheckContext, 'bench' | 'expect'>,
  lease: string,
  maximum: number,
): Promise<void> => {
  const issuedBefore = performance.now()
  for (const pause of [0, PAUSE]) {
    await new Promise((done) => setTimeout(done, pause))
    const left = maximum - (performance.now() - issuedBefore) / 1000
    const renewed = await bench.leases.renew(lease, 3600)
    if (!renewed.ok) return void expect(renewed).toBeRefused()
    const { lease_duration: granted } = renewed.body as { lease_duration?: unknown }
    expect(Number(granted), 'seconds granted by a renewal').toBeLessThanOrEqual(left + ROUNDING)
  }
}
