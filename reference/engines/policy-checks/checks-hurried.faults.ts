/** Faults of policy checks as haste makes them. */
import { faultsOf } from '../../mutations/declare.ts'
import { policyChecks } from './engine.ts'

const { rule } = faultsOf(policyChecks)

rule('guess-size-alone-unpaged', ['POLICY-CHECKS-INCLUDE-12'], 'a page size without a page number does not page the list', {
  paged: () => (query) => query.has('page[number]'),
})
