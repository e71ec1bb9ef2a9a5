/** All variants of the reference server. */
import type { Variant } from '../core/mutation.ts'

export const allVariants: Variant[] = []
