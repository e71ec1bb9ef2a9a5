/** Where the operators apply in the conventions of all requests: the checks of these use key-value mounts. */
import { coreEngine } from '../../core/core-engine.ts'
import { applied } from '../../faults/apply.ts'

const NEEDED = 'the operation needs it'

export const faults = applied(coreEngine, {
  access: {
    'v1/read': {
      clauses: ['CORE-CAP-01'],
      by: { 'update-is-enough': 'CORE-CAP-05', 'list-is-enough': 'CORE-CAP-20' },
      not: { 'read-is-enough': NEEDED },
      operations: ['kv1.read'],
    },
    'v1/write': { clauses: ['CORE-CAP-04'], not: { 'update-is-enough': 'stands in policies.faults.ts' }, operations: ['kv1.write'] },
    'v1/list': {
      clauses: ['CORE-CAP-17'],
      by: { 'read-is-enough': 'CORE-CAP-12', 'update-is-enough': 'CORE-CAP-12' },
      not: { 'list-is-enough': NEEDED },
      operations: ['kv1.list'],
    },
    'v1/deletion': {
      clauses: ['CORE-CAP-18'],
      by: { 'read-is-enough': 'CORE-CAP-21', 'list-is-enough': 'CORE-CAP-21', 'update-is-enough': 'CORE-CAP-13' },
      operations: ['kv1.delete'],
    },
  },
})
