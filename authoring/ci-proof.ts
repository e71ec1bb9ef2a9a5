/** For `.ci/run`: `split` prints the engines of either half of the proof; `missing FILE...` fails where the proofs leave an engine out. */
import { readFileSync } from 'node:fs'
import { loadContract } from '../harness/contract/load.ts'
import { catalogue } from '../harness/planning/catalogue.ts'
import { allFaults } from '../reference/mutations/index.ts'
import { halvesOf, missingFrom } from './proof-halves.ts'

const [what, ...files] = process.argv.slice(2)
const contract = await loadContract()
const engines = [...contract.engines.values()]
if (what === 'split') {
  const checks = await catalogue(
    contract,
    engines.map(({ id }) => id),
  )
  const halves = halvesOf(engines, allFaults, checks, [...contract.operations.values()])
  for (const half of halves) process.stdout.write(`${half.join(',')}\n`)
} else {
  const kills = files.flatMap((file) => (JSON.parse(readFileSync(file, 'utf8')) as { kills: { engine: string }[] }).kills)
  const missing = missingFrom(engines, kills)
  if (missing.length > 0) {
    process.stderr.write(`not proven: no fault was tried of ${missing.join(', ')}\n`)
    process.exitCode = 1
  }
}
