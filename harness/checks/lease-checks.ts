/** What holds of the leases of every engine. */
import type { Answer, CallInput } from '../target/exchange.ts'
import type { CheckContext } from './vocabulary.ts'

/** Milliseconds after which it shows that a renewal restarts the maximum. */
const TELLING = 6_000
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
  const age = (): number => performance.now() - issuedBefore
  for (const reached of [0, TELLING]) {
    await bench.eventually(async () => age() >= reached, { within: 2 * TELLING, every: 500, because: 'the lease grows older' })
    const left = maximum - age() / 1000
    const renewed = await bench.leases.renew(lease, 3600)
    if (!renewed.ok) return void expect(renewed).toBeRefused()
    const { lease_duration: granted } = renewed.body as { lease_duration?: unknown }
    expect(Number(granted), 'seconds granted by a renewal').toBeLessThanOrEqual(left + ROUNDING)
  }
}

/** Seconds by which a lease is renewed so that it ends soon, and the longest wait for its end. */
const SHORT = { asked: 5, longest: 60 }

/**
 * Asserts that what is leased ends with its lease where that was renewed for a short time, and is there before; blocks where no renewal gives
 * one.
 *
 * @param lease id of a lease that has not ended.
 * @param isThere whether what is leased is still there.
 */
export const endsOnceRenewed = async (
  { bench, expect }: Pick<CheckContext, 'bench' | 'expect'>,
  lease: string,
  isThere: () => Promise<boolean>,
): Promise<void> => {
  // What never was there ends with nothing.
  await bench.eventually(isThere, { because: 'what is leased is there before its lease is renewed' })
  const { body } = await bench.leases.renew(lease, SHORT.asked)
  const granted = Number((body as { lease_duration?: unknown } | undefined)?.lease_duration)
  if (!(granted <= SHORT.longest)) bench.blocked('a short renewal gave no time that ends soon', 'see the clauses of renewal first')
  await bench.eventually(async () => expect(await isThere(), 'what was leased, after the end of its renewed lease').toBe(false), {
    within: granted * 1000 + bench.grace,
    every: 500,
  })
}

/**
 * Asserts that an answer carries no lease. The lease of a credential issued just before, to the same caller, stays with that credential. A
 * configured lease duration is not a lease.
 *
 * @param operation reads or lists what is stored, and so leases nothing.
 */
export const leasesNothing = async (
  { bench, expect }: Pick<CheckContext, 'bench' | 'expect'>,
  operation: string,
  input: CallInput,
): Promise<void> => {
  const { lease_id: id, lease_duration: duration } = ((await bench.given(operation, input)).body ?? {}) as {
    lease_id?: unknown
    lease_duration?: unknown
  }
  expect(id ?? '', `lease_id of ${operation}, after a lease was issued`).toBe('')
  expect(duration ?? 0, `lease_duration of ${operation}, after a lease was issued`).toBe(0)
}

/** Milliseconds in which a credential that goes with the token of another caller is gone. */
const GONE = 3_000

/**
 * Asserts that credentials outlive the token of another caller, who asked for credentials of the same role before and afterwards.
 *
 * @param operation issues credentials to every caller that may read.
 * @param keep takes the credentials of an answer, which the clean-up then knows of.
 * @param isAlive whether credentials log in.
 */
export const outlivesCallers = async <T>(
  { bench, expect }: Pick<CheckContext, 'bench' | 'expect'>,
  operation: string,
  input: CallInput,
  keep: (answer: Answer) => T,
  isAlive: (credential: T) => Promise<boolean>,
): Promise<void> => {
  const caller = () => bench.identity([{ operation, ...(input.path === undefined ? {} : { path: input.path }), capabilities: ['read'] }])
  const [leaving, staying] = [await caller(), await caller()]
  keep(await bench.given(operation, { ...input, as: leaving }))
  const credential = keep(await bench.given(operation, { ...input, as: staying }))
  keep(await bench.given(operation, { ...input, as: leaving }))
  expect(await isAlive(credential), 'logs in at first').toBe(true)
  await bench.endToken(leaving)
  const until = performance.now() + GONE
  await bench.eventually(async () => performance.now() > until || !(await isAlive(credential)), { within: 2 * GONE, every: 500 })
  expect(await isAlive(credential), 'logs in after the end of another caller').toBe(true)
}
