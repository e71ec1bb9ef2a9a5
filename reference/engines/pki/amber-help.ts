/** What the faults labelled amber share: which operation of this engine a request is for. */
import type { Asked } from '../../mutations/callers.ts'

/** Path below the mount of a request to this engine; undefined for requests to others. */
export const restOf = (call: Asked): string | undefined =>
  call !== undefined && 'serialKey' in call.rules ? call.path.slice(call.mount.path.length) : undefined
