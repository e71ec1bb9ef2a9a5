/**
 * `npm run killers PROOF...`: remembers by which check each fault was killed, so that the next proof tries that one first. Of a matrix of all killers
 * (`.gz`) it is the quickest one.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { UsageError } from '../harness/base/usage.ts'
import { LAST_KILLERS } from '../harness/cli/proof-files.ts'
import { packageRoot } from '../harness/contract/package-root.ts'
import { allFaults } from '../reference/faults/index.ts'
import { command } from './author-command.ts'
import { killsOf, type MatrixKill } from './matrix.ts'

interface Kill {
  fault: string
  state: string
  killedBy: string[]
}

const isMatrix = (name: string): boolean => name.endsWith('.gz')

await command(async () => {
  const files = process.argv.slice(2)
  if (files.length === 0)
    throw new UsageError('name the proof.json of proofs (npx assay prove --out DIR), or a matrix (npx assay prove --all-killers --out DIR)')
  const file = join(packageRoot, LAST_KILLERS)
  const known = JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>
  const quickest = new Map<string, MatrixKill>()
  for (const kill of files.filter(isMatrix).flatMap(killsOf))
    if (kill.ms < (quickest.get(kill.fault)?.ms ?? Number.POSITIVE_INFINITY)) quickest.set(kill.fault, kill)
  for (const { fault, check } of quickest.values()) known[fault] = check
  const proofs = files.filter((name) => !isMatrix(name))
  for (const { fault, state, killedBy } of proofs.flatMap((name) => (JSON.parse(readFileSync(name, 'utf8')) as { kills: Kill[] }).kills))
    if (state === 'killed') known[fault] = killedBy[0]!
  const kept = allFaults.flatMap(({ id }) => (known[id] === undefined ? [] : [`  ${JSON.stringify(id)}: ${JSON.stringify(known[id])}`]))
  writeFileSync(file, `{\n${kept.sort().join(',\n')}\n}\n`)
  return `written  ${LAST_KILLERS}: ${kept.length} of ${allFaults.length} faults`
})
