/** What the faults of policy checks share. */
import { document, Refusal } from '../../run-management/documents.ts'
import type { PartCall, PartRoute } from '../../run-management/part.ts'
import type { Caller, PolicyCheck, World } from '../../run-management/world.ts'
import { type PolicyCheckRules, resourceOf } from './checks.rules.ts'

export type Call = PartCall<PolicyCheckRules>
type Handle = PartRoute<PolicyCheckRules>['handle']
type Wrap = (original: Handle) => Handle

/** The checks of a run, in the order of their making. */
export const ofRun = (world: World, run: string): PolicyCheck[] => [...world.checks.values()].filter(({ runId }) => runId === run)

/** The check that a request names; undefined where there is none. */
export const namedCheck = ({ world, params }: Call): PolicyCheck | undefined => world.checks.get(params.id ?? '')

export const userOf = (caller: Caller): string => (caller.kind === 'user' ? caller.user.id : caller.token.id)

/** An override's answer about a check, whichever it is. */
export const answerAbout = ({ rules, caller }: Call, check: PolicyCheck) =>
  document(rules.overrideStatus(), { data: rules.overrideAnswer(resourceOf(rules, check, caller)) })

/** The operation under some other rules. */
export const underRules =
  (change: (rules: PolicyCheckRules, call: Call) => Partial<PolicyCheckRules>): Wrap =>
  (original) =>
  (call) =>
    original({ ...call, rules: { ...call.rules, ...change(call.rules, call) } })

/** Another end of an override that is refused for want of permission: `after` answers, or throws. */
export const afterDenial =
  (after: (call: Call, check: PolicyCheck, refused: Refusal) => ReturnType<Handle>): Wrap =>
  (original) =>
  async (call) => {
    try {
      return await original(call)
    } catch (cause) {
      const check = namedCheck(call)
      if (!(cause instanceof Refusal) || cause.status !== 403 || !check) throw cause
      return after(call, check, cause)
    }
  }
