/** An operation that a target does not have: the clause that states it is violated by the checks that are about it, and only blocked elsewhere. */

import { Refused } from '../base/errors.ts'
import { DRAWN } from '../checks/check.ts'
import type { CheckDefinition } from '../checks/vocabulary.ts'
import type { Contract } from '../contract/contract.ts'

const NO_SUCH_METHOD = [405, 501]

/**
 * The clause of a check that states the operation which its set-up asked for in vain, or undefined. 404 for something with a name may mean that this
 * was never stored, and programs that are drawn may have removed it, so that neither says anything of the operation.
 */
export const clauseNotServed = (
  { operations }: Pick<Contract, 'operations'>,
  { clauses, kind }: Pick<CheckDefinition, 'clauses' | 'kind'>,
  error: unknown,
): string | undefined => {
  if (!(error instanceof Refused) || DRAWN.includes(kind)) return undefined
  const operation = operations.get(error.operation)
  const missing =
    NO_SUCH_METHOD.includes(error.status) || (error.status === 404 && operation?.method === 'POST' && operation.parameters.length === 0)
  return missing && operation?.clause !== undefined && clauses.includes(operation.clause) ? operation.clause : undefined
}
