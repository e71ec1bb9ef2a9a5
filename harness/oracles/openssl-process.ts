/** Runs the `openssl` command: an X.509 implementation that shares nothing with the ones in this process. */
import { execFile, execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

let available: boolean | undefined
let folder: string | undefined
let files = 0

/** Whether there is an `openssl` command on the PATH that runs: it is a third judge, and none of what it judges depends on it alone. */
export const hasOpenssl = (): boolean => {
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

/** Runs openssl, which has to be there, and answers what it printed, whatever its exit code. */
export const openssl = (...parameters: string[]): Promise<OpensslRun> =>
  new Promise((resolve) => {
    execFile('openssl', parameters, { timeout: 30_000, maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === 'number' ? error.code : 1
      resolve({ code, stdout, stderr })
    })
  })
