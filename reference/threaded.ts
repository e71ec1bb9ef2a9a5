/** A reference server in a thread of its own: it works while its caller does, and a program that never ends stops nobody else. */
import type { Worker } from 'node:worker_threads'
import type { LateSettings } from './core/operator.ts'
import type { DialectName } from './core/spelling.ts'
import { sourceWorker } from './source-worker.ts'

/** What can be said of a server in another thread; faults and variants go by their ids. */
export interface ThreadOptions {
  dialect: DialectName
  faults: string[]
  variants: string[]
  /** In instrumented sources: the mutant that is switched on, or `''` for none. */
  mutant?: string
}

interface Started {
  url: string
  rootToken: string
  unsealKey: string
}

/** When the code of a mutant ran: only while the server started, as tables at the top of a file do, or for a request too. */
export type Reached = 'starting' | 'answering'

interface Counts {
  hits: [id: string, times: number][]
  reached: [id: string, when: Reached][]
}

export type ThreadReply = Started | Counts
export type ThreadRequest = 'counts' | 'close' | { operate: LateSettings }

export interface ThreadedReference extends Started {
  /** How often the code of each fault and variant ran, by id; as of the last `counts` or `close`. */
  hits: Map<string, number>
  /** Mutants of instrumented sources whose code ran, by id; as of the last `counts` or `close`. */
  reached: Map<string, Reached>
  /** Tells the server what its operator configures; requests that follow see it. */
  operate(settings: LateSettings): Promise<void>
  /** Asks the thread for its counts. Rejects when it does not answer. */
  counts(): Promise<void>
  /** Stops the server, and then the thread, also one that no longer answers. */
  close(): Promise<void>
}

/** How long a thread may take to say something, in milliseconds; a slow machine compiles the sources first. */
const PATIENCE = 60_000
const PATIENCE_AT_END = 20_000

const nextReply = <R extends ThreadReply>(worker: Worker, within: number): Promise<R> =>
  new Promise((resolve, reject) => {
    const settle = (act: () => void) => {
      clearTimeout(timer)
      worker.off('message', arrived).off('error', failed).off('exit', ended)
      act()
    }
    const arrived = (reply: R) => settle(() => resolve(reply))
    const failed = (error: Error) => settle(() => reject(error))
    const ended = () => settle(() => reject(new Error("the reference server's thread has ended")))
    const timer = setTimeout(
      () => settle(() => reject(new Error(`the reference server's thread was silent for ${within / 1000} s`))),
      within,
    )
    worker.on('message', arrived).on('error', failed).on('exit', ended)
  })

/**
 * Starts a reference server on a free port of 127.0.0.1, in a thread of its own.
 *
 * @param options `faults` and `variants` by id.
 * @param entry the module that the thread runs; default the one beside this, e.g. another for instrumented sources.
 * @throws what starting the server threw.
 */
export const startInThread = async (
  options: Partial<ThreadOptions> = {},
  entry: URL = new URL(import.meta.url.endsWith('.ts') ? './worker.ts' : './worker.js', import.meta.url),
): Promise<ThreadedReference> => {
  const worker = sourceWorker(entry, {
    workerData: { dialect: 'native', faults: [], variants: [], ...options } satisfies ThreadOptions,
  })
  const stop = () => worker.terminate()
  const started = await nextReply<Started>(worker, PATIENCE).catch(async (error: Error) => {
    await stop()
    throw error
  })
  // Only a thread that is asked something is waited for; what ends it meanwhile shows in the requests.
  worker.on('error', () => undefined)
  worker.unref()
  const ask = async (request: ThreadRequest, within: number): Promise<void> => {
    worker.postMessage(request satisfies ThreadRequest)
    const { hits, reached } = await nextReply<Counts>(worker, within)
    reference.hits = new Map(hits)
    reference.reached = new Map(reached)
  }
  const reference: ThreadedReference = {
    ...started,
    hits: new Map(),
    reached: new Map(),
    operate: (operate) => ask({ operate }, PATIENCE_AT_END),
    counts: () => ask('counts', PATIENCE_AT_END),
    async close() {
      await ask('close', PATIENCE_AT_END).catch(() => undefined)
      await stop()
    },
  }
  return reference
}
