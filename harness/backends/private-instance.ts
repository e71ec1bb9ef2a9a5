/** Private instances of servers: a temporary folder, an unprivileged user, free ports, and nothing left behind. */
import { type ChildProcess, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { chownSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { BackendJournal } from './provider.ts'

/** `nobody`: servers such as PostgreSQL refuse to run as root. */
const UNPRIVILEGED = 65534
const isRoot = (): boolean => process.getuid?.() === 0
const owner = (): { uid?: number; gid?: number } => (isRoot() ? { uid: UNPRIVILEGED, gid: UNPRIVILEGED } : {})

// Below what systems give to outgoing connections, any of which may take a port between its choice and its use.
const PORTS = { from: 15_000, to: 32_000 }
const PORT_ATTEMPTS = 50

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, () => server.close(() => resolve(true)))
  })

/**
 * A TCP port that is free now, on any address, and that no outgoing connection is given.
 *
 * @throws when none is found.
 */
export const freePort = async (): Promise<number> => {
  for (let attempt = 0; attempt < PORT_ATTEMPTS; attempt += 1) {
    const port = randomInt(PORTS.from, PORTS.to)
    if (await isFree(port)) return port
  }
  throw new Error(`no free port between ${PORTS.from} and ${PORTS.to}`)
}

export interface Instance {
  folder: string
  /** A subfolder that the server's user owns. */
  subfolder(name: string): string
  /** Gives a file or folder to the server's user. */
  own(path: string): void
  /** Runs a program to its end; throws with the end of its output unless it exits with 0. */
  run(command: string, args: string[], options?: RunOptions): Promise<string>
  /** Starts a server. `failure()` tells why it ended, while it should run. */
  serve(command: string, args: string[], options?: RunOptions): Server
  /** Stops every process and removes the folder. */
  remove(): Promise<void>
}
export interface RunOptions {
  env?: Record<string, string>
  signal?: AbortSignal
}
export interface Server {
  pid: number
  failure(): string | undefined
}

/** Programs get a small environment of their own: variables of the caller must not lead them to a service of the machine. */
const environment = (folder: string, extra: Record<string, string> = {}): Record<string, string> => ({
  PATH: `${process.env.PATH ?? ''}:/usr/local/sbin:/usr/sbin:/sbin:/usr/bin:/bin`,
  HOME: folder,
  TMPDIR: folder,
  LANG: 'C.UTF-8',
  LC_ALL: 'C.UTF-8',
  ...extra,
})

const tail = (child: ChildProcess): (() => string) => {
  let text = ''
  const keep = (chunk: Buffer): void => {
    text = (text + chunk.toString('utf8')).slice(-2000)
  }
  child.stdout?.on('data', keep)
  child.stderr?.on('data', keep)
  return () => text.trim()
}

/** Makes the folder of a private instance and enters it, and later its processes, in the journal. */
export const createInstance = (name: string, journal: BackendJournal): Instance => {
  const folder = mkdtempSync(join(tmpdir(), `assay-${name}-`))
  journal.add({ kind: 'backend-folder', path: folder })
  const own = (path: string): void => {
    if (isRoot()) chownSync(path, UNPRIVILEGED, UNPRIVILEGED)
  }
  own(folder)
  const children: ChildProcess[] = []
  const start = (command: string, args: string[], options: RunOptions, detached: boolean): ChildProcess =>
    spawn(command, args, {
      ...owner(),
      cwd: folder,
      env: environment(folder, options.env),
      detached,
      stdio: ['ignore', 'pipe', 'pipe'],
      ...(options.signal === undefined ? {} : { signal: options.signal }),
    })
  return {
    folder,
    own,
    subfolder(sub) {
      const path = join(folder, sub)
      mkdirSync(path)
      own(path)
      return path
    },
    run: (command, args, options = {}) =>
      new Promise((resolve, reject) => {
        const child = start(command, args, options, false)
        const output = tail(child)
        child.once('error', reject)
        child.once('close', (code) => (code === 0 ? resolve(output()) : reject(new Error(`${command} ended with ${code}: ${output()}`))))
      }),
    serve(command, args, options = {}) {
      const child = start(command, args, { ...options, signal: undefined }, true)
      const output = tail(child)
      let failure: string | undefined
      child.once('error', (error) => {
        failure = error.message
      })
      child.once('exit', (code, signal) => {
        failure = `${command} ended with ${code ?? signal}: ${output().slice(-600)}`
      })
      children.push(child)
      child.unref()
      for (const stream of [child.stdout, child.stderr]) (stream as { unref?: () => void } | null)?.unref?.()
      if (child.pid !== undefined) journal.add({ kind: 'backend-process', pid: child.pid, folder })
      return { pid: child.pid ?? -1, failure: () => failure }
    },
    async remove() {
      await killProcesses(
        folder,
        children.flatMap((child) => (child.pid === undefined || child.exitCode !== null ? [] : [child.pid])),
      )
      // Thousands of files, while others stop too.
      await rm(folder, REMOVAL)
      for (const child of children) if (child.pid !== undefined) journal.remove({ kind: 'backend-process', pid: child.pid, folder })
      journal.remove({ kind: 'backend-folder', path: folder })
    },
  }
}

const REMOVAL = { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }

export const removeFolder = (folder: string): void => rmSync(folder, REMOVAL)

const alive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return !isZombie(pid)
  } catch {
    return false
  }
}

const isZombie = (pid: number): boolean => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).startsWith('Z')
  } catch {
    return false
  }
}

/** Whether a process was started with the folder for its home: daemons leave it, and keep what they were started with. */
const livesIn = (entry: string, folder: string): boolean =>
  `\0${readFileSync(`/proc/${entry}/environ`, 'utf8')}\0`.includes(`\0HOME=${folder}\0`)

/** Processes that work inside the folder, or did when they began. Asked of the system because pids are reused and servers have children. */
const processesIn = (folder: string): number[] | undefined => {
  let entries: string[]
  try {
    entries = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  } catch {
    return undefined
  }
  return entries.flatMap((entry) => {
    try {
      const cwd = readlinkSync(`/proc/${entry}/cwd`).replace(/ \(deleted\)$/, '')
      return cwd === folder || cwd.startsWith(`${folder}/`) || livesIn(entry, folder) ? [Number(entry)] : []
    } catch {
      return []
    }
  })
}

const signalAll = (pids: number[], signal: NodeJS.Signals): void => {
  for (const pid of pids) {
    try {
      process.kill(pid, signal)
    } catch {
      // It ended meanwhile.
    }
  }
}

/** Waits until all of them have ended, at most so many milliseconds. */
const ended = async (pids: number[], within: number): Promise<void> => {
  const until = performance.now() + within
  while (performance.now() < until && pids.some(alive)) await sleep(50)
}

/**
 * Ends the processes of a private instance: asked to quit first (PostgreSQL then frees its shared memory), killed after 1.5 s.
 * Where the system has no /proc, the pids known to us are all there is. The system is asked for them few times only: on a busy machine each
 * look at all processes may take seconds.
 */
export const killProcesses = async (folder: string, known: number[]): Promise<void> => {
  const pids = (): number[] => (processesIn(folder) ?? known).filter(alive)
  const all = pids()
  const first = known.filter((pid) => all.includes(pid))
  signalAll(first.length > 0 ? first : all, 'SIGQUIT')
  await ended(all, 1500)
  const left = pids()
  signalAll(left, 'SIGKILL')
  await ended(left, 3000)
}

/** Retries `attempt` until it succeeds; a server that ended, an abort or the deadline ends it with the reason. */
export const whenReady = async <T>(
  attempt: () => Promise<T>,
  options: { server?: Server; signal: AbortSignal; within: number; what: string },
): Promise<T> => {
  const until = performance.now() + options.within
  let last = 'no answer yet'
  while (performance.now() < until) {
    options.signal.throwIfAborted()
    const failure = options.server?.failure()
    if (failure !== undefined) throw new Error(failure)
    try {
      return await attempt()
    } catch (error) {
      last = error instanceof Error ? error.message : String(error)
    }
    await sleep(100)
  }
  throw new Error(`${options.what} was not ready within ${options.within / 1000} s: ${last}`)
}
