/** All variants of the reference server. */
import type { Variant } from '../core/mutation.ts'
import { agentTokenVariants } from './agent-tokens.ts'
import { coreVariants } from './core.ts'
import { kvVariants } from './kv.ts'
import { policyCheckVariants } from './policy-checks.ts'

export const allVariants: Variant[] = [...coreVariants, ...kvVariants, ...policyCheckVariants, ...agentTokenVariants]
