/** All faults of the agent tokens. */
import type { Fault } from '../../core/mutation.ts'
import { accessFaults } from './access.ts'
import { createFaults } from './create.ts'
import { destroyFaults } from './destroy.ts'
import { pagesFaults } from './pages.ts'
import { secretsFaults } from './secrets.ts'

export const agentTokenFaults: Fault[] = [...accessFaults, ...secretsFaults, ...createFaults, ...pagesFaults, ...destroyFaults]
