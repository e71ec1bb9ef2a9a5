/** A file that is not results of a run. The message is for a person and complete: print it without a stack. */
export class ResultsError extends Error {
  override name = 'ResultsError'
}
