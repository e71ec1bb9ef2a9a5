/** What generated checks tell the runner besides passing or failing, and what the runner tells them. */
export interface Notes {
  /** Set by a generated check that failed: the shrunk case as a short transcript. */
  counterexample?: string
  /** Whether the shrunk case failed in every re-run. */
  stability?: 'deterministic' | 'unstable'
  /** fast-check path of the failure, printed in the rerun command. */
  path?: string
  /** How many exchanges the check had made when it began its last run of the shrunk case. */
  caseFrom?: number
  /** fast-check path given by `--replay`: run that case alone. */
  readonly replay?: string
  /** A failing case is neither shrunk nor run again: nobody looks at it. */
  readonly verdictOnly?: boolean
  /** Aborts when the check's deadline or the run ends. */
  readonly signal: AbortSignal
  /** How many exchanges the check has made. */
  exchanges(): number
  /** Milliseconds that it has waited for its turn, which count against no limit of its own. */
  waited?(): number
}
