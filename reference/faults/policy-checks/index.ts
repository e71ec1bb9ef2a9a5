/** All faults of the policy checks. */
import type { Fault } from '../../core/mutation.ts'
import { overrideFaults } from './override.ts'
import { pageFaults } from './pages.ts'
import { readFaults } from './reads.ts'

export const policyCheckFaults: Fault[] = [...readFaults, ...pageFaults, ...overrideFaults]
