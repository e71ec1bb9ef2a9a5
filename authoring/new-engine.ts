/** `npm run new:engine NAME`: an engine that runs and is proved, to be rewritten piece by piece. */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { UsageError } from '../harness/base/usage.ts'
import { loadContract } from '../harness/contract/load.ts'
import { packageRoot } from '../harness/contract/package-root.ts'
import { command } from './author-command.ts'
import { engineFiles } from './scaffold.ts'
import { writeNew } from './templates.ts'

await command(async ([name, ...more]) => {
  if (name === undefined || more.length > 0) throw new UsageError('expected one name: npm run new:engine NAME')
  const files = engineFiles(await loadContract(), packageRoot, name)
  writeNew(packageRoot, files)
  // Where lines break depends on the length of the name.
  const biome = join(packageRoot, 'node_modules/@biomejs/biome/bin/biome')
  execFileSync(process.execPath, [biome, 'check', '--write', ...files.keys()], { cwd: packageRoot, stdio: ['ignore', 'ignore', 'inherit'] })
  return [...[...files.keys()].map((path) => `made  ${path}`), `next: npm run trace && npm run assay -- prove --engine ${name}`].join('\n')
})
