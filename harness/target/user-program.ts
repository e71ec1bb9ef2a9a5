/** Runs a program of the user's to its end: bounded in time and in what it may print, and never left behind. */
import { spawn } from 'node:child_process'
import { Blocked } from '../base/errors.ts'
import { cut } from '../base/text.ts'

/** Largest answer in bytes. */
export const MAX_ANSWER = 1024 * 1024
const MAX_COMPLAINT = 2000

/** How a program ended, and what it printed. */
export interface Ended {
  code: number | null
  signal: NodeJS.Signals | null
  stdout: string
  stderr: string
  /** Why it was stopped. */
  stopped?: Blocked
  /** The executable could not be started. */
  failure?: NodeJS.ErrnoException
}

interface Bounds {
  /** Milliseconds. */
  timeout: number
  /** What messages call it. */
  who: string
  /** What it should print, for the remedy of an answer that is too long. */
  wanted: string
}

export const lastLine = (text: string): string => cut(text.trim().split('\n').at(-1) ?? '', 200)

/** How a program failed, with the last line of its complaint. */
export const endOf = ({ code, signal, stderr }: Ended, who: string): string => {
  const complaint = lastLine(stderr)
  return `${who} ${code === null ? `was ended by ${signal}` : `ended with exit code ${code}`}${complaint === '' ? '' : `: ${complaint}`}`
}

/**
 * Runs a program in a process group of its own, so that what it starts ends with it. Never throws.
 *
 * @param argv an executable with its arguments, or one text for the shell.
 * @param input what it reads on its stdin.
 */
export const runToEnd = (argv: string[] | string, input: string, { timeout, who, wanted }: Bounds): Promise<Ended> =>
  new Promise((resolve) => {
    const [file, ...words] = typeof argv === 'string' ? [argv] : argv
    const child = spawn(file!, words, { stdio: ['pipe', 'pipe', 'pipe'], detached: true, shell: typeof argv === 'string' })
    const ended: Ended = { code: null, signal: null, stdout: '', stderr: '' }
    const chunks: Buffer[] = []
    let size = 0
    const finish = (): void => {
      clearTimeout(timer)
      resolve({ ...ended, stdout: Buffer.concat(chunks).toString('utf8') })
    }
    const stop = (reason: Blocked): void => {
      ended.stopped ??= reason
      try {
        process.kill(-child.pid!, 'SIGKILL')
      } catch {
        child.kill('SIGKILL')
      }
      child.stdout.destroy()
      child.stderr.destroy()
    }
    const timer = setTimeout(
      () => stop(new Blocked(`${who} gave no answer within ${timeout / 1000} s`, 'see why it hangs, or raise timing.timeout')),
      timeout,
    )
    child.stdout.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size > MAX_ANSWER) stop(new Blocked(`${who} answered more than ${MAX_ANSWER} bytes`, wanted))
      else chunks.push(chunk)
    })
    child.stderr.on('data', (chunk: Buffer) => {
      ended.stderr = (ended.stderr + chunk.toString('utf8')).slice(-MAX_COMPLAINT)
    })
    // An executable that ignores its input may close it before all is written.
    child.stdin.on('error', () => undefined)
    child.stdin.end(input)
    child.on('error', (failure) => {
      ended.failure = failure
      finish()
    })
    child.on('close', (code, signal) => {
      Object.assign(ended, { code, signal })
      finish()
    })
  })
