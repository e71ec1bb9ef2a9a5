/** What can stop a check besides an assertion. */

/** Something the check needs is absent or failed: neither the target's violation nor our mistake. */
export class Blocked extends Error {
  readonly cure: string
  constructor(reason: string, cure: string) {
    super(reason)
    this.name = 'Blocked'
    this.cure = cure
  }
}

/** A mistake of the suite itself, e.g. a request that breaks its own schema. */
export class SuiteMistake extends Error {
  override name = 'SuiteMistake'
}

/** The connection broke before the answer was complete: the request may have been applied or not. */
export class LostAnswer extends Blocked {
  override name = 'LostAnswer'
}

/** The target refuses what prepares it, whatever it is: to this token, or in this namespace. */
export class Denied extends Blocked {
  override name = 'Denied'
}
