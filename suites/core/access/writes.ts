import type { OperationFacts, Sample } from '../../../harness/checks/index.ts'

/** Whether an operation makes or replaces an object: what is read at the path where it is written, or counts as created there; other writes are actions. */
export const writesObject = (operation: OperationFacts, sample: Sample): boolean =>
  operation.engine !== 'core' &&
  operation.method === 'POST' &&
  (operation.capability === 'create-update' || (operation.capability === 'update' && operation.pathMethods.includes('GET'))) &&
  sample.state !== undefined
