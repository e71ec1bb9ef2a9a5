/** `npm run new:engine NAME`: an engine that runs and is proved, to be rewritten piece by piece. */
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { UsageError } from '../harness/base/usage.ts'
import { loadContract } from '../harness/contract/load.ts'
import { packageRoot } from '../harness/contract/root.ts'
import { command } from './command.ts'
import { engineFiles } from './scaffold.ts'
import { writeNew } from './templates.ts'

await command(async ([name, ...more]) => {
  if (name === undefined || more.length > 0) throw new UsageError('expected one name: npm run new:engine NAME')
  const { files, changed } = engineFiles(await loadContract(), packageRoot, name)
  writeNew(packageRoot, files)
  for (const [path, text] of changed) writeFileSync(join(packageRoot, path), text)
  // Where lines break depends on the length of the name.
  const biome = join(packageRoot, 'node_modules/@biomejs/biome/bin/biome')
  execFileSync(process.execPath, [biome, 'check', '--write', ...files.keys()], { cwd: packageRoot, stdio: ['ignore', 'ignore', 'inherit'] })
  return [
    ...[...files.keys()].map((path) => `made     ${path}`),
    ...[...changed.keys()].map((path) => `changed  ${path}`),
    `next: npm run trace && npm run assay -- prove --engine ${name}`,
  ].join('\n')
})
