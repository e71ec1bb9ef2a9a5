/** `assay prove --all-killers`: the matrix of faults and checks, with what each check did to each fault. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import PQueue from 'p-queue'
import type { Contract } from '../contract/contract.ts'
import { tryFault } from '../mutation/faults.ts'
import { roomByLoad } from '../mutation/room.ts'
import type { SeededFault } from '../mutation/server-under-test.ts'
import type { FaultTrials } from '../mutation/trials.ts'
import { exit } from './exit.ts'
import { KillersJournal, sourcesDigest, writeMatrix } from './killers-journal.ts'
import { type FromWorker, type Job, runPool, within } from './killers-pool.ts'
import { type OpenProof, say } from './proof-setup.ts'
import { endWithParent } from './prove-pool.ts'

export interface KillersOptions {
  fault?: string[]
  processes?: number
  seed: number
  out: string
}

/** The longest that one fault takes; its checks have deadlines of their own. */
const LONGEST_MS = 1_800_000
const SILENCE_MS = 600_000
const SAID_EVERY_MS = 10_000
/** Few servers at once: what a check takes is then its own time, more or less. */
const FEWEST = 2

const tell = (message: FromWorker): void => void process.send!(message)

/** Tries one fault with every check of its clauses; what is not over in time is errored. */
const trialsOf = async ({ proof, checks: all, baseline }: OpenProof, fault: SeededFault): Promise<FaultTrials> => {
  const begun = performance.now()
  const record = { fault: fault.id, seed: proof.seed, trials: [] }
  const ms = (): number => Math.round(performance.now() - begun)
  try {
    const {
      state,
      note,
      seed = proof.seed,
      trials = [],
    } = await within(LONGEST_MS, proof.signal, (signal) => tryFault({ proof: { ...proof, signal }, all, baseline, fault, toTheEnd: true }))
    return { ...record, state, seed, ms: ms(), ...(note === undefined ? {} : { note: note.slice(0, 400) }), trials }
  } catch (error) {
    proof.signal.throwIfAborted()
    return { ...record, state: 'errored', ms: ms(), note: (error as Error).message }
  }
}

/**
 * This process as one of the pool: takes a job and tries what it names.
 *
 * @param open brings up what a proof of these faults needs, and hands it to what tries them.
 */
export const workOnKillers = async (
  faults: readonly SeededFault[],
  open: (faults: SeededFault[], use: (open: OpenProof) => Promise<unknown>) => Promise<unknown>,
): Promise<number> => {
  endWithParent()
  const heard = once(process, 'message') as Promise<[Job]>
  const trying = new Set<string>()
  const sayTrying = (): void => tell({ trying: [...trying] })
  sayTrying()
  const saying = setInterval(sayTrying, SAID_EVERY_MS)
  const [job] = await heard
  const named = faults.filter(({ id }) => job.faults.includes(id))
  try {
    await open(named, async (proof) => {
      for (const found of proof.falsePositives) say(`false positive on the clean reference: ${found}`)
      const queue = new PQueue(job.atOnce === undefined ? {} : { concurrency: job.atOnce })
      const leaveRoom = job.atOnce === undefined ? roomByLoad(queue, FEWEST) : () => undefined
      const tried = named.map((fault) =>
        queue.add(async () => {
          trying.add(fault.id)
          sayTrying()
          tell({ tried: await trialsOf(proof, fault) })
          trying.delete(fault.id)
        }),
      )
      await Promise.all(tried).finally(leaveRoom)
    })
    return exit.passed
  } finally {
    clearInterval(saying)
  }
}

const tableOf = (contract: Contract, faults: readonly SeededFault[], records: ReadonlyMap<string, FaultTrials>): string[] => {
  const rows = [...contract.engines.keys()].flatMap((engine) => {
    const own = faults.filter((fault) => fault.engine === engine)
    const tried = own.flatMap(({ id }) => records.get(id) ?? [])
    if (own.length === 0) return []
    const killed = tried.filter(({ state }) => state === 'killed').length
    const requests = tried.reduce((sum, { trials }) => sum + trials.reduce((of, [, , count]) => of + count, 0), 0)
    const seconds = Math.round(tried.reduce((sum, { ms }) => sum + ms, 0) / 1000)
    return [[engine, own.length, killed, tried.length - killed, own.length - tried.length, requests, seconds].map(String)]
  })
  const head = ['engine', 'faults', 'killed', 'not killed', 'left', 'requests', 'seconds']
  return [head, ...rows].map((row) => row.map((cell, at) => (at === 0 ? cell.padEnd(14) : cell.padStart(11))).join(''))
}

/**
 * Tries all faults that the journal of the folder does not have, writes the matrix of all that it has then, and prints it by engine.
 *
 * @param corpus all faults there are: what the journal has of others is stale.
 */
export const proveAllKillers = async (
  contract: Contract,
  faults: readonly SeededFault[],
  corpus: readonly SeededFault[],
  options: KillersOptions,
): Promise<number> => {
  const abort = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => abort.abort(new Error('interrupted')))
  const journal = new KillersJournal(options.out, sourcesDigest())
  if (journal.isMixed) say('assay: a part of this folder was made from other sources: take a new one where the difference matters')
  // What is asked for by name is tried again.
  const left = options.fault === undefined ? faults.filter(({ id }) => !journal.records.has(id)) : faults
  say(`${left.length} of ${faults.length} faults to try`)
  const [script, ...args] = process.argv.slice(1)
  let count = 0
  const code = await runPool(
    left.map(({ id }) => id),
    {
      processes: Math.max(1, Math.min(options.processes ?? 1, left.length)),
      begin: () => fork(script!, [...args, '--shard', '1/1'], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'], detached: true }),
      tried: (record) => {
        journal.add(record)
        count += 1
        if (record.state !== 'killed') say(`${record.state}: ${record.fault} ${record.note ?? ''}`)
        else if (count % 25 === 0) say(`${count}/${left.length}`)
      },
      silence: SILENCE_MS,
      signal: abort.signal,
    },
  )
  const records = corpus.flatMap(({ id }) => journal.records.get(id) ?? [])
  process.stdout.write(`${[...tableOf(contract, faults, journal.records), writeMatrix(records, options.out)].join('\n')}\n`)
  if (abort.signal.aborted) say('assay: interrupted; the same command goes on where it stood')
  return abort.signal.aborted ? exit.interrupted : code
}
