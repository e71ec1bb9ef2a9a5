/** A Python of its own with packages from the registry: made once, and again where other versions are wanted. */
import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { packageRoot } from '../../harness/contract/package-root.ts'

const run = promisify(execFile)
const WITHIN = 240_000

/**
 * The folder with the programs of a Python that has packages, e.g. `boto3==1.43.106`; undefined without a Python with venv or a
 * registry in reach.
 */
export const pythonWith = async (name: string, packages: readonly string[]): Promise<string | undefined> => {
  const folder = join(packageRoot, 'node_modules', '.cache', `assay-python-${name}`)
  const made = join(folder, `${packages.join(' ').replace(/[^a-z0-9.=]+/gi, '_')}.made`)
  const programs = join(folder, 'bin')
  if (existsSync(made)) return programs
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  try {
    await run('python3', ['-m', 'venv', folder], { timeout: WITHIN })
    // What is not compiled beforehand is compiled as far as it is used.
    const quiet = ['-q', '--no-compile', '--disable-pip-version-check', '--retries', '1']
    await run(join(programs, 'pip'), ['install', ...quiet, ...packages], { timeout: WITHIN })
  } catch {
    rmSync(folder, { recursive: true, force: true })
    return undefined
  }
  writeFileSync(made, '')
  return programs
}
