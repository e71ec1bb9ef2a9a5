/** Signals that many wait for at once. */
import { setMaxListeners } from 'node:events'

/** One signal of all of these, for any number of listeners: Node warns of a leak where more than ten listen, and here they come and go. */
export const anySignal = (signals: AbortSignal[]): AbortSignal => {
  const joined = AbortSignal.any(signals)
  setMaxListeners(0, joined)
  return joined
}
