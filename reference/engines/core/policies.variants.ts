/** Legal alternatives of access policies: which capabilities there are beyond those that are named. */

import { coreEngine } from '../../core/core-engine.ts'
import { variantsOf } from '../../faults/declare.ts'
import { widened } from './capability-changes.ts'

const { rule, declared } = variantsOf(coreEngine)

rule('read-lists', 'advised: whether reading covers listing', 'who may read may also list', {
  part: 'list',
  capabilityGranted: widened('list', (granted) => granted.has('read')),
})
rule('update-deletes', 'advised: whether updating covers deletion', 'who may update may also delete', {
  part: 'delete',
  capabilityGranted: widened('delete', (granted) => granted.has('update')),
})

rule('update-reads', 'advised: whether a right to update a path covers reading it', 'who may update may also read', {
  part: 'read',
  capabilityGranted: widened('read', (granted) => granted.has('update')),
})
rule('policies-add-up', 'advised: that a policy can deny', 'what any policy grants is granted, and none denies', {
  combined: () => (fitting) => new Set(fitting.flatMap(({ capabilities }) => [...capabilities]).filter((one) => one !== 'deny')),
})
rule(
  'sudo-opens-all',
  'advised: that the elevated capability alone opens nothing',
  'who has the elevated capability may do everything there',
  {
    part: 'sudo',
    capabilityGranted: (original) => (granted, needed, call) => original(granted, needed, call) || original(granted, 'sudo', call),
  },
)
rule('help-needs-read', 'advised: which permission help needs', 'help of a path is for those who may read there', {
  helpAllowed: (original) => (granted) => original(granted) && granted.has('read'),
})

export const variants = declared
