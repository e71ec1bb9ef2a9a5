/** How much of the suite each effort tries: cuts of one order of all checks, by what each adds for what it costs. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { packageRoot } from '../contract/package-root.ts'
import { EFFORTS, type Effort } from '../target/configured-names.ts'
import { costEntries } from './check-costs.ts'

export const EFFORT_LEVELS = 'specs/effort.yaml'

/** What an effort needs and finds. */
export interface MeasuredEffort {
  /** Requests of a run of all engines of the reference. */
  requests: number
  /** Faults that checks of that effort were seen to kill, in a proof or in the matrix that the order was made from: others may kill more. */
  killed: number
}

/** The generated file. */
export interface EffortFile {
  /** The day of the measurement, and the faults that were tried. */
  measured: { date: string; faults: number } & Record<Effort, MeasuredEffort>
  /** By engine: names of checks, without the engine in front, that quick effort tries. */
  quick: Record<string, string>
  /** The same for what standard effort adds. */
  standard: Record<string, string>
}

/** The file that `npm run effort` writes. */
export const effortFile = (): EffortFile => parse(readFileSync(join(packageRoot, EFFORT_LEVELS), 'utf8')) as EffortFile

const idsIn = (names: Record<string, string>): string[] =>
  Object.entries(names).flatMap(([engine, of]) => of.split(/\s+/).map((name) => `${engine}/${name}`))

/** Every id that the file names at an effort below thorough. */
export const namedIn = ({ quick, standard }: EffortFile): Map<string, Effort> =>
  new Map([
    ...idsIn(standard).map((id): [string, Effort] => [id, 'standard']),
    ...idsIn(quick).map((id): [string, Effort] => [id, 'quick']),
  ])

/**
 * What gives the lowest effort that tries a check.
 *
 * @returns for a check that was never measured: standard.
 */
export const effortLevels = (): ((check: { id: string }) => Effort) => {
  const named = namedIn(effortFile())
  const entryFor = costEntries()
  return (check) => named.get(check.id) ?? (entryFor(check) === undefined ? 'standard' : 'thorough')
}

/** Whether a run of an effort tries what has this level. */
export const isWithin = (level: Effort, effort: Effort): boolean => EFFORTS.indexOf(level) <= EFFORTS.indexOf(effort)

const PERCENT = 100

/** In words what a run of an effort finds of the faults that the whole suite finds. */
export const measuredShare = (effort: Effort): string => {
  const { measured } = effortFile()
  const share = (of: Effort): string => `${Math.floor((PERCENT * measured[of].killed) / measured.faults)} %`
  const others = effort === 'thorough' ? '' : `; thorough finds ${share('thorough')}`
  return `${effort} effort finds at least ${share(effort)} of ${measured.faults} seeded faults${others} (measured ${measured.date})`
}

/** What the report says of a run that leaves out what higher efforts try. */
export const effortNotes = (effort: Effort, tried: number, left: number): string[] =>
  left === 0 ? [] : [`${measuredShare(effort)}; ${tried} checks were tried, ${left} more need a higher effort`]
