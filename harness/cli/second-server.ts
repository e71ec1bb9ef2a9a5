/** `--against URL`: the same programs go to a second server, and where the answers differ is observed. */
import type { Against } from '../../specs/meta/results.ts'
import { compareRuns } from '../against/compare-runs.ts'
import { UsageError } from '../base/usage.ts'
import { isRunnable } from '../checks/check.ts'
import type { CheckDefinition } from '../checks/vocabulary.ts'
import type { Contract } from '../contract/contract.ts'
import type { CheckRun } from '../running/check-run.ts'
import { closeRun, openRun } from '../running/open-run.ts'
import { removeShared, runChecks } from '../running/run.ts'
import type { RunContext } from '../sending/context.ts'
import { tokenInFile, usableToken } from '../target/given-tokens.ts'
import type { RunConfig } from '../target/run-configuration.ts'
import { type AgainstOptions, VARIABLE } from './against-flags.ts'
import type { CertifyOptions } from './certify-flags.ts'
import { configFrom, requireKnownNames } from './configuration.ts'

/** A second server, ready to be asked. */
export interface Other {
  config: RunConfig
  token: string
}

/** The token of one server is never shown to another: it has to be given. */
const tokenOf = ({ againstTokenFile }: AgainstOptions): string => {
  if (againstTokenFile !== undefined) return tokenInFile(againstTokenFile, '--against-token-file')
  const found = process.env[VARIABLE]
  if (found === undefined) throw new UsageError(`--against needs a token of that server: set ${VARIABLE}, or give --against-token-file`)
  return usableToken(found, VARIABLE)
}

/** Flags that are about the first server alone: what shows it who calls is not shown to another. */
const OF_FIRST = ['config', 'deviations', 'header', 'headerEnv', 'clientCert', 'clientKey', 'token', 'tokenFile', 'tokenCommand']
const PREFIX = 'against'

/** The options for the second server: those of the first that both share, and under them what `--against-` says of its own. */
export const optionsForOther = (options: CertifyOptions): CertifyOptions => {
  const given = Object.entries(options)
  const shared = given.filter(([name]) => !OF_FIRST.includes(name) && !name.startsWith(PREFIX))
  const own = given.flatMap(([name, value]) =>
    name.startsWith(PREFIX) && name !== PREFIX ? [[name.charAt(PREFIX.length).toLowerCase() + name.slice(PREFIX.length + 1), value]] : [],
  )
  return Object.fromEntries([...shared, ...own])
}

/**
 * What the flags say of the second server; undefined where they name none.
 *
 * @throws UsageError for a URL, token or dialect that cannot be used.
 */
export const otherFrom = async (contract: Contract, options: CertifyOptions): Promise<Other | undefined> => {
  if (options.against === undefined) {
    if (Object.keys(options).some((name) => name.startsWith(PREFIX)))
      throw new UsageError('flags that begin with --against- need --against URL')
    return undefined
  }
  const token = tokenOf(options)
  const config = await configFrom(options.against, optionsForOther(options))
  requireKnownNames(contract, config)
  return { config, token }
}

/** Sends what was sent to the target of a run to the second server, and compares the answers. */
export const runAgainst = async (here: RunContext, runs: readonly CheckRun[], other: Other): Promise<Against> => {
  const { context } = await openRun(here.contract, other.config, {
    secrets: here.secrets,
    seed: here.seed,
    effort: here.effort,
    token: other.token,
    trace: true,
    plain: true,
    signal: here.signal,
  })
  const engines = [...context.targets.values()].flatMap((target) => target.engines)
  const all = runs.map(({ check }) => check).filter(isRunnable)
  const isSent = (check: CheckDefinition): boolean =>
    engines.includes(check.engine) &&
    context.targets.has(here.contract.engines.get(check.engine)!.api) &&
    (check.needs.backends ?? []).length === 0 &&
    // Which of several requests at once comes first is chance, on one server as on two.
    check.kind !== 'race'
  const sent = all.filter(isSent)
  try {
    const theirs = await runChecks(context, sent)
    return compareRuns({ context: here, runs }, { context, runs: theirs }, all.length - sent.length)
  } finally {
    await removeShared(context)
    await closeRun(context)
  }
}
