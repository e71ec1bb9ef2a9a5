/** Waiting for what takes time. */
import { AssertionFailure } from '../base/errors.ts'
import type { Session } from './session.ts'

const wait = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms))

/** Tries a condition again until it holds, for `within` milliseconds, `grace` by default. */
export const eventually = async <T>(
  grace: number,
  session: Session,
  condition: () => Promise<T>,
  options: { within?: number; every?: number; because?: string } = {},
): Promise<T> => {
  const within = options.within ?? grace
  const end = performance.now() + within
  let last: AssertionFailure | undefined
  for (let pause = options.every ?? 50; ; pause = options.every ?? Math.min(pause * 1.5, 1000)) {
    try {
      const value = await condition()
      if (value !== false) {
        session.assertions += 1
        return value
      }
      last = undefined
    } catch (error) {
      if (!(error instanceof AssertionFailure)) throw error
      last = error
    }
    if (performance.now() >= end) {
      session.assertions += 1
      const what = options.because === undefined ? '' : `${options.because}: `
      throw new AssertionFailure(
        `${what}not within ${within / 1000} s${last === undefined ? '' : `; last: ${last.message}`}`,
        last?.expected,
        last?.actual,
        last?.exchange,
      )
    }
    const ms = Math.min(pause, Math.max(1, end - performance.now()))
    session.history.wait(ms)
    await wait(ms)
  }
}
