/** What the faults of this label share. */
import type { PartCall } from '../../run-management/part.ts'
import type { PolicyCheck } from '../../run-management/world.ts'
import type { PolicyCheckRules } from './checks.rules.ts'

type Call = PartCall<PolicyCheckRules>

/** The caller's id. */
export const whoAsks = ({ caller }: Call): string => (caller.kind === 'user' ? caller.user.id : caller.token.id)

/** The check that a path names. */
export const namedCheck = ({ params, world }: Call): PolicyCheck | undefined => world.checks.get(params.id ?? '')

/** The call as if its caller were permitted to override. */
export const asPermitted = (call: Call): Call => {
  const { caller } = call
  if (caller.kind !== 'user') return call
  return { ...call, caller: { kind: 'user', user: { ...caller.user, rights: { ...caller.user.rights, overrideChecks: true } } } }
}
