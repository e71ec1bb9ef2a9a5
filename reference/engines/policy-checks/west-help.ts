/** Words that the faults of policy checks share. */
import { remembered } from '../../mutations/remembering.ts'
import type { PartCall, PartRoute } from '../../run-management/part.ts'
import type { Caller, PolicyCheck, World } from '../../run-management/world.ts'
import type { PolicyCheckRules } from './checks.rules.ts'

type Call = PartCall<PolicyCheckRules>
type Handle = PartRoute<PolicyCheckRules>['handle']

export const callerId = ({ caller }: { caller: Caller }): string => (caller.kind === 'user' ? caller.user.id : caller.token.id)

export const siblingsOf = (world: World, check: PolicyCheck): PolicyCheck[] =>
  [...world.checks.values()].filter((other) => other !== check && other.runId === check.runId)

export const askedCheck = ({ world, params }: Call): PolicyCheck | undefined => world.checks.get(params.id ?? '')

/** Other rules for the operation that is wrapped, which may look at its request. */
export const withRules =
  (change: (rules: PolicyCheckRules, call: Call) => Partial<PolicyCheckRules>) =>
  (original: Handle): Handle =>
  (call) =>
    original({ ...call, rules: { ...call.rules, ...change(call.rules, call) } })

/** A map for each server's world. */
export const mapOfWorld = <T>(): ((world: World) => Map<string, T>) => remembered(() => new Map<string, T>())

/** Puts a check back to where it was before its override. */
export const takeBack = (check: PolicyCheck): void => {
  check.status = 'soft_failed'
  delete check.timestamps['overridden-at']
}
