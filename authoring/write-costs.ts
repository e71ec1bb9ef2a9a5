/** `npm run costs HISTORY`: writes what checks cost, from the latest whole run of the reference that the folder has. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { UsageError } from '../harness/base/usage.ts'
import { readKept } from '../harness/cli/kept-runs.ts'
import { packageRoot } from '../harness/contract/package-root.ts'
import { CHECK_COSTS, entryOf, LONG } from '../harness/planning/check-costs.ts'
import { command } from './author-command.ts'

const HEADING = `# Requests that a check sends, and seconds that it takes where these are ${LONG} or more (else 0), in a whole run of the reference with every
# backend; of a sweep the medians of its checks. Quick effort, --within and --plan go by it. Written by \`npm run costs HISTORY\`.
`
const SECOND = 1000

const median = (numbers: readonly number[]): number => [...numbers].sort((left, right) => left - right)[Math.floor(numbers.length / 2)]!

await command(async () => {
  const [history] = process.argv.slice(2)
  const latest = history === undefined ? undefined : (await readKept(history)).at(-1)
  if (latest === undefined)
    throw new UsageError('name a folder that a whole run has kept its results in: npx assay certify --embedded --history DIR')
  const byEntry = new Map<string, { requests: number[]; ms: number[] }>()
  for (const { id, kind, outcome, exchanges, durationMs } of latest.checks) {
    if (kind === 'contract' && id.includes('/contract/')) continue
    if (outcome === 'notClaimed') continue
    const { requests, ms } = byEntry.get(entryOf(id)) ?? { requests: [], ms: [] }
    byEntry.set(entryOf(id), { requests: [...requests, exchanges], ms: [...ms, durationMs] })
  }
  const lines = [...byEntry]
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([entry, { requests, ms }]) => {
      const seconds = Math.round(median(ms) / SECOND)
      return `${entry}: [${Math.max(1, median(requests))}, ${seconds < LONG ? 0 : seconds}]\n`
    })
  writeFileSync(join(packageRoot, CHECK_COSTS), HEADING + lines.join(''))
  return `written  ${CHECK_COSTS}`
})
