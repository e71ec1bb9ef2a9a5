/** All faults of the reference server. */
import type { Fault } from '../core/mutation.ts'

export const allFaults: Fault[] = []
