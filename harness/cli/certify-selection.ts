/** What a user selects of a certification, looked at before anything is started. */

import { UsageError } from '../base/usage.ts'
import { DRAWN } from '../checks/check.ts'
import type { Contract } from '../contract/contract.ts'
import { catalogue } from '../planning/catalogue.ts'
import { makePlan, type Plan, type Selection } from '../planning/plan.ts'
import { type Profile, readProfile } from '../planning/profiles.ts'
import { type CertifyOptions, selectionFrom } from './certify-flags.ts'

/** Names that a user typed, checked before anything is started. */
export const checkSelection = async (contract: Contract, selection: Selection): Promise<void> => {
  const engines = [...contract.engines.keys()]
  const named = selection.clauses !== undefined || selection.checks !== undefined
  makePlan(contract, named ? await catalogue(contract, engines, selection.engines) : [], engines, selection)
}

/** A path leads to a case of one generated check, and to nothing in any other. */
export const requireReplayable = (plan: Plan): void => {
  if (plan.checks.length !== 1 || !DRAWN.includes(plan.checks[0]!.kind))
    throw new UsageError('--replay repeats a case of one generated check: name that with --check, as the failure printed it')
}

/** What the flags select, by what checks took before. */
export const selectedBy = (options: CertifyOptions, durations: ReadonlyMap<string, number>): Selection => ({
  ...selectionFrom(options),
  durations,
  effort: options.effort,
})

/** Options as a profile completes them: its engines, and the levels that have to hold. */
export const forProfile = (given: CertifyOptions, contract: Contract): { options: CertifyOptions; profile: Profile | undefined } => {
  if (given.profile === undefined) return { options: given, profile: undefined }
  if (given.engine !== undefined) throw new UsageError('--profile says which engines are tested: leave out --engine, or --profile')
  const profile = readProfile(given.profile, contract)
  const failOn = profile.levels.includes('advised') ? (['advised'] as const) : []
  return { options: { ...given, engine: profile.engines, failOn: [...new Set([...(given.failOn ?? []), ...failOn])] }, profile }
}

/** What ends a run before its time leaves out a part of it. @throws UsageError where the run is only a part already. */
export const requireWholeRun = ({ within, maxFailures, shard, replay }: CertifyOptions): void => {
  if (shard === undefined && replay === undefined) return
  const flag = within !== undefined ? '--within' : maxFailures !== undefined ? '--max-failures' : undefined
  if (flag !== undefined) throw new UsageError(`${flag} leaves out a part of a whole run: leave out --shard and --replay`)
}
