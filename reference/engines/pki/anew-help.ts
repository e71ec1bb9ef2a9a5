/** What the later faults of this engine share. */
import type { Asked } from '../../mutations/callers.ts'
import type { Handle } from './wrappers.ts'

/** Path below the mount of a request to a certificate authority; undefined for any other request. */
export const belowPki = (call: Asked): string | undefined =>
  call !== undefined && 'crlConfig' in (call.state as object) ? call.path.slice(call.mount.path.length) : undefined

/** Runs something after a handler that succeeded. */
export const afterwards =
  (then: (call: Parameters<Handle>[0]) => void) =>
  (original: Handle): Handle =>
  async (call) => {
    const reply = await original(call)
    then(call)
    return reply
  }
