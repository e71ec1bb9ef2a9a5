/** What the faults of this label share. */
import type { Services } from '../../core/engine.ts'
import type { Asked } from '../../mutations/callers.ts'
import { remembered } from '../../mutations/remembering.ts'
import type { Handler } from './overlays.ts'
import type { PkiCall } from './requests.ts'
import type { PkiState } from './state.ts'

/** Operations that make certificates by a role. */
export const BY_ROLE = ['pki.issue', 'pki.sign'] as const

export const nameOf = (call: PkiCall): string => call.params.name ?? ''

/** The stored spelling of the serial number that a revocation names. */
export const revokedSerial = (call: PkiCall): string => call.rules.serialKey(String(call.body.serial_number ?? ''))

/** Remembers the mounts of a server whose handler ran. */
export const mountsSeen = () => {
  const states = remembered(() => new Set<PkiState>())
  const noted =
    (original: Handler): Handler =>
    (call) => {
      states(call.services).add(call.state)
      return original(call)
    }
  return { statesOf: (services: Services): PkiState[] => [...states(services)], noted }
}

/** Whether a request goes to a PKI mount, to a path below it that begins so. */
export const asksPki =
  (begin: string) =>
  (call: Asked): boolean =>
    call !== undefined && 'bundlesIssuer' in call.rules && call.path.slice(call.mount.path.length).startsWith(begin)
