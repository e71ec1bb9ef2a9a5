/** A proof in several processes that share out its faults and variants: one thread uses one processor only. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { createInterface } from 'node:readline'
import type { Found, Selected } from '../mutation/proof.ts'
import type { WireFault } from '../mutation/wire-faults.ts'
import { exit } from './exit.ts'
import { say } from './proof-setup.ts'
import { lead } from './team-channel.ts'

/** Fewer than so many faults and variants are not worth a process with a clean run of its own. */
const WORTHWHILE = 150

/** In how many processes a proof of so many faults and variants is done best on this machine. */
export const processesFor = (size: number): number => Math.max(1, Math.min(availableParallelism(), Math.floor(size / WORTHWHILE)))

/** What all processes found, as one would have found it: faults and variants in the order of the selection, everything else once. */
export const joined = (selected: Selected, found: Found[]): Found => {
  const kills = new Map(found.flatMap((one) => one.kills).map((record) => [record.fault, record]))
  const variants = new Map(found.flatMap((one) => one.variants).map((record) => [record.variant, record]))
  const wire = new Map<string, WireFault>()
  for (const fault of found.flatMap((one) => one.wire)) if (wire.get(fault.id)?.killed !== true) wire.set(fault.id, fault)
  return {
    kills: selected.faults.flatMap(({ id }) => kills.get(id) ?? []),
    variants: selected.variants.flatMap(({ id }) => variants.get(id) ?? []),
    wire: [...wire.values()],
    transport: found.flatMap((one) => one.transport),
    falsePositives: [...new Set(found.flatMap((one) => one.falsePositives))],
    decided: [...new Set(found.flatMap((one) => one.decided))],
  }
}

/** Nearly all that a proof makes is gone a moment later: with more room for it, less is looked through to throw it away. */
const YOUNG = '--max-semi-space-size=64'

interface Ended {
  found?: Found
  code: number
}

const ended = async (child: ChildProcess, name: string, handedOver: () => Found | undefined): Promise<Ended> => {
  // A line at a time, with the number of the process in front, so that none is torn by the others'.
  createInterface({ input: child.stderr! }).on('line', (line) => say(`${name} ${line}`))
  // What it hands over may still be under way when it has ended: the channel closes after that.
  const [[code, signal]] = (await Promise.all([once(child, 'exit'), once(child, 'disconnect')])) as [
    [number | null, string | null],
    unknown,
  ]
  const found = handedOver()
  if (code === null || (code === exit.passed && found === undefined))
    throw new Error(`process ${name} of the proof ended ${signal === null ? 'without a result' : `by ${signal}`}`)
  return { code, ...(found === undefined ? {} : { found }) }
}

/**
 * Runs the command line of this process again, several times: they share what is tried.
 *
 * @returns what all found; or, where one of them could not begin or end, its exit code: it has said why.
 */
export const proveTogether = async (selected: Selected, of: number): Promise<Found | number> => {
  const [script, ...args] = process.argv.slice(1)
  const children = Array.from({ length: of }, (_, number) =>
    fork(script!, [...args, '--shard', `${number + 1}/${of}`], {
      execArgv: [...process.execArgv, YOUNG],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      // A terminal would interrupt them too: twice, with what is passed on.
      detached: true,
    }),
  )
  const results = new Map<ChildProcess, Found>()
  lead(children, (child, found) => results.set(child, found))
  const stopAll = (signal: NodeJS.Signals) => (): void => void children.map((child) => child.kill(signal))
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stopAll(signal))
  let failed: number | undefined
  try {
    const ends = await Promise.all(
      children.map(async (child, index) => {
        const end = await ended(child, `${index + 1}/${of}`, () => results.get(child))
        if (end.found !== undefined) return end
        failed ??= end.code
        // Without one of them the others would wait for what it learns.
        stopAll('SIGTERM')()
        return end
      }),
    )
    return (
      failed ??
      joined(
        selected,
        ends.flatMap((end) => end.found ?? []),
      )
    )
  } finally {
    for (const child of children) child.kill()
  }
}

/** Ends this process, in order, once the one that began it is gone. */
export const endWithParent = (): void => void process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))
