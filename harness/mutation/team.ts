/** Processes that prove together: all share what each learns of the clean server, and each fault is tried by one of them only. */

/** What one process saw of its share, as plain values. */
export interface Learned {
  durations: [check: string, ms: number][]
  resting: string[]
  reaching: [clause: string, checks: string[]][]
  falsePositives: string[]
  /** Operations that refused every request of this share, with what that would be held against. */
  refused: [operation: string, text: string][]
  /** Operations that answered with success. */
  served: string[]
}

/** What the others are to one of them. */
export interface Team {
  /** Its number, from 1. */
  index: number
  /** How many they are. */
  of: number
  /** Tells the others what this one learned, and what all of them did. */
  learn(own: Learned): Promise<Learned[]>
  /** Whether this one is to do what has this name: the first that asks. */
  claim(name: string): Promise<boolean>
}

/** A process that proves by itself. */
export const alone: Team = {
  index: 1,
  of: 1,
  learn: (own) => Promise.resolve([own]),
  claim: () => Promise.resolve(true),
}
