/** What the faults labelled dawn share: which call they look at, and the role that a call means. */
import type { Asked } from '../../mutations/callers.ts'

/** Path of a call below its mount; empty where the mount is none of this engine. */
export const below = (call: Asked): string =>
  call !== undefined && 'endWithinAuthority' in call.rules ? call.path.slice(call.mount.path.length) : ''

/** The name in the path of a call. */
export const nameOf = ({ params }: { params: Record<string, string> }): string => params.name ?? ''
