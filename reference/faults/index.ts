/** All faults of the reference server. */
import type { Fault } from '../core/mutation.ts'
import { agentTokenFaults } from './agent-tokens/index.ts'
import { brokerFaults } from './broker/index.ts'
import { coreFaults } from './core/index.ts'
import { databaseFaults } from './database/index.ts'
import { kvFaults } from './kv/index.ts'
import { pkiFaults } from './pki/index.ts'
import { policyCheckFaults } from './policy-checks/index.ts'
import { sshFaults } from './ssh/index.ts'

export const allFaults: Fault[] = [
  ...coreFaults,
  ...kvFaults,
  ...pkiFaults,
  ...policyCheckFaults,
  ...agentTokenFaults,
  ...databaseFaults,
  ...brokerFaults,
  ...sshFaults,
]
