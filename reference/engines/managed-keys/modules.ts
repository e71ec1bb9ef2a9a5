/** Modules in processes of their own, one for each library: what a module does to its process is a failed request and no more. */
import { type ChildProcess, fork } from 'node:child_process'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import type { OperatorSettings } from '../../core/operator.ts'
import { programEnvironment } from '../../core/started-programs.ts'
import type { SignRequest } from './sign-request.ts'

type Library = OperatorSettings['libraries'][string]

/** What goes to the process, and what comes back: a problem in words, or none. */
export interface ModuleCall {
  id: number
  request: SignRequest
}
export interface ModuleResult {
  id: number
  problem?: string
}

export interface Modules {
  /**
   * Has a module sign and verify.
   *
   * @param parallel how many requests may be in the module at once.
   * @returns the problem in words; undefined where the signature verifies.
   */
  sign(library: Library, request: SignRequest, parallel: number): Promise<string | undefined>
  close(): Promise<void>
}

/** Milliseconds that a module may take; making a key of 4096 bits takes seconds on a slow machine. */
const DEADLINE = 25_000
const START = 20_000

/** Sources in TypeScript need their loader in the process too. */
const loaderOf = (file: string): string[] => {
  if (!file.endsWith('.ts')) return []
  return ['--import', createRequire(import.meta.url).resolve('tsx')]
}

/** One process with one module. */
class ModuleProcess {
  readonly #library: Library
  #child: ChildProcess | undefined
  #ids = 0
  readonly #waiting = new Map<number, (problem: string | undefined) => void>()

  constructor(library: Library) {
    this.#library = library
  }

  #process(): ChildProcess {
    if (this.#child?.connected) return this.#child
    const file = fileURLToPath(new URL(import.meta.url.endsWith('.ts') ? './module-process.ts' : './module-process.js', import.meta.url))
    const child = fork(file, [this.#library.module], {
      execArgv: loaderOf(file),
      env: programEnvironment(this.#library.environment),
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
    child.on('message', ({ id, problem }: ModuleResult) => this.#settle(id, problem))
    const ended = () => {
      for (const id of [...this.#waiting.keys()]) this.#settle(id, 'the module ended its process')
    }
    child.once('exit', ended).once('error', ended)
    child.unref()
    child.channel?.unref()
    this.#child = child
    return child
  }

  #settle(id: number, problem: string | undefined): void {
    this.#waiting.get(id)?.(problem)
    this.#waiting.delete(id)
  }

  call(request: SignRequest): Promise<string | undefined> {
    this.#ids += 1
    const id = this.#ids
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.#settle(id, 'the module did not answer in time')
        this.close()
      }, DEADLINE + START)
      this.#waiting.set(id, (problem) => {
        clearTimeout(timer)
        resolve(problem)
      })
      this.#process().send({ id, request } satisfies ModuleCall, (error) => {
        if (error) this.#settle(id, 'the module cannot be reached')
      })
    })
  }

  close(): void {
    this.#child?.kill('SIGKILL')
    this.#child = undefined
  }
}

/** Lets so many through at once. */
class Gate {
  #running = 0
  readonly #queue: (() => void)[] = []

  async through<T>(limit: number, work: () => Promise<T>): Promise<T> {
    while (this.#running >= limit) await new Promise<void>((resolve) => this.#queue.push(resolve))
    this.#running += 1
    try {
      return await work()
    } finally {
      this.#running -= 1
      this.#queue.shift()?.()
    }
  }
}

/** The modules of one server; a process starts with the first call. */
export const makeModules = (): Modules => {
  const processes = new Map<string, { process: ModuleProcess; gate: Gate }>()
  return {
    sign(library, request, parallel) {
      const name = JSON.stringify(library)
      const known = processes.get(name) ?? { process: new ModuleProcess(library), gate: new Gate() }
      processes.set(name, known)
      return known.gate.through(parallel, () => known.process.call(request))
    },
    async close() {
      for (const { process } of processes.values()) process.close()
      processes.clear()
    },
  }
}
