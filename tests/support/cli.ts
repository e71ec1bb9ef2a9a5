/** Runs the command line as a user does, in a process and folder of its own. */
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { PROGRAM } from './command-line.ts'

export interface Ran {
  code: number | null
  stdout: string
  stderr: string
  /** Standard output and error together. */
  all: string
  seconds: number
  folder: string
}

export interface RunOptions {
  folder?: string
  env?: Record<string, string>
  /** Called with the running process. */
  during?(process: { pid: number; kill(signal: NodeJS.Signals): void; stdout(): string; stderr(): string }): void
}

const made: string[] = []

afterAll(() => {
  for (const folder of made) rmSync(folder, { recursive: true, force: true })
})

/** A folder that is removed when the tests of the file are through; its name says whose it is, for `backend-leftovers.ts`. */
export const temporaryFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), `assay-test-${process.pid}-`))
  made.push(folder)
  return folder
}

/** Runs `assay` with the given words. */
export const assay = (words: string[], options: RunOptions = {}): Promise<Ran> => {
  const folder = options.folder ?? temporaryFolder()
  const begun = performance.now()
  const { ASSAY_TOKEN: _, ...inherited } = process.env
  const [node, ...program] = PROGRAM
  const child = spawn(node, [...program, ...words], {
    cwd: folder,
    env: {
      ...inherited,
      NO_COLOR: '1',
      ASSAY_STATE_DIR: join(folder, 'journal'),
      ...options.env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let stdout = ''
  let stderr = ''
  child.stdout.on('data', (chunk: Buffer) => {
    stdout += chunk.toString('utf8')
  })
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString('utf8')
  })
  options.during?.({ pid: child.pid ?? 0, kill: (signal) => void child.kill(signal), stdout: () => stdout, stderr: () => stderr })
  return new Promise((done) => {
    child.on('close', (code) => done({ code, stdout, stderr, all: stdout + stderr, seconds: (performance.now() - begun) / 1000, folder }))
  })
}

/** True when text shows the inside of a program: a stack trace. */
export const hasStackTrace = (text: string): boolean => /^\s+at .+:\d+:\d+\)?$/m.test(text)
