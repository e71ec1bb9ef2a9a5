/** What the plain faults share: telling this engine's requests from others, and what is known of all mounts of a server. */
import type { RequestFacts } from '../../core/rules.ts'
import type { Asked } from '../../mutations/callers.ts'
import { remembered } from '../../mutations/remembering.ts'
import { isProvisioning } from '../../mutations/request-kinds.ts'
import type { Handler } from './overlays.ts'
import type { PkiState } from './state.ts'

/** Whether a request that is not routed yet is for a path of this engine; the pattern must fit no other engine. */
export const isFor = (request: Pick<RequestFacts, 'path'>, pattern: RegExp): boolean =>
  !isProvisioning(request) && pattern.test(request.path)

/** Whether a routed request is for a path of a PKI mount; the pattern sees the path below the mount. */
export const asksPki = (call: Asked, pattern: RegExp): boolean => {
  if (call === undefined || typeof call.state !== 'object' || call.state === null || !('crlConfig' in call.state)) return false
  return pattern.test(call.path.slice(call.mount.path.length))
}

/** The states of all mounts of a server, as far as a fault has seen them. */
export const knownMounts = () => {
  const known = remembered(() => new Set<PkiState>())
  const noted =
    (original: Handler): Handler =>
    (call) => {
      known(call.services).add(call.state)
      return original(call)
    }
  return { known, noted }
}
