/** Where a run stands, kept in memory that another thread can read while this one is stuck. */

/** Longest text of a position, in bytes. */
const ROOM = 512

let memory: Uint8Array = new Uint8Array(ROOM)
let phase = ''
const encoder = new TextEncoder()

const write = (...words: string[]): void => {
  const text = words.filter((word) => word !== '').join(', ')
  const { written } = encoder.encodeInto(text, memory)
  memory.fill(0, written)
}

/** Memory for a position that threads share. */
export const positionMemory = (): SharedArrayBuffer => new SharedArrayBuffer(ROOM)

/** Keeps the position of this thread in memory that others read too. */
export const sharePosition = (shared: SharedArrayBuffer): void => {
  memory = new Uint8Array(shared)
}

/** Says that a part of the run begins, e.g. `making the results`. */
export const enterPhase = (name: string): void => {
  phase = name
  write(phase)
}

/**
 * Says what is worked on; holds until something else is.
 *
 * @param check its id; empty outside of checks.
 * @param operation its id, or method and path.
 */
export const workOn = (check: string, operation = ''): void => write(phase, check, operation)

/** The position that a thread left in shared memory; empty where it left none. */
export const positionIn = (shared: SharedArrayBuffer): string => {
  const bytes = new Uint8Array(shared).slice()
  const end = bytes.indexOf(0)
  return new TextDecoder().decode(end === -1 ? bytes : bytes.subarray(0, end))
}
