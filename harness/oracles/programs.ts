/** Running small programs to their end. */
import { type ChildProcess, fork } from 'node:child_process'
import { accessSync, constants, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { programEnvironment } from '../base/program-environment.ts'
import type { ProgramCall, ProgramResult } from './program-host.ts'

export interface Ended {
  code: number
  stdout: string
  stderr: string
}

export interface RunOptions {
  input?: string
  /** Variables beside the few that every program gets. */
  env?: Record<string, string>
  /** Milliseconds; the program is killed afterwards and its code is -1. Default 30 s. */
  within?: number
}

const DEADLINE = 30_000

/** Whether a path is a program that this account may run. */
export const isExecutable = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}

/** Whether a program can be started by its name alone. */
export const isOnPath = (program: string): boolean =>
  (process.env.PATH ?? '').split(delimiter).some((folder) => folder !== '' && isExecutable(join(folder, program)))

/** Sources in TypeScript need their loader in the other process too. */
const loaderOf = (file: string): string[] => (file.endsWith('.ts') ? ['--import', createRequire(import.meta.url).resolve('tsx')] : [])

/** The process that starts programs for this one; it begins with the first and ends with this one. */
class Host {
  readonly #child: ChildProcess
  readonly #waiting = new Map<number, (result: ProgramResult) => void>()
  #ids = 0

  constructor() {
    const file = fileURLToPath(new URL(import.meta.url.endsWith('.ts') ? './program-host.ts' : './program-host.js', import.meta.url))
    this.#child = fork(file, {
      execArgv: loaderOf(file),
      env: { PATH: process.env.PATH ?? '' },
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
    this.#child.on('message', (result: ProgramResult) => this.#settle(result))
    const over = (): void => {
      for (const id of this.#waiting.keys()) this.#settle({ id, failure: 'the process that starts programs has ended' })
    }
    this.#child.once('exit', over).once('error', over)
    this.#child.unref()
    this.#child.channel?.unref()
  }

  get isThere(): boolean {
    return this.#child.connected
  }

  #settle(result: ProgramResult): void {
    this.#waiting.get(result.id)?.(result)
    this.#waiting.delete(result.id)
    if (this.#waiting.size === 0) this.#child.channel?.unref()
  }

  run(call: Omit<ProgramCall, 'id'>): Promise<Ended> {
    this.#ids += 1
    const id = this.#ids
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, ({ ended, failure }) => (ended === undefined ? reject(new Error(failure)) : resolve(ended)))
      this.#child.channel?.ref()
      this.#child.send({ ...call, id } satisfies ProgramCall, (error) => {
        if (error) this.#settle({ id, failure: error.message })
      })
    })
  }
}

let host: Host | undefined

/** Runs a program whatever its exit code. @throws where it cannot be started. */
export const runProgram = (command: string, args: string[], options: RunOptions = {}): Promise<Ended> => {
  if (host?.isThere !== true) host = new Host()
  const env = programEnvironment({ LC_ALL: 'C', TZ: 'UTC', ...options.env })
  return host.run({ command, args, env, input: options.input ?? '', within: options.within ?? DEADLINE })
}
