/** Runs the suites as an author does, under Vitest in a process of its own. */
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { CheckMeta } from '../../authoring/provided.ts'
import { temporaryFolder } from './cli.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

export interface ReportedTest {
  title: string
  status: string
  location?: { line: number; column: number }
  failureMessages: string[]
  meta: { assay?: CheckMeta }
  /** The file that the test belongs to, from the project's root. */
  file: string
}

export interface AuthoringRan {
  code: number
  tests: ReportedTest[]
  /** What was printed. */
  output: string
}

interface JsonReport {
  testResults: { name: string; assertionResults: Omit<ReportedTest, 'file'>[] }[]
}

/** @param words filters and flags. */
export const authoring = async (words: string[], env: Record<string, string> = {}): Promise<AuthoringRan> => {
  const folder = temporaryFolder()
  const report = join(folder, 'report.json')
  const { VITEST: _, VITEST_MODE: __, ASSAY_TOKEN: ___, ...inherited } = process.env
  const flags = ['--config', 'suites/vitest.config.ts', '--reporter=json', '--reporter=default', `--outputFile.json=${report}`]
  const { code, output } = await new Promise<{ code: number; output: string }>((done) => {
    execFile(
      process.execPath,
      [join(root, 'node_modules/vitest/vitest.mjs'), 'run', ...flags, ...words],
      { cwd: root, env: { ...inherited, NO_COLOR: '1', ASSAY_STATE_DIR: join(folder, 'journal'), ...env }, maxBuffer: 64 * 2 ** 20 },
      (error, stdout, stderr) => done({ code: error === null ? 0 : Number(error.code), output: `${stdout}${stderr}` }),
    )
  })
  const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as JsonReport
  const tests = testResults.flatMap(({ name, assertionResults }) =>
    assertionResults.map((result) => ({ ...result, file: name.slice(root.length) })),
  )
  return { code, tests, output }
}
