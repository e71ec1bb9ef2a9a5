/** All that suites may import. */
export { check, sample } from './check.ts'
export { Blocked, LostAnswer } from './errors.ts'
export { AssertionFailure, type Expect } from './expect.ts'
export { type OperationFacts, type SweepContext, sweep } from './sweep.ts'
export type {
  Answer,
  BackendHandle,
  Bench,
  CallInput,
  Caller,
  Capability,
  CheckContext,
  CheckOptions,
  Grant,
  Identity,
  Json,
  JsonObject,
  Needs,
  Random,
  Sample,
} from './types.ts'
