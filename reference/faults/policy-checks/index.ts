/** All faults of the policy checks. */
import type { Fault } from '../../core/mutation.ts'
import { accessFaults } from './access.ts'
import { fieldsFaults } from './fields.ts'
import { listsFaults } from './lists.ts'
import { overrideFaults } from './override.ts'
import { pageFaults } from './pages.ts'
import { showsFaults } from './shows.ts'

export const policyCheckFaults: Fault[] = [
  ...accessFaults,
  ...fieldsFaults,
  ...showsFaults,
  ...listsFaults,
  ...pageFaults,
  ...overrideFaults,
]
