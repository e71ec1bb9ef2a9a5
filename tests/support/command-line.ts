/** How a test starts the command line: the built one, where the build is as new as the sources, else the sources. It starts in half the time. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

const isBuilt = (): boolean => spawnSync(process.execPath, [join(root, 'scripts/build.js'), '--check']).status === 0

/** Node and what it is given before the words of the command. */
export const PROGRAM: readonly [string, ...string[]] = isBuilt()
  ? [process.execPath, join(root, 'bin/assay.js')]
  : [process.execPath, '--import', join(root, 'node_modules/tsx/dist/loader.mjs'), join(root, 'harness/cli/main.ts')]
