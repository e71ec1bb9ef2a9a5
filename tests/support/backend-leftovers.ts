/** Before and after all tests: ends the backends that test runs left which were killed, by their journals. */
import { existsSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { removeAbandoned } from '../../harness/cli/leftovers.ts'

const goesOn = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Where the processes of `tests/support/cli.ts` kept their journals, of tests that are over: others may run at the same time. */
const foldersOfTests = (): string[] =>
  readdirSync(tmpdir())
    .filter((name) => /^assay-test-\d+-/.test(name) && !goesOn(Number(name.split('-')[2])))
    .map((name) => join(tmpdir(), name, 'journal'))
    .filter((folder) => existsSync(folder))

const removeLeftovers = async (): Promise<void> => {
  const { ASSAY_STATE_DIR } = process.env
  await removeAbandoned()
  for (const folder of foldersOfTests()) {
    process.env.ASSAY_STATE_DIR = folder
    await removeAbandoned()
  }
  if (ASSAY_STATE_DIR === undefined) delete process.env.ASSAY_STATE_DIR
  else process.env.ASSAY_STATE_DIR = ASSAY_STATE_DIR
}

/** Run by Vitest once before all tests; what it returns once after them, also when some timed out. */
export default async (): Promise<() => Promise<void>> => {
  await removeLeftovers()
  return removeLeftovers
}
