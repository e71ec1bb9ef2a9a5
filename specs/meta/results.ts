/** Types of `results.json`. `npm run types` makes them from `results.schema.json`: change that. */

export type Verdict = 'conformant' | 'nonConformant' | 'incomplete' | 'partial' | 'notClaimed'
/**
 * What fails the gate on demand, beyond what always does.
 */
export type FailOn = 'advised' | 'unstable'
export type Level = 'required' | 'advised' | 'open'
export type ClauseOutcome =
  'verified' | 'violated' | 'warned' | 'observed' | 'blocked' | 'errored' | 'notExercised' | 'notClaimed' | 'excluded'
/**
 * What explains it: clauses that are reported as violated, and what the target lacks (`without`). Absent where nothing does.
 */
export type Causes = string[]
export type CheckOutcome = 'passed' | 'failed' | 'warned' | 'observed' | 'blocked' | 'errored' | 'notClaimed'

/**
 * What a certification run writes as results.json. Members that are not named here may be added later.
 */
export interface Results {
  /**
   * Version of the suite.
   */
  assay: string
  /**
   * What was certified.
   */
  target: {
    name: string
    /**
     * Items: One API of the target.
     */
    apis: {
      api: string
      url: string
      dialect: string
      /**
       * Features and operations that it lacks; absent where there is none.
       */
      without?: string[]
      /**
       * Those of them that it was seen to have; absent where there is none.
       */
      present?: string[]
    }[]
    /**
     * True when the engines were found by asking the server, not claimed by its owner.
     */
    probed: boolean
    notes: string[]
  }
  run: string
  seed: number
  effort: string
  startedAt: string
  finishedAt: string
  scope: RunScope
  verdict: Verdict
  gate: 'passed' | 'failed' | 'incomplete' | 'errored'
  /**
   * Why the gate did not pass, the worst first; empty where it did.
   */
  gateReasons: GateReason[]
  /**
   * What was asked to fail the gate, beyond what always does.
   */
  failOn: FailOn[]
  engines: EngineResult[]
  clauses: ClauseResult[]
  checks: CheckResult[]
  coverage: OperationCoverage[]
  backends: BackendRecord[]
  deviations: DeviationRecord[]
  /**
   * What earlier steps could not remove from the target.
   */
  leftovers: string[]
  /**
   * Where the suite ran.
   */
  environment: {
    node: string
    platform: string
    command: string
    /**
     * By how much the target's clock is ahead of ours; of several servers that of the clock which is furthest away.
     */
    clockSkewSeconds?: number
    /**
     * Product and version, as the server says them; where several servers say different things, each with its API.
     */
    server?: string
  }
  /**
   * Things counted by checks.
   */
  counts: {
    [k: string]: number
  }
  /**
   * Figures of the run.
   */
  stats: {
    requests: number
    durationMs: number
    peakMemoryMb: number
    requestsPerSecond: number
  }
  /**
   * Of one of several parts: what its answers say of the clauses that answers decide, for the whole to be decided from.
   */
  answers?: AnswerRecord[]
  profile?: ProfileRecord
  against?: Against
  kills?: KillRecord[]
  variants?: VariantRecord[]
}
/**
 * What the run was asked to decide, as far as its verdict depends on it.
 */
export interface RunScope {
  /**
   * Engines that the target claims.
   */
  claimed: string[]
  /**
   * Those of them that were selected.
   */
  engines: string[]
  /**
   * Clauses, checks or kinds were selected, checks were left out for want of time or after failures, or a case was replayed.
   */
  part: boolean
  /**
   * Checks were left out, for the run was to fit into a time or to end after failures; absent where none was.
   */
  sample?: {
    /**
     * The time into which the run had to fit.
     */
    seconds?: number
    /**
     * So many violated required clauses, known deviations aside, have ended the run.
     */
    failures?: number
    /**
     * Checks that ran.
     */
    checks: number
    /**
     * Checks that would have run.
     */
    of: number
  }
  /**
   * The run is one of several parts.
   */
  shard?: {
    index: number
    of: number
  }
}
/**
 * One reason why the gate did not pass.
 */
export interface GateReason {
  /**
   * What the gate is for this reason alone.
   */
  gate: 'failed' | 'errored' | 'incomplete'
  /**
   * violated, advised: the clause does not hold; unexpectedPass, expired: an entry of the known deviations that has to go; unexpectedFeature: named in `without`, and there; unstable: a check that failed once and passed when it was repeated; errored: a check failed by an internal error; undecided: a required clause, or an engine without one that was verified; notClaimed: asked for, and not to be tested; cutShort: the run did not come to its end; nothingDecided: no check of the selection decided anything.
   */
  kind:
    | 'violated'
    | 'unexpectedPass'
    | 'unexpectedFeature'
    | 'expired'
    | 'advised'
    | 'unstable'
    | 'errored'
    | 'undecided'
    | 'notClaimed'
    | 'cutShort'
    | 'nothingDecided'
  /**
   * Id of the clause, check or engine that it is about, or name of the feature.
   */
  subject?: string
  /**
   * One sentence for the reader, with the remedy where there is one.
   */
  message: string
}
/**
 * One engine's verdict.
 */
export interface EngineResult {
  id: string
  title: string
  verdict: Verdict
  clauses: ClauseCounts
  reason?: string
  /**
   * How to have what an unclaimed engine needs.
   */
  remedy?: string
}
/**
 * Clauses by outcome; the outcomes add up to the total.
 */
export interface ClauseCounts {
  verified: number
  violated: number
  warned: number
  observed: number
  blocked: number
  errored: number
  notExercised: number
  notClaimed: number
  excluded: number
  total: number
}
/**
 * One testable statement and what became of it.
 */
export interface ClauseResult {
  id: string
  engine: string
  level: Level
  text: string
  /**
   * Where the statement stands.
   */
  source: {
    /**
     * File of the document.
     */
    document: string
    /**
     * What a reader calls the document.
     */
    title: string
    section: string
  }
  reading?: string
  outcome: ClauseOutcome
  checks: string[]
  /**
   * Why an excluded clause has no check; why a blocked or unclaimed one was not decided.
   */
  reason?: string
  causedBy?: Causes
  /**
   * What it was verified without; absent where every check of it ran.
   */
  narrowedBy?: Narrowing[]
  observations?: string[]
  reproduction?: Reproduction
}
/**
 * Checks of a clause that could not run for one cause, while others verified it.
 */
export interface Narrowing {
  /**
   * A clause that is reported as violated, or what the target lacks.
   */
  cause: string
  checks: string[]
}
/**
 * The exchanges that violated a clause, as files beside the results, and what came of sending them again.
 */
export interface Reproduction {
  /**
   * Id of the check whose exchanges they are.
   */
  check: string
  /**
   * HAR file, relative to the results.
   */
  har?: string
  /**
   * Script for sh and curl, relative to the results.
   */
  script?: string
  /**
   * How often the same answers came.
   */
  again?: number
  /**
   * How often they were sent again.
   */
  of?: number
  /**
   * `3 of 3`, `1 of 3: unstable`, or why they were not sent again.
   */
  said: string
}
/**
 * One check that ran, or why it did not.
 */
export interface CheckResult {
  id: string
  title: string
  engine: string
  kind: string
  clauses: string[]
  outcome: CheckOutcome
  reason?: string
  /**
   * One line that says how to make a blocked check run.
   */
  remedy?: string
  stoppedBy?: Stop
  durationMs: number
  /**
   * How many exchanges the check made.
   */
  exchanges: number
  decisions: Decision[]
  /**
   * Its clauses without a decision; absent where there is none, or where the check did not run.
   */
  undecided?: Undecided[]
  /**
   * The exchanges that show a failure; empty for a check that passed.
   */
  evidence: ExchangeRecord[]
  /**
   * Command that runs this check alone with the same seed.
   */
  rerun: string
  /**
   * Shrunk counterexample of a generated check, as text.
   */
  counterexample?: string
  /**
   * Of a failed property: whether it failed again in all of its re-runs. Of a check that holds: unstable, it failed once amid noise and held when repeated.
   */
  stability?: 'deterministic' | 'unstable'
  /**
   * Set where a known deviation covers the failure.
   */
  deviation?: string
}
/**
 * What ended a check before it had decided all of its clauses.
 */
export interface Stop {
  /**
   * The feature that the target lacks.
   */
  lacks?: string
  /**
   * The clause that has to hold first.
   */
  restsOn?: string
  /**
   * The operation that a plain request of the check was refused by.
   */
  operation?: string
  status?: number
}
/**
 * What one check says of one clause.
 */
export interface Decision {
  clause: string
  outcome: 'verified' | 'violated' | 'observed'
  message?: string
  expected?: string
  seen?: string
  /**
   * Number of the exchange that decided.
   */
  exchange?: number
  /**
   * Numbers of other exchanges that the decision looked at.
   */
  beside?: number[]
  /**
   * The member of the answer that is not what its schema says, as a JSON pointer.
   */
  member?: string
  causedBy?: Causes
  /**
   * Why it is tolerated, where a known deviation covers it.
   */
  deviation?: string
}
/**
 * What a check that ran says about a clause that it made no decision on.
 */
export interface Undecided {
  clause: string
  vote: 'blocked' | 'undecided' | 'errored' | 'notExercised'
  causedBy?: Causes
  /**
   * Why it is tolerated, where a known deviation covers it.
   */
  deviation?: string
}
/**
 * One request and its answer as evidence: redacted, cut to a readable length, in the wire's spelling.
 */
export interface ExchangeRecord {
  number: number
  operation: string
  /**
   * Who called: root, none, wrong or the name of an identity.
   */
  caller: string
  /**
   * What was sent.
   */
  request: {
    method: string
    url: string
    headers: HttpHeaders
    body?: string
  }
  /**
   * What came back.
   */
  response?: {
    status: number
    headers: HttpHeaders
    body?: string
  }
  /**
   * Why the response is missing.
   */
  failure?: string
  durationMs: number
  /**
   * The request as a curl line, with $ASSAY_TOKEN for the token.
   */
  curl: string
}
export interface HttpHeaders {
  [k: string]: string
}
/**
 * How often one operation was called, and what it answered.
 */
export interface OperationCoverage {
  operation: string
  engine: string
  method: string
  path: string
  requests: number
  /**
   * Answers by status code.
   */
  statuses: {
    [k: string]: number
  }
}
/**
 * A real system behind the target, and how it was had.
 */
export interface BackendRecord {
  name: string
  provider: string
  version?: string
  reason?: string
  remedy?: string
}
/**
 * One entry of the known deviations.
 */
export interface DeviationRecord {
  clause: string
  /**
   * Id of a check, or a pattern with `*`; absent: any check of the clause.
   */
  check?: string
  /**
   * Text that the reason of the failure must contain.
   */
  signature?: string
  /**
   * What it is an entry of; default violated.
   */
  outcome?: 'violated' | 'blocked'
  /**
   * `sometimes`: it need not fail in every run; default always.
   */
  occurs?: 'always' | 'sometimes'
  reason: string
  owner: string
  link?: string
  /**
   * Last day on which the entry holds, `YYYY-MM-DD`.
   */
  expires?: string
  /**
   * Clauses that were split off from the one it names; the entry covers them too, until it names them itself.
   */
  splitInto?: string[]
  /**
   * matched: it failed as recorded; stale: it did not fail; other: it failed in another way; absent: it did not fail, which its entry allows; removed: it did not fail, and its entry was taken out of the file.
   */
  state: 'matched' | 'stale' | 'expired' | 'other' | 'unused' | 'absent' | 'removed'
}
/**
 * What the answers of one part of a run said of a clause that answers decide.
 */
export interface AnswerRecord {
  clause: string
  /**
   * How many answers could have violated it.
   */
  reached: number
  findings: AnswerFinding[]
}
/**
 * One way in which answers were not what their schemas say, or did not come.
 */
export interface AnswerFinding {
  message: string
  expected: string
  seen: string
  /**
   * Id of the check that came upon it first.
   */
  check: string
  /**
   * How many answers, or requests without one.
   */
  count: number
  /**
   * The operation, where it gave no answer.
   */
  unanswered?: string
  /**
   * The operation, where it refused every request that the contract allows.
   */
  unserved?: string
  /**
   * The member that is not what its schema says, as a JSON pointer.
   */
  member?: string
  exchange: ExchangeRecord
}
/**
 * The certification profile that the run was made for.
 */
export interface ProfileRecord {
  name: string
  title: string
  /**
   * SHA-256 of what it demands, in hexadecimal: two profiles of one name are told apart by it.
   */
  digest: string
  engines: string[]
  /**
   * Levels whose clauses have to hold.
   */
  levels: ('required' | 'advised')[]
  /**
   * Clauses that need not hold.
   */
  deviations: AllowedDeviation[]
  certified: Certified
}
/**
 * A clause that need not hold for a profile.
 */
export interface AllowedDeviation {
  clause: string
  reason: string
  link?: string
}
/**
 * Whether the run certifies the target for its profile. Known deviations of the target do not count, those of the profile do.
 */
export interface Certified {
  holds: boolean
  /**
   * Why not; empty where it holds.
   */
  reasons: string[]
}
/**
 * What a second server answered to the same programs. Nothing of it is judged.
 */
export interface Against {
  url: string
  /**
   * Checks whose requests went to both.
   */
  checks: number
  /**
   * Answers that were compared.
   */
  exchanges: number
  /**
   * Checks that asked the second server something else from some request on: what follows there is not compared.
   */
  parted: {
    check: string
    /**
     * What it asked here and there.
     */
    reason: string
  }[]
  /**
   * Checks that were not sent to the second server: of engines that it does not have, with backends, or races, whose order is chance.
   */
  leftOut: number
  differences: AgainstDifference[]
}
/**
 * One place at which answers differ.
 */
export interface AgainstDifference {
  /**
   * The clause that it touches; absent where the contract is silent.
   */
  clause?: string
  operation: string
  /**
   * JSON pointer into the body, with 0 for any place of a list; empty for the status.
   */
  place: string
  /**
   * Id of the check that came upon it first.
   */
  check: string
  here: string
  there: string
  count: number
}
/**
 * One seeded fault in a proof.
 */
export interface KillRecord {
  fault: string
  engine: string
  title: string
  clauses: string[]
  state: 'killed' | 'survived' | 'sameAnswers' | 'unreached' | 'errored'
  killedBy: string[]
}
/**
 * One legal alternative of the reference server in a proof.
 */
export interface VariantRecord {
  variant: string
  engine: string
  title: string
  state: 'passed' | 'falsePositive' | 'unreached' | 'errored'
  /**
   * The required clauses that were violated although the behaviour is legal.
   */
  falsePositives: string[]
}
