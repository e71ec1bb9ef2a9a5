/** `--failed`: what did not hold in an earlier report is tried again. */
import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { Results } from '../../specs/meta/results.ts'
import { UsageError } from '../base/usage.ts'
import type { CertifyOptions } from './certify-flags.ts'

const FAILED = ['violated', 'blocked', 'errored']

/** The clauses that failed, were blocked or met an internal error, those that known deviations cover included. */
const failedIn = ({ clauses, checks }: Results): string[] => {
  const errored = checks.filter(({ outcome }) => outcome === 'errored').flatMap((check) => check.clauses)
  return [...new Set([...clauses.filter(({ outcome }) => FAILED.includes(outcome)).map(({ id }) => id), ...errored])]
}

const isFolder = (place: string): boolean => statSync(place, { throwIfNoEntry: false })?.isDirectory() === true

/** Engines that the earlier run selected among those that its target claims; none where it selected all. */
const enginesOf = ({ scope: { engines, claimed } }: Results): { engine?: string[] } =>
  engines.length < claimed.length ? { engine: engines } : {}

/**
 * The options with the clauses that failed in an earlier report, and so with every check of its engines that decides them.
 *
 * @throws UsageError if nothing failed there, or if checks or clauses are selected too; ResultsError without a report.
 */
export const withFailed = async (options: CertifyOptions): Promise<CertifyOptions> => {
  const { failed, out, clause, check } = options
  if (failed === undefined) return options
  if ((clause ?? check) !== undefined) throw new UsageError('--failed selects clauses by itself: leave out --clause and --check')
  const place = failed === true ? out : failed
  if (URL.canParse(place) && !isFolder(place))
    throw new UsageError(`--failed takes a report, and ${place} is a URL: give the URL before the flags`)
  const file = isFolder(place) ? join(place, 'results.json') : place
  const { readResults } = await import('../../reports/index.ts')
  const results = await readResults(file)
  const clauses = failedIn(results)
  if (clauses.length === 0) throw new UsageError(`--failed: nothing failed in ${file}: leave it out to run everything`)
  return { ...enginesOf(results), ...options, clause: clauses }
}
