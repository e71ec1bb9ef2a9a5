/** The one run that all tests of a worker belong to: opened for the first file, closed when the worker ends. */
import { inject } from 'vitest'
import type { CheckDefinition } from '../harness/checks/vocabulary.ts'
import { loadContract } from '../harness/contract/load.ts'
import { catalogue } from '../harness/planning/catalogue.ts'
import type { CheckRun } from '../harness/running/check-run.ts'
import { type Split, splitClaims, withoutUnreachable } from '../harness/running/claims.ts'
import { closeRun, openRun } from '../harness/running/open-run.ts'
import { removeShared, runChecks } from '../harness/running/run.ts'
import { useForRun } from '../harness/running/used-backends.ts'
import type { RunContext } from '../harness/sending/context.ts'

const say = (text: string): void => void process.stderr.write(`assay: ${text}\n`)

export class AuthoringSession {
  readonly context: RunContext
  /** Every check of the engines that the target claims, generated ones included. */
  readonly checks: ReadonlyMap<string, CheckDefinition>
  readonly #split: Split
  readonly #runs: CheckRun[] = []
  readonly #close: () => Promise<void>

  constructor(context: RunContext, checks: CheckDefinition[], claimsAll: boolean, close: () => Promise<void>) {
    this.context = context
    this.checks = new Map(checks.map((check) => [check.id, check]))
    this.#split = splitClaims(context, checks, claimsAll)
    this.#close = close
  }

  /** Runs a check; undefined where the target does not claim it, for want of a backend. */
  async run(check: CheckDefinition): Promise<CheckRun | undefined> {
    if (this.#split.notClaimed.some(({ id }) => id === check.id)) return undefined
    const [run] = await runChecks(this.context, [check])
    if (run === undefined) return undefined
    this.#runs.push(run)
    return withoutUnreachable(this.context, this.#split, this.#runs).runs.includes(run) ? run : undefined
  }

  /** Removes what the run has made. */
  async close(): Promise<void> {
    await removeShared(this.context)
    await this.#close()
    await closeRun(this.context)
    for (const left of this.context.leftovers) say(this.context.secrets.redact(`could not be removed: ${left}`))
  }
}

const open = async (signal: AbortSignal): Promise<AuthoringSession> => {
  const { config, seed, effort, backends: handles, missingBackends: missing, claimsAll } = inject('assay')
  const contract = await loadContract()
  const { context } = await openRun(contract, config, { seed, effort, signal })
  const backends = useForRun(context, { handles, missing, stop: async () => undefined }, say)
  const claimed = [...context.targets.values()].flatMap(({ engines }) => engines)
  return new AuthoringSession(context, await catalogue(contract, claimed), claimsAll, () => backends.stop())
}

let current: Promise<AuthoringSession> | undefined

/** @param signal cuts the run short. */
export const openSession = (signal: AbortSignal): Promise<AuthoringSession> => {
  current ??= open(signal)
  return current
}

/** The session that is open. */
export const session = (): Promise<AuthoringSession> => {
  if (current === undefined) throw new Error('the runner has opened no session')
  return current
}

/** Closes the session where one was opened; what kept it from opening was said before. */
export const closeSession = async (): Promise<void> => {
  const opened = await current?.catch(() => undefined)
  current = undefined
  await opened?.close()
}
