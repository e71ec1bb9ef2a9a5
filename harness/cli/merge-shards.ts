/** `assay merge DIR...`: joins the results of shards. */
import { existsSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { readResults } from '../../reports/index.ts'
import { UsageError } from '../base/usage.ts'
import { isContractCheck } from '../checks/check.ts'
import { loadContract } from '../contract/load.ts'
import { dependencesOf } from '../outcomes/explanations.ts'
import { catalogue } from '../planning/catalogue.ts'
import { mergeParts } from '../shards/merge-parts.ts'
import { type Part, requireWhole } from '../shards/whole-run.ts'
import { withFailures } from './complaint.ts'
import { requireConsistent } from './consistent.ts'
import { evidenceOf } from './evidence-files.ts'
import { exitOf } from './exit.ts'
import type { HistoryOptions } from './history-flags.ts'
import { publish } from './publish.ts'
import { type SignOptions, signerFrom } from './sign-flags.ts'
import { requireWritable } from './surroundings.ts'

export interface MergeOptions extends HistoryOptions, SignOptions {
  out: string
  json?: boolean
}

const partIn = async (place: string): Promise<Part> => {
  const isFolder = existsSync(place) && statSync(place).isDirectory()
  const file = isFolder ? join(place, 'results.json') : place
  const results = await readResults(file)
  requireConsistent(file, results)
  return { place, results }
}

export const merge = async (places: string[], options: MergeOptions): Promise<number> => {
  const parts = await Promise.all(places.map(partIn))
  requireWhole(parts)
  requireWritable(options.out)
  if (options.history !== undefined) requireWritable(options.history, '--history')
  const signer = signerFrom(options)
  const contract = await loadContract()
  const { claimed } = parts[0]!.results.scope
  const unknown = claimed.filter((engine) => !contract.engines.has(engine))
  if (unknown.length > 0) throw new UsageError(`the shards are of engines that this version of assay does not know: ${unknown.join(', ')}`)
  const checks = await catalogue(contract, claimed)
  const decidedByAnswers = new Set(checks.filter(isContractCheck).map(({ id }) => id))
  const results = mergeParts(parts, { decidedByAnswers, checks, dependences: dependencesOf(contract) })
  const evidence = evidenceOf(
    parts.map(({ place, results: part }) => ({ place: place.endsWith('.json') ? dirname(place) : place, results: part })),
  )
  const failures = await publish(results, { ...options, evidence, ...(signer === undefined ? {} : { signer }) })
  return withFailures(failures, exitOf(results))
}
