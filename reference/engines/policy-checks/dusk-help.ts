/** What the faults labelled dusk share. */
import type { JsonObject } from '../../core/json.ts'
import type { PartCall } from '../../run-management/part.ts'
import type { PolicyCheck, World } from '../../run-management/world.ts'
import type { PolicyCheckRules } from './checks.rules.ts'

type Call = PartCall<PolicyCheckRules>
type Override = PolicyCheckRules['override']

/** The checks of a check's run, in their order. */
export const ofSameRun = (world: World, { runId }: PolicyCheck): PolicyCheck[] =>
  [...world.checks.values()].filter((other) => other.runId === runId)

/** Does more once an override has succeeded. */
export const afterOverride =
  (effect: (check: PolicyCheck, now: number, world: World) => void) =>
  (original: Override): Override =>
  async (check, now, overridable, world) => {
    const done = await original(check, now, overridable, world)
    if (done) effect(check, now, world)
    return done
  }

/** The request as it is handled by other rules. */
export const withRules = (call: Call, rules: Partial<PolicyCheckRules>): Call => ({ ...call, rules: { ...call.rules, ...rules } })

export const checkOf = ({ world, params }: Call): PolicyCheck | undefined => world.checks.get(params.id ?? '')

/** Values of an object, changed one by one. */
export const mapped = (object: JsonObject, change: (value: JsonObject[string]) => JsonObject[string]): JsonObject =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]))
