/** `npm run new:check ENGINE/NAME [CLAUSE]`: a file for one check, blocked until it is written. */
import { UsageError } from '../harness/base/usage.ts'
import { loadContract } from '../harness/contract/load.ts'
import { packageRoot } from '../harness/contract/package-root.ts'
import { catalogue } from '../harness/planning/catalogue.ts'
import { command } from './author-command.ts'
import { checkFile } from './scaffold.ts'
import { writeNew } from './templates.ts'

await command(async ([place, clause, ...more]) => {
  if (place === undefined || more.length > 0) throw new UsageError('expected a place: npm run new:check ENGINE/NAME [CLAUSE]')
  const contract = await loadContract()
  const ids = (await catalogue(contract, [...contract.engines.keys()])).map(({ id }) => id)
  const files = checkFile(contract, packageRoot, place, { ids, ...(clause === undefined ? {} : { clause }) })
  writeNew(packageRoot, files)
  const [file] = files.keys()
  return `made     ${file}\nnext: npx vitest --config suites/vitest.config.ts ${file}`
})
