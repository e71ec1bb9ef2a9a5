/** Collects garbage at a moment of our choosing. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

let known: (() => void) | undefined

/**
 * Collects all garbage at once; takes about a millisecond for each megabyte in use. For values of megabytes that come and go: Node counts bytes outside
 * the heap late, and on a busy machine its own collecting, beside the work, falls behind it.
 */
export const collectGarbage = (): void => {
  if (known === undefined) {
    setFlagsFromString('--expose-gc')
    known = runInNewContext('gc') as () => void
  }
  known()
}
