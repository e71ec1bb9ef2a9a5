/** The same programs on two implementations: where their answers differ, under the clause that speaks of it. Observations only. */
import type { Against, AgainstDifference } from '../../specs/meta/results.ts'
import { cut } from '../base/text.ts'
import { isCredentialOperation } from '../contract/sensitive.ts'
import type { CheckRun } from '../running/check-run.ts'
import type { NumberedExchange } from '../sending/history.ts'
import { answeredIn, type BothNames, bothNames, type Difference, differencesBetween } from './canonical.ts'
import { clauseAt, isChosenAt } from './clause-at.ts'
import { type Pair, pairsOf, type Side } from './pairing.ts'

const MOST = 500
const LONGEST = 200

const differencesIn = ({ here, there, targets }: Pair, names: BothNames): Difference[] => {
  const [mine, theirs] = [here.answer?.status, there.answer?.status]
  const said = (status: number | undefined) => (status === undefined ? 'no answer' : `status ${status}`)
  if (mine !== theirs) return [{ pointer: [], here: said(mine), there: said(theirs) }]
  const chooses = (pointer: readonly string[]): boolean => isChosenAt(here.operation, mine ?? 0, pointer)
  return differencesBetween(answeredIn(targets.here, here), answeredIn(targets.there, there), names, chooses)
}

/** The clause that a difference touches: named in the schema there, else the only one that the check decides, else the operation's. */
const touched = (run: CheckRun, { operation, answer }: NumberedExchange, pointer: readonly string[]): string | undefined => {
  const [only, ...others] = run.check.clauses
  return clauseAt(operation, answer?.status ?? 0, pointer) ?? (others.length === 0 ? only : operation.clause)
}

/** Differences by where they are, each with the check that came upon it first. */
class Found {
  readonly #byPlace = new Map<string, AgainstDifference>()
  readonly #shown: (text: string) => string

  constructor(shown: (text: string) => string) {
    this.#shown = shown
  }

  add(run: CheckRun, { here: exchange }: Pair, { pointer, here, there }: Difference): void {
    const { operation } = exchange
    const clause = touched(run, exchange, pointer)
    const where = pointer.length === 0 ? '' : `/${pointer.join('/')}`
    const key = JSON.stringify([clause, operation.id, where])
    const known = this.#byPlace.get(key)
    if (known !== undefined) known.count += 1
    if (known !== undefined || this.#byPlace.size >= MOST) return
    const isHidden = isCredentialOperation(operation) && pointer.length > 0
    this.#byPlace.set(key, {
      ...(clause === undefined ? {} : { clause }),
      operation: operation.id,
      place: this.#shown(where),
      check: run.check.id,
      here: isHidden ? 'one value' : this.#shown(here),
      there: isHidden ? 'another value' : this.#shown(there),
      count: 1,
    })
  }

  /** All of them, by clause. */
  get sorted(): AgainstDifference[] {
    return [...this.#byPlace.values()].sort((left, right) => (left.clause ?? '~').localeCompare(right.clause ?? '~'))
  }
}

/**
 * Compares two runs of the same checks with the same seed.
 *
 * @param leftOut how many checks were not sent to the other target.
 */
export const compareRuns = (here: Side, there: Side, leftOut: number): Against => {
  const others = new Map(there.runs.map((run) => [run.check.id, run]))
  const found = new Found((text) => cut(here.context.secrets.redact(there.context.secrets.redact(text)), LONGEST))
  const parted: Against['parted'] = []
  let [checks, exchanges] = [0, 0]
  for (const run of here.runs) {
    const other = others.get(run.check.id)
    if (other === undefined) continue
    checks += 1
    const names = bothNames(here.context.run, there.context.run)
    const pairs = pairsOf({ here, there }, { here: run, there: other }, names)
    let next = pairs.next()
    for (; next.done !== true; next = pairs.next()) {
      exchanges += 1
      for (const difference of differencesIn(next.value, names)) found.add(run, next.value, difference)
    }
    if (next.value !== undefined) parted.push({ check: run.check.id, reason: next.value })
  }
  const [{ config }] = [...there.context.targets.values()] as [Pair['targets']['there']]
  return { url: config.url, checks, exchanges, parted, leftOut, differences: found.sorted }
}
