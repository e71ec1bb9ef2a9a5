/** `npm run trace`: writes the traceability table. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { loadContract } from '../harness/contract/load.ts'
import { packageRoot } from '../harness/contract/package-root.ts'
import { command } from './author-command.ts'
import { TRACEABILITY, traceability } from './traceability.ts'

await command(async () => {
  const file = join(packageRoot, TRACEABILITY)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, await traceability(await loadContract()))
  return `written  ${TRACEABILITY}`
})
