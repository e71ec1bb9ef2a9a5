/** Two runs of one check side by side: which exchange answers to which, and where the runs part. */

import type { CheckRun } from '../running/check-run.ts'
import type { RunContext } from '../sending/context.ts'
import type { NumberedExchange } from '../sending/history.ts'
import type { Target } from '../target/target.ts'
import { askedIn, type BothNames, isSameAsked } from './canonical.ts'

/** One run of the programs. */
export interface Side {
  context: RunContext
  runs: readonly CheckRun[]
}

/** The same request to both servers. */
export interface Pair {
  here: NumberedExchange
  there: NumberedExchange
  targets: { here: Target; there: Target }
}

interface Settled {
  exchange: NumberedExchange
  place: number
}

const targetOf = ({ context }: Side, { operation }: NumberedExchange): Target => context.targets.get(operation.api)!

const dialectsOf = ({ context }: Side): string[] => [...context.targets.values()].map(({ dialect }) => dialect.dialect)

const isAskedAgain = ({ operation, caller, request }: NumberedExchange, next: NumberedExchange | undefined): boolean =>
  next?.waitedMs !== undefined &&
  next.operation === operation &&
  next.caller === caller &&
  next.request.path === request.path &&
  next.request.body === request.body

/**
 * Exchanges in the order in which they were sent, for which of several at once is answered first is chance; without those that were made again
 * after a while, for how often one has to wait is not the program's.
 */
const settled = (exchanges: readonly NumberedExchange[]): Settled[] => {
  const places = exchanges.map(({ number }) => number).sort((left, right) => left - right)
  const sent = [...exchanges].sort((left, right) => left.startedAt - right.startedAt)
  let dropped = 0
  return sent.flatMap((exchange, at) => {
    if (!isAskedAgain(exchange, sent[at + 1])) return [{ exchange, place: places[at]! - dropped }]
    dropped += 1
    return []
  })
}

/**
 * Pairs the exchanges of a check on two servers, as far as it asked both the same.
 *
 * @param names of both runs; what a pair's answers chose has to be told to them before the next pair is taken.
 * @returns why the rest cannot be compared; undefined where nothing is left.
 */
export function* pairsOf(
  sides: { here: Side; there: Side },
  runs: { here: CheckRun; there: CheckRun },
  names: BothNames,
): Generator<Pair, string | undefined> {
  const isSameDialect = new Set([...dialectsOf(sides.here), ...dialectsOf(sides.there)]).size === 1
  const [mine, theirs] = [settled(runs.here.exchanges), settled(runs.there.exchanges)]
  for (const [at, one] of mine.entries()) {
    const other = theirs[at]
    const { operation } = one.exchange
    if (other === undefined) return `asks for ${operation.id} here, and for nothing more there`
    if (one.place !== other.place) return 'made more requests than are kept'
    const name = other.exchange.operation.id
    if (operation.id !== name) return `asks for ${operation.id} here, and for ${name} there`
    const targets = { here: targetOf(sides.here, one.exchange), there: targetOf(sides.there, one.exchange) }
    const asked = askedIn(targets.here, one.exchange, names.here, isSameDialect)
    if (!isSameAsked(asked, askedIn(targets.there, other.exchange, names.there, isSameDialect)))
      return `asks for ${name} with other values there`
    yield { here: one.exchange, there: other.exchange, targets }
  }
  const more = theirs[mine.length]
  return more === undefined ? undefined : `asks for nothing more here, and for ${more.exchange.operation.id} there`
}
