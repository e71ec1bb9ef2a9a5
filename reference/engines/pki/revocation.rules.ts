import type { PkiState } from './state.ts'

export const revocationRules = {
  /** The stored spelling of a serial number as callers write it. */
  serialKey: (text: string): string => text.trim().toLowerCase().replaceAll('-', ':'),
  /** Time of a revocation, in seconds since the epoch; a second one changes nothing. */
  revocationTime: (earlier: number | undefined, now: number): number => earlier ?? Math.floor(now),
  /** What follows a revocation: a new CRL. */
  afterRevocation: (publish: () => void): void => publish(),
  listedSerials: (state: PkiState): string[] => [...state.certificates.keys()],
  revokedSerials: (state: PkiState): string[] => state.revoked,
}
