/** What the faults of several classes use. */
import type { Call } from '../../core/engine.ts'
import type { CoreRules } from '../../core/rules.ts'
import type { Asked } from '../../mutations/callers.ts'
import { isProvisioning } from '../../mutations/request-kinds.ts'
import type { SshRules } from './rules.ts'
import type { Role, SshState } from './state.ts'

export type SshCall = Call<SshState, SshRules>

export const nameOf = (call: SshCall): string => call.params.name ?? ''

export const roleOfCall = (call: SshCall): Role | undefined => call.state.roles.get(nameOf(call))

/** Whether a request, as the core's rules see it, goes to an SSH mount. */
export const isSshCall = (call: Asked): call is Exclude<Asked, undefined> => call !== undefined && 'signsFor' in call.rules

const SSH_PATH = /(^|\/)((keys|roles|creds|sign)\/[^/]+|roles|lookup|verify|public_key|config\/(ca|zeroaddress))\/?$/

/** Whether a path looks like one of this engine, before the mount is known. */
export const isSshPath = ({ path }: { path: string }): boolean => SSH_PATH.test(path) && !isProvisioning({ path })

/**
 * The operation of a request, for rules that are not told: the core asks `needsToken` first, and nothing waits until the body is parsed.
 * Put `needsToken` among the overrides.
 */
export const operationSeen = () => {
  let latest = ''
  return {
    needsToken:
      (original: CoreRules['needsToken']): CoreRules['needsToken'] =>
      (route) => {
        latest = route?.id ?? ''
        return original(route)
      },
    isOneOf: (...ids: string[]): boolean => ids.includes(latest),
    isSsh: (): boolean => latest.startsWith('ssh.'),
  }
}
