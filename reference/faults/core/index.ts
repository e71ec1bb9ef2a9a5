/** All faults of the core. */
import type { Fault } from '../../core/mutation.ts'
import { answerFaults } from './answers.ts'
import { bodyFaults } from './bodies.ts'
import { capabilityFaults } from './capabilities.ts'
import { namespaceFaults } from './namespaces.ts'
import { routeFaults } from './routes.ts'
import { statusFaults } from './statuses.ts'
import { tokenFaults } from './tokens.ts'

export const coreFaults: Fault[] = [
  ...routeFaults,
  ...tokenFaults,
  ...capabilityFaults,
  ...bodyFaults,
  ...namespaceFaults,
  ...answerFaults,
  ...statusFaults,
]
