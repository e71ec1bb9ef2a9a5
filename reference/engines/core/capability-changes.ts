/** Changes of what capabilities a policy grants, for faults and variants. */
import type { CoreRules } from '../../core/rules.ts'

type Granted = CoreRules['capabilityGranted']

/** Also grants `needed` where `also` says so. */
export const widened =
  (needed: string, also: (granted: Set<string>) => boolean) =>
  (original: Granted): Granted =>
  (granted, asked, call) =>
    original(granted, asked, call) || (asked === needed && also(granted))

/** Grants `needed` only where `only` says so. */
export const narrowed =
  (needed: string, only: (granted: Set<string>) => boolean) =>
  (original: Granted): Granted =>
  (granted, asked, call) =>
    original(granted, asked, call) && (asked !== needed || only(granted))
