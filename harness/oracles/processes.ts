/** Running small programs to their end. */
import { spawn } from 'node:child_process'

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
