/** All faults of the database engine. */
import type { Fault } from '../../core/mutation.ts'
import { connectionFaults } from './connections.ts'
import { credentialFaults } from './credentials.ts'
import { raceFaults } from './races.ts'
import { roleFaults } from './roles.ts'
import { rootFaults } from './root.ts'
import { staticRoleFaults } from './static-roles.ts'

export const databaseFaults: Fault[] = [
  ...connectionFaults,
  ...rootFaults,
  ...roleFaults,
  ...credentialFaults,
  ...staticRoleFaults,
  ...raceFaults,
]
