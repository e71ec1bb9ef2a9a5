/** Running small programs to their end. */
import { spawn } from 'node:child_process'
import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, join } from 'node:path'

export interface Ended {
  code: number
  stdout: string
  stderr: string
}

export interface RunOptions {
  input?: string
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

/** Runs a program whatever its exit code. @throws where it cannot be started. */
export const runProgram = (command: string, args: string[], options: RunOptions = {}): Promise<Ended> =>
  new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      stdio: ['pipe', 'pipe', 'pipe'],
      env: { ...process.env, LC_ALL: 'C', TZ: 'UTC', ...options.env },
      timeout: options.within ?? DEADLINE,
      killSignal: 'SIGKILL',
    })
    let stdout = ''
    let stderr = ''
    child.stdout.on('data', (chunk: Buffer) => {
      stdout += chunk.toString('utf8')
    })
    child.stderr.on('data', (chunk: Buffer) => {
      stderr += chunk.toString('utf8')
    })
    child.once('error', reject)
    child.once('close', (code) => resolve({ code: code ?? -1, stdout, stderr }))
    // A program that does not read its input is not an error.
    child.stdin.on('error', () => undefined)
    child.stdin.end(options.input ?? '')
  })
