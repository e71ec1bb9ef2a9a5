/** What the faults of policy checks share: finding checks and their siblings, callers with more rights, and refusals. */
import type { JsonObject } from '../../core/json.ts'
import { Refusal } from '../../run-management/documents.ts'
import type { PartCall } from '../../run-management/part.ts'
import type { Caller, PolicyCheck, World } from '../../run-management/world.ts'
import { type PolicyCheckRules, resourceOf } from './checks.rules.ts'

type Call = PartCall<PolicyCheckRules>

/** The check that a request names, if there is one. */
export const askedCheck = ({ world, params }: Call): PolicyCheck | undefined => world.checks.get(params.id ?? '')

export const checksOfRun = (world: World, run: string): PolicyCheck[] => [...world.checks.values()].filter(({ runId }) => runId === run)

/** The other checks of a check's run. */
export const siblings = (world: World, check: PolicyCheck): PolicyCheck[] =>
  checksOfRun(world, check.runId).filter(({ id }) => id !== check.id)

/** A check as the override answers it. */
export const overrideView = (call: Call, check: PolicyCheck): JsonObject =>
  call.rules.overrideAnswer(resourceOf(call.rules, check, call.caller))

/** The request as if its caller, a user, might read and override. */
export const asAllowed = (call: Call): Call => {
  const { caller } = call
  if (caller.kind !== 'user') return call
  const rights = { ...caller.user.rights, readRuns: true, overrideChecks: true }
  return { ...call, caller: { kind: 'user', user: { ...caller.user, rights } } }
}

export const mayReadRuns = (caller: Caller): boolean => caller.kind === 'user' && caller.user.rights.readRuns

export const callerId = (caller: Caller): string => (caller.kind === 'user' ? caller.user.id : caller.token.id)

/** Whether something thrown is a refusal for want of permission. */
export const isForbidden = (cause: unknown): boolean => cause instanceof Refusal && cause.status === 403
