/** A pool of processes that try faults: one that stands still or breaks down is replaced, and takes with it no fault but the one to blame. */
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import type { FaultTrials } from '../mutation/trials.ts'

/** What a process is to try; without `atOnce` as many at once as it has room for. */
export interface Job {
  faults: string[]
  atOnce?: number
}

/** What it says: every now and then which faults it is trying, first of all none; and what came of each. */
export type FromWorker = { trying: string[] } | { tried: FaultTrials }

/** The longest that a process takes until it says something. */
const BEGINNING_MS = 600_000

interface PoolOptions {
  processes: number
  begin(): ChildProcess
  tried(record: FaultTrials): void
  /** Milliseconds without a word after which a process stands still. */
  silence: number
  signal: AbortSignal
}

interface Ended {
  code: number | null
  /** What it was trying. */
  trying: string[]
  /** Why it was ended from here. */
  stoodStill: boolean
}

/** Gives one process a job and hears it to its end. */
const employ = async (job: Job, { begin, tried, silence, signal }: PoolOptions): Promise<Ended> => {
  const child = begin()
  let trying: string[] | undefined
  let stoodStill = false
  const stop = (): void => {
    stoodStill = true
    child.kill('SIGKILL')
  }
  let timer = setTimeout(stop, Math.max(silence, BEGINNING_MS))
  child.on('message', (message: FromWorker) => {
    clearTimeout(timer)
    timer = setTimeout(stop, silence)
    if ('tried' in message) tried(message.tried)
    else {
      if (trying === undefined) child.send(job)
      trying = message.trying
    }
  })
  const interrupt = (): void => void child.kill('SIGTERM')
  signal.addEventListener('abort', interrupt)
  const [[code]] = (await Promise.all([once(child, 'exit'), once(child, 'disconnect')])) as [[number | null], unknown]
  signal.removeEventListener('abort', interrupt)
  clearTimeout(timer)
  return { code, trying: trying ?? [], stoodStill }
}

/**
 * Tries faults in several processes.
 *
 * @returns the exit code of a process that failed before it tried anything, or 0.
 */
export const runPool = async (faults: readonly string[], options: PoolOptions): Promise<number> => {
  const done = new Set<string>()
  const tried = (record: FaultTrials): void => {
    done.add(record.fault)
    options.tried(record)
  }
  const place = async (index: number): Promise<number> => {
    const mine = faults.filter((_, at) => at % options.processes === index)
    // Faults that were tried beside each other when a process ended, of which one is to blame.
    let suspects: string[] = []
    for (;;) {
      const left = mine.filter((fault) => !done.has(fault))
      suspects = suspects.filter((fault) => !done.has(fault))
      if (left.length === 0 || options.signal.aborted) return 0
      const job = suspects.length > 0 ? { faults: suspects, atOnce: 1 } : { faults: left }
      const { code, trying, stoodStill } = await employ(job, { ...options, tried })
      if (code === 0 || options.signal.aborted) continue
      const open = trying.filter((fault) => !done.has(fault))
      if (open.length === 0) return code ?? 1
      suspects = open
      if (open.length > 1) continue
      const note = stoodStill ? `its process said nothing for ${options.silence / 1000} s` : `its process ended with code ${code}`
      tried({ fault: open[0]!, state: 'errored', seed: 0, ms: 0, note, trials: [] })
    }
  }
  const codes = await Promise.all(Array.from({ length: options.processes }, (_, index) => place(index)))
  return codes.find((code) => code !== 0) ?? 0
}

/** What is to come, or an error once it takes too long, whatever it hears of its signal. */
export const within = async <T>(
  ms: number,
  signal: AbortSignal,
  work: (limited: AbortSignal) => Promise<T>,
  grace = 60_000,
): Promise<T> => {
  const limited = AbortSignal.any([signal, AbortSignal.timeout(ms)])
  const settled = new AbortController()
  const late = wait(ms + grace, undefined, { signal: settled.signal, ref: false }).then(() => {
    throw new Error('late')
  })
  try {
    return await Promise.race([work(limited), late])
  } catch (error) {
    if (signal.aborted || !limited.aborted) throw error
    throw new Error(`not over after ${ms / 1000} s`)
  } finally {
    settled.abort()
    late.catch(() => undefined)
  }
}
