/** What the faults of these files share. */
import { Refusal } from '../../run-management/documents.ts'
import type { PartCall, PartRoute } from '../../run-management/part.ts'
import type { PolicyCheck, World } from '../../run-management/world.ts'
import type { PolicyCheckRules } from './checks.rules.ts'

export type ChecksCall = PartCall<PolicyCheckRules>
export type Handle = PartRoute<PolicyCheckRules>['handle']

export const LIST = 'policyChecks.list'
export const SHOW = 'policyChecks.show'
export const OVERRIDE = 'policyChecks.override'
export const OUTPUT = 'policyChecks.showOutput'

/** The same request, decided otherwise. */
export const deciding = (call: ChecksCall, rules: Partial<PolicyCheckRules>): ChecksCall => ({
  ...call,
  rules: { ...call.rules, ...rules },
})

export const idIn = (call: ChecksCall): string => call.params.id ?? ''

export const runIn = (call: ChecksCall): string => call.params.run_id ?? ''

/** The check that a request is about. */
export const checkIn = (call: ChecksCall): PolicyCheck | undefined => call.world.checks.get(idIn(call))

/** The same request about another check. */
export const about = (call: ChecksCall, id: string): ChecksCall => ({ ...call, params: { ...call.params, id } })

/** Who asks, as a text. */
export const askerOf = ({ caller }: ChecksCall): string => (caller.kind === 'user' ? caller.user.id : caller.token.id)

/** The checks of a run, oldest first. */
export const inRun = (world: World, run: string): PolicyCheck[] => [...world.checks.values()].filter(({ runId }) => runId === run)

/** Takes a status out of those that a check reached. */
export const forget = (check: PolicyCheck, key: string): void => {
  check.timestamps = Object.fromEntries(Object.entries(check.timestamps).filter(([known]) => known !== key))
}

export const unauthenticated = (): Refusal => new Refusal(401, 'a valid bearer token is needed')
