/** The same programs on two implementations: where their answers differ, under the clause that speaks of it. Observations only. */
import type { Against, AgainstDifference } from '../../../specs/meta/results.ts'
import { cut } from '../../base/text.ts'
import { isCredentialOperation } from '../../contract/sensitive.ts'
import type { Target } from '../../target/target.ts'
import type { CheckRun } from '../check-run.ts'
import type { RunContext } from '../context.ts'
import type { NumberedExchange } from '../history.ts'
import { answeredIn, askedIn, type BothNames, bothNames, type Difference, differencesBetween } from './canonical.ts'
import { clauseAt } from './clause-at.ts'

const MOST = 500
const LONGEST = 200

/** One run of the programs. */
export interface Side {
  context: RunContext
  runs: readonly CheckRun[]
}

interface Pair {
  here: NumberedExchange
  there: NumberedExchange
  targets: { here: Target; there: Target }
  names: BothNames
}

const targetOfExchange = ({ context }: Side, { operation }: NumberedExchange): Target => context.targets.get(operation.api)!

const differencesIn = ({ here, there, targets, names }: Pair): Difference[] => {
  const [mine, theirs] = [here.answer?.status, there.answer?.status]
  const said = (status: number | undefined) => (status === undefined ? 'no answer' : `status ${status}`)
  if (mine !== theirs) return [{ pointer: [], here: said(mine), there: said(theirs) }]
  return differencesBetween(answeredIn(targets.here, here), answeredIn(targets.there, there), names)
}

/** The clause that a difference touches: named in the schema there, else the only one that the check decides, else the operation's. */
const touched = (run: CheckRun, { operation, answer }: NumberedExchange, pointer: readonly string[]): string | undefined => {
  const [only, ...others] = run.check.clauses
  return clauseAt(operation, answer?.status ?? 0, pointer) ?? (others.length === 0 ? only : operation.clause)
}

const isAskedAgain = ({ operation, caller, request }: NumberedExchange, next: NumberedExchange | undefined): boolean =>
  next?.waitedMs !== undefined &&
  next.operation === operation &&
  next.caller === caller &&
  next.request.path === request.path &&
  next.request.body === request.body

/** Exchanges without those that were made again after a while: how often one has to wait is not the program's. */
const settled = (exchanges: readonly NumberedExchange[]): { exchange: NumberedExchange; place: number }[] => {
  let dropped = 0
  return exchanges.flatMap((exchange, at) => {
    if (!isAskedAgain(exchange, exchanges[at + 1])) return [{ exchange, place: exchange.number - dropped }]
    dropped += 1
    return []
  })
}

const byCheck = ({ runs }: Side) => new Map(runs.map((run) => [run.check.id, run]))

/**
 * Compares two runs of the same checks with the same seed.
 *
 * @param leftOut how many checks were not sent to the other target.
 */
export const compareRuns = (here: Side, there: Side, leftOut: number): Against => {
  const others = byCheck(there)
  const found = new Map<string, AgainstDifference>()
  const parted: string[] = []
  let exchanges = 0
  let checks = 0
  const [{ config }] = [...there.context.targets.values()] as [Target]
  const isSameDialect = [...here.context.targets.values()].every(
    ({ dialect }) => dialect.dialect === [...there.context.targets.values()][0]!.dialect.dialect,
  )
  const shown = (text: string) => cut(here.context.secrets.redact(there.context.secrets.redact(text)), LONGEST)
  for (const run of here.runs) {
    const other = others.get(run.check.id)
    if (other === undefined) continue
    checks += 1
    const names = bothNames(here.context.run, there.context.run)
    const answers = settled(other.exchanges)
    for (const [at, { exchange: mine, place: mineAt }] of settled(run.exchanges).entries()) {
      const { exchange: theirs, place: theirsAt } = answers[at] ?? {}
      const targets = { here: targetOfExchange(here, mine), there: targetOfExchange(there, mine) }
      const asked = askedIn(targets.here, mine, names.here, isSameDialect)
      if (theirs === undefined || mineAt !== theirsAt || asked !== askedIn(targets.there, theirs, names.there, isSameDialect)) {
        parted.push(run.check.id)
        break
      }
      exchanges += 1
      for (const { pointer, ...said } of differencesIn({ here: mine, there: theirs, targets, names })) {
        const clause = touched(run, mine, pointer)
        const where = pointer.length === 0 ? '' : `/${pointer.join('/')}`
        const key = JSON.stringify([clause, mine.operation.id, where])
        const known = found.get(key)
        if (known !== undefined) known.count += 1
        else if (found.size < MOST) {
          const isHidden = isCredentialOperation(mine.operation) && pointer.length > 0
          found.set(key, {
            ...(clause === undefined ? {} : { clause }),
            operation: mine.operation.id,
            place: shown(where),
            check: run.check.id,
            here: isHidden ? 'one value' : shown(said.here),
            there: isHidden ? 'another value' : shown(said.there),
            count: 1,
          })
        }
      }
    }
  }
  const sorted = [...found.values()].sort((left, right) => (left.clause ?? '~').localeCompare(right.clause ?? '~'))
  return { url: config.url, checks, exchanges, parted, leftOut, differences: sorted }
}
