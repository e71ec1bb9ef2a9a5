/** Legal alternatives of access policies: which capabilities there are beyond those that are named. */

import { coreEngine } from '../../core/core-engine.ts'
import { variantsOf } from '../../faults/declare.ts'
import { widened } from './capability-changes.ts'

const { rule, declared } = variantsOf(coreEngine)

rule('read-lists', 'advised: whether reading covers listing', 'who may read may also list', {
  capabilityGranted: widened('list', (granted) => granted.has('read')),
})
rule('update-deletes', 'advised: whether updating covers deletion', 'who may update may also delete', {
  capabilityGranted: widened('delete', (granted) => granted.has('update')),
})

export const variants = declared
