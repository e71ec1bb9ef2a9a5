/** Runs the `openssl` command: an X.509 implementation that shares nothing with the ones in this process. */
import { execFile, execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Blocked } from '../base/errors.ts'

let available: boolean | undefined
let folder: string | undefined
let files = 0

const present = (): boolean => {
  if (available === undefined) {
    try {
      execFileSync('openssl', ['version'], { stdio: 'ignore', timeout: 10_000 })
      available = true
    } catch {
      available = false
    }
  }
  return available
}

/** A file for openssl to read, in a folder that goes when the process ends. Certificates only: no key is ever written. */
export const materialFile = async (content: string | Uint8Array): Promise<string> => {
  if (folder === undefined) {
    const made = mkdtempSync(join(tmpdir(), 'assay-x509-'))
    process.once('exit', () => rmSync(made, { recursive: true, force: true }))
    folder = made
  }
  files += 1
  const path = join(folder, `${files}.pem`)
  await writeFile(path, content)
  return path
}

export interface OpensslRun {
  code: number
  stdout: string
  stderr: string
}

/**
 * Runs openssl and answers what it printed, whatever its exit code.
 * @throws Blocked where the command is not installed
 */
export const openssl = (...parameters: string[]): Promise<OpensslRun> => {
  if (!present()) throw new Blocked('the openssl command is not installed', 'install openssl and put it on the PATH')
  return new Promise((resolve) => {
    execFile('openssl', parameters, { timeout: 30_000, maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === 'number' ? error.code : 1
      resolve({ code, stdout, stderr })
    })
  })
}
