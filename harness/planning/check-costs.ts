/** What a check costs: from earlier runs of the target, or from a whole run of the reference. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import type { CheckResult } from '../../specs/meta/results.ts'
import { packageRoot } from '../contract/package-root.ts'

/** Requests, and seconds, by the id of a check, or of all checks of a sweep (`core/near-name/*`). */
export const CHECK_COSTS = 'specs/check-costs.yaml'

/** Seconds below which a check counts as short: the file has 0 for these. */
export const LONG = 2
/** Milliseconds of short ones. */
const SHORT = 700
/** Requests of a check without an entry. */
const UNKNOWN = 10

type Identified = Pick<CheckResult, 'id'>

/** The name under which the file has a check: that of its sweep where it is of one. */
export const entryOf = (id: string): string => id.replace(/^([^/]+\/[^/]+)\/.+$/, '$1/*')

export interface CheckCost {
  requests: number
  /** 0 where it is short. */
  seconds: number
}

type Entry = [requests: number, seconds: number]

/** What gives the entry of a check in the file, its own or that of its sweep. */
export const costEntries = (): ((check: Identified) => Entry | undefined) => {
  const entries = new Map(Object.entries(parse(readFileSync(join(packageRoot, CHECK_COSTS), 'utf8')) as Record<string, Entry>))
  return ({ id }) => entries.get(id) ?? entries.get(entryOf(id))
}

/** What gives the cost of a check, as the file has it; of one without an entry that of an ordinary one. */
export const checkCosts = (): ((check: Identified) => CheckCost) => {
  const entryFor = costEntries()
  return (check) => {
    const [requests, seconds] = entryFor(check) ?? [UNKNOWN, 0]
    return { requests, seconds }
  }
}

/**
 * What gives the milliseconds that a check is expected to take.
 *
 * @param durations milliseconds by check id, from earlier runs.
 */
export const expectedTime = (durations: ReadonlyMap<string, number>): ((check: Identified) => number) => {
  const costOf = checkCosts()
  return (check) => {
    const { seconds } = costOf(check)
    return durations.get(check.id) ?? (seconds === 0 ? SHORT : seconds * 1000)
  }
}
