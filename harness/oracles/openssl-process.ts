/** Runs the `openssl` command: an X.509 implementation that shares nothing with the ones in this process. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { programEnvironment } from '../base/program-environment.ts'
import { type Ended, runProgram } from './programs.ts'

let available: boolean | undefined
let folder: string | undefined
let files = 0

/** Whether there is an `openssl` command on the PATH that runs: it is a third judge, and none of what it judges depends on it alone. */
export const hasOpenssl = (): boolean => {
  if (available === undefined) {
    try {
      execFileSync('openssl', ['version'], { stdio: 'ignore', timeout: 10_000, env: programEnvironment() })
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

/** Runs openssl, which has to be there, and answers what it printed, whatever its exit code; 1 where it cannot be started. */
export const openssl = (...parameters: string[]): Promise<Ended> =>
  runProgram('openssl', parameters).catch((error: Error) => ({ code: 1, stdout: '', stderr: error.message }))
