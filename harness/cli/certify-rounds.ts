/** `assay certify`: one run with its reports, or one after the other. */
import { Blocked } from '../base/errors.ts'
import { enterPhase } from '../base/position.ts'
import { Attempts } from '../base/separate-steps.ts'
import type { Signer } from '../results/signing-key.ts'
import { certifyTarget } from './certify.ts'
import type { CertifyOptions } from './certify-flags.ts'
import { complain, withFailures } from './complaint.ts'
import { configFrom } from './configuration.ts'
import { exit, exitOf } from './exit.ts'
import { withFailed } from './failed-before.ts'
import { updateKnown } from './known.ts'
import { signerFrom } from './sign-flags.ts'
import { watchSignals } from './signals.ts'
import { requireWritable } from './surroundings.ts'
import { hearUncaught } from './uncaught.ts'
import type { Announce, Round } from './watch.ts'
import { requireWatchable } from './watch-flags.ts'

/** One run with its reports, as the command line makes it. */
const certifyOnce = async (
  url: string | undefined,
  options: CertifyOptions,
  signer: Signer | undefined,
  announce: Announce = () => undefined,
): Promise<Round> => {
  const abort = new AbortController()
  const signals = watchSignals(abort)
  const uncaught: unknown[] = []
  // An uncaught error ends the run, which cleans up and makes its report.
  const leave = hearUncaught((error) => {
    if (!uncaught.some((known) => String(known) === String(error))) uncaught.push(error)
    abort.abort(error)
  })
  try {
    const { results, evidence, trace, ended, failures } = await certifyTarget(url, options, { abort, signals })
    if (results === undefined) return { code: withFailures(failures, exit.passed) }
    enterPhase('writing reports')
    signals.reports()
    announce(results)
    const after = new Attempts()
    const { publish } = await import('./publish.ts')
    const unwritten = await publish(results, { ...options, evidence, ...(signer === undefined ? {} : { signer }) })
    await after.make(() => updateKnown(results, options))
    await after.make(() => trace?.())
    if (ended !== undefined) complain(ended)
    const code = withFailures([...uncaught, ...failures, ...unwritten, ...after.failures], exitOf(results))
    return signals.interrupted() ? { code: exit.interrupted, interrupted: true } : { code, results }
  } catch (error) {
    const reason: unknown = abort.signal.reason
    for (const other of uncaught) if (other !== error) complain(other)
    if (error !== reason && reason instanceof Blocked) complain(reason)
    if (error === reason && signals.interrupted() && uncaught.length === 0) return { code: exit.interrupted, interrupted: true }
    throw error
  } finally {
    leave()
    signals.close()
  }
}

/** Addresses and files that a watched run looks at. */
const watchedBy = async (url: string | undefined, options: CertifyOptions): Promise<{ targets: URL[]; paths: string[] }> => {
  const { targets } = await configFrom(url, options)
  const files = [options.config, options.deviations, options.watchPath].flat()
  return { targets: targets.map((target) => new URL(target.url)), paths: files.filter((file) => file !== undefined) }
}

/** Certifies as the flags say; returns the exit code. */
export const certify = async (url: string | undefined, given: CertifyOptions): Promise<number> => {
  const options = await withFailed(given)
  requireWatchable(options)
  if (options.plan !== true) requireWritable(options.out)
  if (options.history !== undefined) requireWritable(options.history, '--history')
  const signer = signerFrom(options)
  const once = (announce?: Announce) => certifyOnce(url, options, signer, announce)
  if (options.watch !== true) return (await once()).code
  const { targets, paths } = await watchedBy(url, options)
  const { watchRuns } = await import('./watch.ts')
  return watchRuns(once, targets, paths)
}
