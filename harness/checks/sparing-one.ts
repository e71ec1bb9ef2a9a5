/** A second try where what stands behind a server may be busy for a moment, and no more than one for all that is asked. */
import type { Answer } from '../target/exchange.ts'

/**
 * Asks what it is given, and asks again where that failed: the first time only. Of several things that are asked through it one may
 * need a second try; a server that fails each first request is still found.
 *
 * @returns what asks; it gives the answer that counts.
 */
export const sparingOne = (): ((ask: () => Promise<Answer>) => Promise<Answer>) => {
  let spared = false
  return async (ask) => {
    const first = await ask()
    if (first.ok || spared) return first
    spared = true
    return ask()
  }
}
