/** `assay prove --mutants N`: defects that a tool made, each held against everything that may notice it. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parse } from 'yaml'
import { UsageError } from '../base/usage.ts'
import type { Contract } from '../contract/contract.ts'
import { generalEngines, withShown } from '../contract/general.ts'
import { problemsOf } from '../contract/own-documents.ts'
import { packageRoot } from '../contract/package-root.ts'
import { type ContactRecord, contactRate } from '../mutation/first-contact.ts'
import { buildWithMutants, type InstrumentedBuild } from '../mutation/instrument.ts'
import { isJudged, type Judged, type Mutant, mutantsFor, staleEntries } from '../mutation/mutants.ts'
import { steadySampleOf } from '../mutation/sample.ts'
import { addMutants } from './proof-files.ts'
import { say, withProof } from './proof-setup.ts'
import { type ContactOptions, checksOver, concludeContact, contactAll } from './prove-contact.ts'

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

const titleOf = ({ file, line, key }: Mutant): string => `${FOLDER}/${file}:${line} ${key}`

/** What became of the mutants of one engine. */
interface Tried {
  engine: string
  sampled: number
  /** Drawn, and known to be no defects: not tried. */
  judged: number
  records: ContactRecord[]
  seconds: number
}

interface Subject {
  build: InstrumentedBuild
  judged: readonly Judged[]
  seed: number
  count: number
}

const tryEngine = async (contract: Contract, engine: string, { build, judged, seed, count }: Subject): Promise<Tried> => {
  const begun = performance.now()
  const engines = withShown(contract, new Set([engine]))
  const entry = pathToFileURL(join(build.folder, 'worker.js'))
  const subject = { contract, engines, checks: await checksOver(contract, engines), seed, entry }
  return withProof(subject, async (open) => {
    const { reached } = open.baseline.instance
    const able = mutantsFor(build.mutants, engine, reached, generalEngines(contract))
    const drawn = steadySampleOf(able, ({ file, key }) => `${file} ${key}`, count, seed)
    const chosen = drawn.filter((mutant) => !isJudged(judged, mutant, engine))
    say(`${engine}: ${drawn.length} of ${able.length} mutants that the checks reach, ${drawn.length - chosen.length} of them judged`)
    const records = await contactAll(
      open,
      chosen.map((mutant) => ({ id: mutant.id, engine, title: titleOf(mutant), server: { mutant: mutant.id } })),
    )
    const seconds = Math.round((performance.now() - begun) / 1000)
    return { engine, sampled: drawn.length, judged: drawn.length - chosen.length, records, seconds }
  })
}

const summaryOf = ({ engine, sampled, judged, records, seconds }: Tried): string => {
  const { killed, relevant, percent } = contactRate(records)
  return `${engine}: ${sampled} drawn, ${judged} judged, ${records.length - relevant} without a run, ${killed} of ${relevant} killed (${percent}%), ${seconds} s`
}

/**
 * Tries mutants of each engine and prints those that were not killed, with their source lines.
 *
 * @param options `count` mutants of each engine, drawn by `seed`.
 * @throws UsageError outside a checkout, or for a stale entry among the judged ones.
 */
export const proveMutants = async (contract: Contract, engines: string[], options: ContactOptions & { count: number }): Promise<number> => {
  const build = await buildWithMutants(FOLDER)
  const judged = judgedMutants()
  const stale = staleEntries(judged, build.mutants)
  if (stale.length > 0) throw new UsageError(`${JUDGED_FILE} is stale: ${stale.join('; ')}`)
  const tried: Tried[] = []
  for (const engine of engines) tried.push(await tryEngine(contract, engine, { build, judged, seed: options.seed, count: options.count }))
  const records = tried.flatMap((one) => one.records)
  for (const { state, title, note } of records)
    if (state !== 'killed') process.stderr.write(`${state}: ${title}${note === undefined ? '' : ` (${note})`}\n`)
  for (const one of tried) say(summaryOf(one))
  const code = concludeContact('mutants', records, options)
  const engineRates = tried.map((one) => ({ engine: one.engine, sampled: one.sampled, judged: one.judged, ...contactRate(one.records) }))
  addMutants({ seed: options.seed, engines: engineRates }, options.out)
  return code
}
