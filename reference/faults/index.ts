/** All faults of the reference server. */
import type { Fault } from '../core/mutation.ts'
import { coreFaults } from './core/index.ts'
import { kvFaults } from './kv/index.ts'

export const allFaults: Fault[] = [...coreFaults, ...kvFaults]
