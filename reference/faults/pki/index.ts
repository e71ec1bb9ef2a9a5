/** All faults of the certificate authority. */
import type { Fault } from '../../core/mutation.ts'
import { answerFaults } from './answers.ts'
import { authorityFaults } from './authority.ts'
import { bodyFaults } from './bodies.ts'
import { contentFaults } from './contents.ts'
import { defaultFaults } from './defaults.ts'
import { nameFaults } from './names.ts'
import { signingFaults } from './signing.ts'

export const pkiFaults: Fault[] = [
  ...defaultFaults,
  ...nameFaults,
  ...contentFaults,
  ...signingFaults,
  ...bodyFaults,
  ...answerFaults,
  ...authorityFaults,
]
