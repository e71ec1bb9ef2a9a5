/** What can stop a check besides an assertion. */

/** Why a check cannot run, where that is more than a sentence. */
export interface BlockedBy {
  /** The feature that the target lacks, as `without` of its configuration spells it. */
  lacks?: string
  /** The clause that has to hold first. */
  restsOn?: string
  /** The plain request that was answered with a failure. */
  refused?: { operation: string; status: number } | undefined
}

/** Something the check needs is absent or failed: neither the target's violation nor an internal error. */
export class Blocked extends Error {
  readonly remedy: string
  readonly lacks: string | undefined
  readonly restsOn: string | undefined
  readonly refused: BlockedBy['refused']
  constructor(reason: string, remedy: string, by: BlockedBy = {}) {
    super(reason)
    this.name = 'Blocked'
    this.remedy = remedy
    this.lacks = by.lacks
    this.restsOn = by.restsOn
    this.refused = by.refused
  }
}

/** Nothing listens at the target's address. */
export class Absent extends Blocked {
  override name = 'Absent'
  readonly origin: string
  constructor(origin: string, reason: string, remedy: string) {
    super(reason, remedy)
    this.origin = origin
  }
}

/** A plain request, on which the rest of the check builds, was answered with a failure. */
export class Refused extends Blocked {
  override name = 'Refused'
  readonly operation: string
  readonly status: number
  constructor(operation: string, status: number, text: string) {
    const by = { refused: { operation, status } }
    super(`set-up failed: ${operation} answered ${status} ${text}`, 'see the checks of that operation first', by)
    this.operation = operation
    this.status = status
  }
}

/** The target does not serve what the check is about: its clauses are left to other checks. */
export class NotServed extends Blocked {
  override name = 'NotServed'
}

/** Somebody ended the work: nothing is decided by it. */
export class Interrupted extends Error {
  override name = 'Interrupted'
}

/** An internal error, e.g. a request that breaks its own schema. */
export class InternalError extends Error {
  override name = 'InternalError'
}

/** The connection broke before the answer was complete: the request may have been applied or not. */
export class LostAnswer extends Blocked {
  override name = 'LostAnswer'
}

/** A gateway answered instead of the target: the request may have been applied or not. */
export class GatewayNoise extends Blocked {
  override name = 'GatewayNoise'
  constructor(reason: string) {
    super(reason, 'see why the gateway does not reach the target')
  }
}

/** An answer lacks what its schema promises, and the check cannot go on without: the clause of that shape has to hold first. */
export class Misshapen extends Blocked {
  override name = 'Misshapen'
  /** Clause that the schema names for what is wrong. */
  readonly clause: string | undefined
  /** What is wrong, in one sentence. */
  readonly problem: string
  /** Number of the exchange whose answer it is. */
  readonly exchange: number | undefined
  constructor(problem: string, clause: string | undefined, exchange?: number) {
    const first = clause === undefined ? 'what its schema says' : clause
    const remedy = clause === undefined ? 'mend that answer first' : `see ${clause} first`
    super(`${problem}; ${first} has to hold first`, remedy, clause === undefined ? {} : { restsOn: clause })
    this.clause = clause
    this.problem = problem
    this.exchange = exchange
  }
}

/** The target refuses what prepares it, whatever it is: to this token, or in this namespace. */
export class Denied extends Blocked {
  override name = 'Denied'
}

/** The target has no such endpoint. */
export class Unsupported extends Denied {
  override name = 'Unsupported'
}

/** An assertion that did not hold: the target's fault, unlike any other exception. */
export class AssertionFailure extends Error {
  readonly expected: unknown
  readonly actual: unknown
  /** Number of the exchange that shows it, where it is known; else the latest one is taken. */
  readonly exchange: number | undefined
  /** Numbers of other exchanges that the message speaks of. */
  readonly beside: readonly number[]
  constructor(message: string, expected?: unknown, actual?: unknown, exchange?: number, beside: readonly number[] = []) {
    super(message)
    this.name = 'AssertionFailure'
    this.expected = expected
    this.actual = actual
    this.exchange = exchange
    this.beside = beside
  }
}

/** A file that has to be written and cannot be: the disk's refusal, for the user to mend. */
export class NotWritten extends Error {
  constructor(file: string, failure: Error) {
    super(`${file} could not be written: ${failure.message}; free space there, or name a folder that can be written and has space`)
    this.name = 'NotWritten'
    this.cause = failure
  }
}
