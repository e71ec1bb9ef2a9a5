/** What a module was asked, from the log that OpenSC's spy writes of every call. The log shows PINs: it is read here and goes nowhere else. */
import { open, stat } from 'node:fs/promises'

/** What the calls of a while amount to. */
export interface SpiedCalls {
  /** Sessions in the order in which they were opened: whether each is one for reading and writing. */
  sessions: boolean[]
  /** How many calls that do work were in the module at once, at least at one moment; where it cannot be told which call returned, the lower number. */
  atOnce: number
  /** How many calls asked for a signature. */
  signatures: number
  /** Mechanisms that signatures were begun with, by their names in PKCS#11, in their order; after a blank the hash that one has as parameter. */
  signedBy: string[]
}

/** Flag of C_OpenSession: CKF_RW_SESSION. */
const READ_WRITE = 2

/** What a process does when it begins or ends to use a module: another one that is started or stopped meanwhile writes to the same log. */
const AROUND = new Set([
  'C_GetFunctionList',
  'C_Initialize',
  'C_GetInfo',
  'C_GetSlotList',
  'C_Logout',
  'C_CloseSession',
  'C_CloseAllSessions',
  'C_Finalize',
])

/** What is written in one go; a line is not where several threads write, so these may stand anywhere in one. */
const MARKS =
  /\b\d+: (?<entered>C_\w+)|(?<returned>Returned: +\d+ CKR_)|(?<signed>\[out\] pSignature\[)|\[in\] flags = 0x(?<flags>[0-9a-f]+)|pMechanism->type ?= ?(?<mechanism>\w+)|->hashAlg ?= ?(?<hash>\w+)/g

/** Reads calls out of a log. */
export const spiedCalls = (log: string): SpiedCalls => {
  const calls: SpiedCalls = { sessions: [], atOnce: 0, signatures: 0, signedBy: [] }
  let inside = 0
  let around = 0
  let opening = 0
  let beginning = 0
  // A signature is shown as its call ends, so these calls are known one by one, whatever others return meanwhile.
  let shown = 0
  let signing = 0
  for (const { groups } of log.matchAll(MARKS)) {
    const { entered, returned, signed, flags, mechanism, hash } = groups!
    if (entered !== undefined && AROUND.has(entered)) around += 1
    else if (entered !== undefined) {
      inside += 1
      calls.atOnce = Math.max(calls.atOnce, inside)
      if (entered === 'C_Sign' || entered === 'C_SignFinal') {
        calls.signatures += 1
        signing = Math.max(signing, calls.signatures - shown)
      }
      if (entered === 'C_OpenSession') opening += 1
      if (entered === 'C_SignInit') beginning += 1
    } else if (mechanism !== undefined) {
      // Other calls name one, too.
      if (beginning > 0) calls.signedBy.push(mechanism)
      beginning = Math.max(0, beginning - 1)
    } else if (hash !== undefined) {
      const last = calls.signedBy.pop()
      if (last !== undefined) calls.signedBy.push(`${last} ${hash}`)
    } else if (signed !== undefined) shown += 1
    else if (returned !== undefined) {
      if (inside > 0) inside -= 1
      else around = Math.max(0, around - 1)
    } else if (opening > 0) {
      opening -= 1
      calls.sessions.push((Number.parseInt(flags!, 16) & READ_WRITE) !== 0)
    }
  }
  // Where one was not shown, because it failed or the spy does not show them, nothing follows from those that were.
  if (shown === calls.signatures) calls.atOnce = Math.max(calls.atOnce, signing)
  return calls
}

/**
 * Works, and says what the module was asked meanwhile. Nobody else may use it through the spy at the time.
 *
 * @throws Error if the log is missing.
 */
export const spiedOn = async <T>(path: string, work: () => Promise<T>): Promise<{ result: T; calls: SpiedCalls }> => {
  const { size: from } = await stat(path)
  const result = await work()
  const file = await open(path)
  try {
    const { size: to } = await file.stat()
    const bytes = Buffer.alloc(to - from)
    await file.read(bytes, 0, bytes.length, from)
    return { result, calls: spiedCalls(bytes.toString('latin1')) }
  } finally {
    await file.close()
  }
}
