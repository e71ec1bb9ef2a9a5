/** Time and timers of a server: real ones, or ones that a test moves. */
export interface Clock {
  /** Seconds since the epoch, with fraction. */
  now(): number
  /** Runs `action` once `seconds` have passed; returns a function that cancels it. */
  after(seconds: number, action: () => void): () => void
}

/** Longest delay that setTimeout takes. */
const LONGEST_MS = 2 ** 31 - 1

export const systemClock: Clock = {
  now: () => Date.now() / 1000,
  after(seconds, action) {
    let timer: NodeJS.Timeout
    const arm = (left: number): void => {
      const step = Math.min(left, LONGEST_MS)
      timer = setTimeout(() => (left > step ? arm(left - step) : action()), step)
      timer.unref()
    }
    arm(Math.max(0, seconds * 1000))
    return () => clearTimeout(timer)
  },
}

/** A clock that stands still until `advance(seconds)`; the actions that fall due run in order, then their promises settle. */
export const fakeClock = (start = 1_800_000_000): Clock & { advance(seconds: number): Promise<void> } => {
  let time = start
  const due: { at: number; action: () => void }[] = []
  return {
    now: () => time,
    after(seconds, action) {
      const entry = { at: time + seconds, action }
      due.push(entry)
      return () => {
        const index = due.indexOf(entry)
        if (index >= 0) due.splice(index, 1)
      }
    },
    async advance(seconds) {
      const end = time + seconds
      for (;;) {
        const next = due.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0]
        if (!next) break
        due.splice(due.indexOf(next), 1)
        time = Math.max(time, next.at)
        next.action()
        await new Promise((resolve) => setImmediate(resolve))
      }
      time = end
      await new Promise((resolve) => setImmediate(resolve))
    },
  }
}
