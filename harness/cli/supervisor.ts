/**
 * Supervises the thread that certifies. Signals and the longest time are kept here, since that thread may be stuck in a long computation:
 * this one does nothing else. Both belong to one process, so nothing is left behind when it is killed.
 */
import { spawn } from 'node:child_process'
import { setTimeout as wait } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { Worker, type WorkerOptions } from 'node:worker_threads'
import { positionIn, positionMemory } from '../base/position.ts'
import { exit } from './exit.ts'

/** What the thread is started with. */
export interface ThreadData {
  argv: string[]
  /** Where it keeps its position, see `positionIn`. */
  memory: SharedArrayBuffer
}

/** What the thread tells: that a run listens to interrupts, where its journal is, its longest time in ms from now, that it makes its report, that it is over. */
export type FromRun = { run: 'begins' } | { journal: string } | { lasts: number } | { run: 'reports' } | { run: 'over' }

/** What the thread is told: to end the run after cleaning up, or to end at once. */
export type ToRun = 'interrupt' | 'end'

/** Milliseconds for cleaning up after the longest time or the first signal, and as many for each step of the report once it is begun: a slow machine loses none. */
const AFTERWARDS = 60_000
/** Milliseconds in which a thread ends by itself. */
const PATIENCE = 1000
/** Seconds for a computation of the engine's own that cannot be broken off. */
const LAST_RESORT = 10

const SIGNALS = ['SIGINT', 'SIGTERM'] as const

interface SupervisorOptions {
  /** Module of the thread; default the one beside this. */
  entry?: URL
  /** Milliseconds; default a minute. */
  afterwards?: number
}

/** V8 lets the heap grow to so many times what lives in it before it collects; by default to four times where there is much memory. */
const GROWTH = '--heap-growing-percent=50'

const say = (text: string): void => void process.stderr.write(`assay: ${text}\n`)

class Supervisor {
  readonly #memory: SharedArrayBuffer
  readonly #worker: Worker
  readonly #afterwards: number
  readonly #ended: Promise<number>
  #finish: (code: number) => void = () => undefined
  /** The exit code, once nothing more is to be said. */
  readonly code = new Promise<number>((done) => {
    this.#finish = done
  })
  #journal: string | undefined
  #timer: NodeJS.Timeout | undefined
  #until = Number.POSITIVE_INFINITY
  #interrupted = false
  /** Whether this thread decides how the process ends. */
  #stopping = false

  constructor(worker: Worker, memory: SharedArrayBuffer, afterwards: number) {
    this.#afterwards = afterwards
    this.#memory = memory
    this.#worker = worker
    this.#worker.stdout.on('data', (chunk: Buffer) => process.stdout.write(chunk))
    this.#worker.stderr.on('data', (chunk: Buffer) => process.stderr.write(chunk))
    this.#worker.on('message', (message: FromRun) => this.#hear(message))
    this.#ended = this.#end()
    void this.#ended.then((code) => {
      this.#ignore()
      if (!this.#stopping) this.#finish(code)
    })
  }

  async #end(): Promise<number> {
    const written = [this.#worker.stdout, this.#worker.stderr].map((stream) => new Promise((done) => stream.once('end', done)))
    let failed: number | undefined
    const code = await new Promise<number>((done) => {
      this.#worker.once('exit', done)
      // Its words may hold secrets, which only the thread knew.
      this.#worker.once('error', (error: Error) => {
        say(`internal error: ${error.name} in a callback of the run`)
        say(
          process.env.ASSAY_DEBUG === undefined ? 'run again with ASSAY_DEBUG=1 for the details to report' : (error.stack ?? error.message),
        )
        failed = exit.errored
      })
    })
    await Promise.all(written)
    return failed ?? code
  }

  #hear(message: FromRun): void {
    if ('journal' in message) this.#journal = message.journal
    else if ('lasts' in message) this.#endWithin(message.lasts + this.#afterwards)
    else if (message.run === 'reports') this.#report()
    else if (message.run === 'begins') for (const signal of SIGNALS) process.on(signal, this.#signalled)
    else this.#ignore()
  }

  #ignore(): void {
    clearTimeout(this.#timer)
    this.#until = Number.POSITIVE_INFINITY
    for (const signal of SIGNALS) process.off(signal, this.#signalled)
  }

  readonly #signalled = (): void => {
    if (this.#interrupted) {
      void this.#stop(exit.interrupted, 'stopped before cleaning up was done')
      return
    }
    this.#interrupted = true
    process.stderr.write('\nassay: interrupted, cleaning up (again to stop at once)\n')
    this.#worker.postMessage('interrupt' satisfies ToRun)
    this.#endWithin(this.#afterwards)
  }

  /** What a run has found is worth a minute of its own for each step of its report. */
  #report(): void {
    if (this.#until === Number.POSITIVE_INFINITY || this.#stopping) return
    if (performance.now() + this.#afterwards <= this.#until) return
    this.#until = Number.POSITIVE_INFINITY
    this.#endWithin(this.#afterwards, 'its report was begun')
  }

  #endWithin(ms: number, since = this.#interrupted ? 'the signal' : 'its longest time'): void {
    const until = performance.now() + ms
    if (until >= this.#until) return
    this.#until = until
    clearTimeout(this.#timer)
    const code = this.#interrupted ? exit.interrupted : exit.incomplete
    const reason = `the run was stopped from outside: it had not ended ${this.#afterwards / 1000} s after ${since}`
    this.#timer = setTimeout(() => void this.#stop(code, reason), Math.min(ms, 2 ** 31 - 1))
  }

  async #stop(code: number, reason: string): Promise<void> {
    if (this.#stopping) return
    this.#stopping = true
    const position = positionIn(this.#memory)
    this.#worker.postMessage('end' satisfies ToRun)
    if (!(await this.#endsInTime())) {
      void this.#worker.terminate()
      if (!(await this.#endsInTime())) {
        // This process cannot end before that computation does, unless it is killed, which leaves it without an exit code of its own.
        spawn('sh', ['-c', `sleep ${LAST_RESORT}; kill -9 ${process.pid}`], { detached: true, stdio: 'ignore' }).unref()
      }
    }
    say(reason)
    if (position !== '') process.stderr.write(`  it stood at: ${position}\n`)
    const { leave } = await import('./left.ts')
    for (const line of leave(this.#journal)) process.stderr.write(`  ${line}\n`)
    this.#finish(code)
  }

  #endsInTime(): Promise<boolean> {
    return Promise.race([this.#ended.then(() => true), wait(PATIENCE, false)])
  }
}

/** An error of this thread, which holds no secret; the exit code 1 of Node would say that a violation was decided. */
const endUncaught = (error: Error): void => {
  say(`internal error: ${error.name}: ${error.message}`)
  process.exit(exit.errored)
}

/** What is built needs no loader, and opens no file of the reference server. */
const workerOf = async (entry: URL, options: WorkerOptions): Promise<Worker> =>
  entry.pathname.endsWith('.ts')
    ? (await import('../../reference/source-worker.ts')).sourceWorker(entry, options)
    : new Worker(entry, options)

/** Runs one command line in a thread of its own, which is ended where it does not end by itself. @returns the exit code. */
export const supervised = async (argv: string[], { entry, afterwards = AFTERWARDS }: SupervisorOptions = {}): Promise<number> => {
  process.on('uncaughtException', endUncaught)
  try {
    const own = new URL(`./certify-thread${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`, import.meta.url)
    const memory = positionMemory()
    const workerData: ThreadData = { argv, memory }
    setFlagsFromString(GROWTH)
    const worker = await workerOf(entry ?? own, { workerData, stdout: true, stderr: true })
    return await new Supervisor(worker, memory, afterwards).code
  } finally {
    process.off('uncaughtException', endUncaught)
  }
}
