/** `assay prove --mutants N`: defects that a tool made, each held against everything that may notice it. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parse } from 'yaml'
import { UsageError } from '../base/usage.ts'
import type { Contract } from '../contract/contract.ts'
import { problemsOf } from '../contract/documents.ts'
import { packageRoot } from '../contract/root.ts'
import type { ContactRecord } from '../mutation/first-contact.ts'
import { buildWithMutants, type InstrumentedBuild } from '../mutation/instrument.ts'
import { engineOfFile, type Judged, type Mutant, staleEntries } from '../mutation/mutants.ts'
import { sampleOf } from '../mutation/sample.ts'
import { say, withProof } from './proof-setup.ts'
import { type ContactOptions, checksOver, concludeContact, contactAll, enginesFor, sharedEngine } from './prove-contact.ts'

const FOLDER = 'reference'
const JUDGED_FILE = 'mutants.yaml'

/**
 * The mutants that were judged to be no defects: `mutants.yaml` beside the sources.
 *
 * @throws UsageError for a file that is not what its schema says.
 */
const judgedMutants = (): Judged[] =>
  readdirSync(join(packageRoot, FOLDER), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith(JUDGED_FILE))
    .flatMap((path) => {
      const document = (parse(readFileSync(join(packageRoot, FOLDER, path), 'utf8')) ?? []) as Judged[]
      const [problem] = problemsOf('mutants', document)
      if (problem !== undefined) throw new UsageError(`${FOLDER}/${path}: ${problem}`)
      return document
    })

/** The engine whose suite a mutant is held against: what all engines share belongs to that of the conventions. */
const engineOf = (contract: Contract, mutant: Mutant): string => engineOfFile(mutant.file, sharedEngine(contract))

const titleOf = ({ file, line, key }: Mutant): string => `${FOLDER}/${file}:${line} ${key}`

const tryEngine = async (
  contract: Contract,
  engine: string,
  { folder, mutants }: InstrumentedBuild,
  { seed, count }: { seed: number; count: number },
): Promise<ContactRecord[]> => {
  const engines = enginesFor(contract, [engine])
  const subject = { contract, engines, checks: await checksOver(contract, engines), seed, entry: pathToFileURL(join(folder, 'worker.js')) }
  return withProof(subject, async (open) => {
    const { reached } = open.baseline.instance
    const able = mutants.filter((mutant) => engineOf(contract, mutant) === engine && reached.has(mutant.id))
    const chosen = sampleOf(able, count, seed)
    say(`${engine}: ${chosen.length} of ${able.length} mutants that the checks reach`)
    return contactAll(
      open,
      chosen.map((mutant) => ({ id: mutant.id, engine, title: titleOf(mutant), server: { mutant: mutant.id } })),
    )
  })
}

/**
 * Tries mutants of each engine and prints those that nobody noticed, with their source lines.
 *
 * @param options `count` mutants of each engine, drawn by `seed`.
 * @throws UsageError outside a checkout, or for a stale entry among the judged ones.
 */
export const proveMutants = async (contract: Contract, engines: string[], options: ContactOptions & { count: number }): Promise<number> => {
  const build = await buildWithMutants(FOLDER)
  const judged = judgedMutants()
  const stale = staleEntries(judged, build.mutants)
  if (stale.length > 0) throw new UsageError(`${JUDGED_FILE} is stale: ${stale.join('; ')}`)
  const excused = new Set(judged.map(({ file, key }) => `${file} ${key}`))
  const mutants = build.mutants.filter(({ file, key }) => !excused.has(`${file} ${key}`))
  const records: ContactRecord[] = []
  for (const engine of engines) records.push(...(await tryEngine(contract, engine, { ...build, mutants }, options)))
  for (const { state, title, note } of records)
    if (state !== 'killed') process.stderr.write(`${state}: ${title}${note === undefined ? '' : ` (${note})`}\n`)
  return concludeContact('mutants', records, options)
}
