/** All faults of the agent tokens. */
import type { Fault } from '../../core/mutation.ts'
import { accessFaults } from './access.ts'
import { bodiesFaults } from './bodies.ts'
import { createFaults } from './create.ts'
import { destroyFaults } from './destroy.ts'
import { fieldsFaults } from './fields.ts'
import { linksFaults } from './links.ts'
import { listsFaults } from './lists.ts'
import { pagesFaults } from './pages.ts'
import { secretsFaults } from './secrets.ts'

export const agentTokenFaults: Fault[] = [
  ...accessFaults,
  ...secretsFaults,
  ...bodiesFaults,
  ...createFaults,
  ...fieldsFaults,
  ...listsFaults,
  ...pagesFaults,
  ...linksFaults,
  ...destroyFaults,
]
