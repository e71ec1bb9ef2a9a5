/** Faults in who may ask, from where, and how. */

import { coreEngine } from '../../core/core-engine.ts'
import { ApiError } from '../../core/errors.ts'
import { faultsOf } from '../../faults/declare.ts'

const core = faultsOf(coreEngine, 'cloudc')

core.rule('rolesets-listed-by-verb-only', 'CORE-LIST-02', 'rolesets are listed with the verb LIST only', {
  check: (original) => (call, route) => {
    if (route.id === 'cloudc.listRolesets' && call.query.has('list')) throw new ApiError(405, 'unsupported operation')
    original(call, route)
  },
})

export const faults = core.declared
