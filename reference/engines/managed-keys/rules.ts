/** Every decision of the managed keys, small and named, so that a fault or a variant can replace one of them. */
import { cloudRules } from './clouds.rules.ts'
import { keyRules } from './keys.rules.ts'
import { signRules } from './sign.rules.ts'

export const managedKeyRules = { ...keyRules, ...signRules, ...cloudRules }

export type ManagedKeyRules = typeof managedKeyRules
