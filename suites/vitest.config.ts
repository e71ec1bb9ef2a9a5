// The checks as tests of Vitest: watch mode, -t, the run button of an editor, every reporter. See CONTRIBUTING.md.
import { fileURLToPath } from 'node:url'
import type { ViteUserConfig } from 'vitest/config'
import { ContractLast } from '../authoring/sequencer.ts'

const file = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url))

export default {
  test: {
    root: file('.'),
    include: ['suites/**/*.check.ts', 'authoring/contract.check.ts'],
    globalSetup: file('authoring/global-setup.ts'),
    runner: file('authoring/runner.ts'),
    // One run for all files, as in `certify`: one worker that keeps its modules, one file after the other, the checks of a file side by side.
    pool: 'forks',
    isolate: false,
    fileParallelism: false,
    maxConcurrency: 64,
    sequence: { concurrent: true, sequencer: ContractLast },
    // A check has a deadline of its own.
    testTimeout: 0,
    hookTimeout: 0,
    teardownTimeout: 60_000,
    includeTaskLocation: true,
  },
} satisfies ViteUserConfig
