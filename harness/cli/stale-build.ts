/** Whether a checkout runs a build that lacks what its sources have by now. */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

/**
 * What to say of a build that is older than the sources beside it; undefined where there is nothing to say.
 *
 * @param module a file of the program that runs; a source is as new as can be.
 * @param root the folder of the package; an installed one has no sources and no way to build them.
 */
export const staleBuild = (module: string, root: string): string | undefined => {
  const script = join(root, 'scripts', 'build.js')
  if (!module.endsWith('.js') || !existsSync(script)) return undefined
  if (spawnSync(process.execPath, [script, '--check']).status === 0) return undefined
  return 'this build is older than the sources, and knows none of their new faults: run npm run build, or npm run assay -- prove'
}
