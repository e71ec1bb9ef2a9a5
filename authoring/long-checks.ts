/** `npm run durations HISTORY`: writes what `--within` expects of checks that take long, from the latest whole run of the reference. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { UsageError } from '../harness/base/usage.ts'
import { durationsIn } from '../harness/cli/history-flags.ts'
import { packageRoot } from '../harness/contract/package-root.ts'
import { entryOf, LONG, LONG_CHECKS } from '../harness/history/expected-time.ts'
import { command } from './author-command.ts'

const HEADING = `# Seconds that checks took in a whole run of the reference with every backend, where these were ${LONG} or more; of a sweep the median of its checks.
# What a run of limited time (--within) expects. Written by \`npm run durations HISTORY\`.
`
const SECOND = 1000

const median = (numbers: readonly number[]): number => [...numbers].sort((left, right) => left - right)[Math.floor(numbers.length / 2)]!

await command(async () => {
  const [history] = process.argv.slice(2)
  const durations = history === undefined ? new Map<string, number>() : await durationsIn({ history })
  if (durations.size === 0)
    throw new UsageError('name a folder that a whole run has kept its results in: npx assay certify --embedded --history DIR')
  const byEntry = new Map<string, number[]>()
  for (const [id, ms] of durations) byEntry.set(entryOf(id), [...(byEntry.get(entryOf(id)) ?? []), ms])
  const seconds = [...byEntry].map(([entry, all]) => [entry, Math.round(median(all) / SECOND)] as const)
  const long = seconds.filter(([, taken]) => taken >= LONG).sort(([left], [right]) => (left < right ? -1 : 1))
  writeFileSync(join(packageRoot, LONG_CHECKS), `${HEADING}${long.map(([entry, taken]) => `${entry}: ${taken}\n`).join('')}`)
  return `written  ${LONG_CHECKS}`
})
