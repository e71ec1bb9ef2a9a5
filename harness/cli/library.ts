/** `import { certify } from 'assay'`: what the command line does, for programs. */
import type { Results } from '../../specs/meta/results.ts'
import { Attempts } from '../base/separate-steps.ts'
import { requireKnown } from '../base/usage.ts'
import { EFFORTS } from '../target/configured-names.ts'
import { certifyTarget, type Host } from './certify.ts'
import type { CertifyOptions } from './certify-flags.ts'
import { withFailures } from './complaint.ts'
import { writeEvidence } from './evidence-files.ts'
import { exitOf } from './exit.ts'
import { withFailed } from './failed-before.ts'
import type { LiveProgress } from './progress.ts'
import { writeReports } from './report-files.ts'

export type { Results } from '../../specs/meta/results.ts'
export { Blocked } from '../base/errors.ts'
export { UsageError } from '../base/usage.ts'

/** Flags that print, keep or sign: the command line's alone. */
type Printed =
  | 'plan'
  | 'trace'
  | 'json'
  | 'history'
  | 'keep'
  | 'sign'
  | 'signCommand'
  | 'signKey'
  | 'writeDeviations'
  | 'updateDeviations'
  | 'watch'
  | 'watchPath'

/** What to certify and how: the flags of `assay certify` by their names in camel case, e.g. `{ engine: ['kv'], maxTime: 600_000 }`. */
export interface CertifyRequest extends Partial<Omit<CertifyOptions, Printed>> {
  /** Address of the server; left out with `embedded: true` or a configuration file. */
  url?: string
  /** Ends the run, which cleans up and comes back with what it has. */
  signal?: AbortSignal
  /** Hears what the run says on its way, a line each. */
  onProgress?(line: string): void
}

/** What a certification came to. */
export interface Certification {
  results: Results
  /** What the command line would have ended with: 0 passed, 1 failed, 3 incomplete, 4 errored. */
  exitCode: number
  /** Reports that were written; none where no `out` was given. */
  reports: string[]
}

const DEFAULTS = { seed: 1, effort: 'standard' } as const

const quietly =
  (say: (line: string) => void): Host['progress'] =>
  () =>
    ({ started: () => undefined, finished: () => undefined, say, stop: () => undefined }) satisfies LiveProgress

const hostOf = ({ signal, onProgress }: CertifyRequest): Host => {
  const abort = new AbortController()
  const stop = () => abort.abort(new Error('interrupted'))
  if (signal?.aborted === true) stop()
  signal?.addEventListener('abort', stop, { once: true })
  const ignore = () => undefined
  const signals = { interrupted: () => signal?.aborted === true, tell: ignore, lasts: ignore, reports: ignore, close: ignore }
  return { abort, signals, progress: quietly((line) => onProgress?.(line)) }
}

/**
 * Certifies a server, or the embedded reference, and comes back with the results.
 *
 * @param request what to certify; reports are written only where `out` names a folder
 * @throws UsageError where the request contradicts itself or names nothing; Blocked where nothing could be tried
 */
export const certify = async (request: CertifyRequest): Promise<Certification> => {
  const { url, signal: _signal, onProgress: _onProgress, ...flags } = request
  if (flags.effort !== undefined) requireKnown('effort', [flags.effort], [...EFFORTS])
  const options = await withFailed({ ...DEFAULTS, out: '', ...flags })
  const { results, evidence, failures } = await certifyTarget(url, options, hostOf(request))
  const attempts = new Attempts()
  const reports =
    flags.out === undefined
      ? []
      : [...(await writeReports({ results: results!, out: flags.out }, attempts)), ...(await writeEvidence(evidence, flags.out, attempts))]
  return { results: results!, exitCode: withFailures([...failures, ...attempts.failures], exitOf(results!)), reports }
}
