/** `npm run types`: writes the types of results.json. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../harness/contract/package-root.ts'
import { command } from './author-command.ts'
import { RESULTS_TYPES, resultsTypes } from './results-types.ts'

await command(async () => {
  writeFileSync(join(packageRoot, RESULTS_TYPES), await resultsTypes())
  return `written  ${RESULTS_TYPES}`
})
