/** All faults of the SSH engine. */
import type { Fault } from '../../core/mutation.ts'
import { answerFaults } from './answers.ts'
import { givenFaults } from './authority.ts'
import { shownFaults } from './authority-shown.ts'
import { certificateFaults } from './certificates.ts'
import { credentialFaults } from './credentials.ts'
import { hostFaults } from './hosts.ts'
import { lifetimeFaults } from './lifetimes.ts'
import { networkFaults } from './networks.ts'
import { optionFaults } from './options.ts'
import { principalFaults } from './principals.ts'
import { roleFaults } from './roles.ts'
import { typeFaults } from './types.ts'
import { valueFaults } from './values.ts'

export const sshFaults: Fault[] = [
  ...roleFaults,
  ...valueFaults,
  ...typeFaults,
  ...networkFaults,
  ...credentialFaults,
  ...givenFaults,
  ...shownFaults,
  ...certificateFaults,
  ...lifetimeFaults,
  ...principalFaults,
  ...optionFaults,
  ...answerFaults,
  ...hostFaults,
]
