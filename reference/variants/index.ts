/** All variants of the reference server. */
import type { Variant } from '../core/mutation.ts'
import { coreVariants } from './core.ts'
import { kvVariants } from './kv.ts'

export const allVariants: Variant[] = [...coreVariants, ...kvVariants]
