/** What a run against a real server comes to: the figures of its row, and what about it is not as it has to be. */
import type { Results } from '../specs/meta/results.ts'

export interface RealRow {
  server: string
  version: string
  exit: string
  verified: string
  violated: string
  /** Entries of the known deviations that failed as recorded, of all. */
  deviations: string
  withCause: string
  withoutCause: string
  errored: string
  left: string
  requests: string
  seconds: string
  /** Empty where the row is right. */
  wrong: string[]
}

const HEADS: Record<Exclude<keyof RealRow, 'wrong'>, string> = {
  server: 'server',
  version: 'version',
  exit: 'exit',
  verified: 'verified',
  violated: 'violated',
  deviations: 'deviations matched',
  withCause: 'blocked with a cause',
  withoutCause: 'without',
  errored: 'errored',
  left: 'left',
  requests: 'requests',
  seconds: 'seconds',
}

const NAMED_AT_MOST = 10

const nothingOf = (server: string, version: string): RealRow => ({
  ...(Object.fromEntries(Object.keys(HEADS).map((key) => [key, ''])) as Omit<RealRow, 'wrong'>),
  server,
  version,
  wrong: [],
})

/** The row of a server whose program nobody named. */
export const rowNotGiven = (server: string): RealRow => nothingOf(server, 'not given')

/** The row of a server that came to no results. */
export const rowOfFailure = (server: string, exit: string, reason: string): RealRow => ({
  ...nothingOf(server, ''),
  exit,
  wrong: [reason],
})

const named = (ids: string[]): string =>
  `${ids.slice(0, NAMED_AT_MOST).join(', ')}${ids.length > NAMED_AT_MOST ? ` and ${ids.length - NAMED_AT_MOST} more` : ''}`

/** The row of a run: right where the gate passed, nothing is errored or left, and each blocked clause names its cause. */
export const rowOf = (server: string, exit: number | null, results: Results): RealRow => {
  const of = (outcome: string) => results.clauses.filter((clause) => clause.outcome === outcome)
  const blocked = of('blocked')
  const free = blocked.filter(({ causedBy }) => (causedBy ?? []).length === 0).map(({ id }) => id)
  const errored = of('errored').map(({ id }) => id)
  const matched = results.deviations.filter(({ state }) => state === 'matched').length
  const wrong: string[] = []
  if (exit !== 0) wrong.push(...results.gateReasons.slice(0, NAMED_AT_MOST).map(({ message }) => message))
  if (exit !== 0 && wrong.length === 0) wrong.push(`the run ended with exit code ${exit}`)
  if (free.length > 0) wrong.push(`blocked without a cause: ${named(free)}`)
  if (errored.length > 0) wrong.push(`errored: ${named(errored)}`)
  if (results.leftovers.length > 0) wrong.push(`left: ${named(results.leftovers)}`)
  return {
    server,
    version: results.environment.server ?? 'unknown',
    exit: String(exit),
    verified: String(of('verified').length),
    violated: String(of('violated').length),
    deviations: `${matched} of ${results.deviations.length}`,
    withCause: String(blocked.length - free.length),
    withoutCause: String(free.length),
    errored: String(errored.length),
    left: String(results.leftovers.length),
    requests: String(results.stats.requests),
    seconds: (results.stats.durationMs / 1000).toFixed(0),
    wrong,
  }
}

/** The rows as a table in Markdown, and below it what is wrong. */
export const realTable = (rows: RealRow[]): string => {
  const keys = Object.keys(HEADS) as (keyof typeof HEADS)[]
  const lines = [
    keys.map((key) => HEADS[key]),
    keys.map(() => '---'),
    ...rows.map((row) => keys.map((key) => row[key].replaceAll('|', '/'))),
  ]
  const wrong = rows.flatMap(({ server, wrong: reasons }) => reasons.map((reason) => `${server}: ${reason}`))
  return `${[...lines.map((cells) => `| ${cells.join(' | ')} |`), ...wrong].join('\n')}\n`
}
