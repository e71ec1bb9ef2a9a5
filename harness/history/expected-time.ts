/** How long a check is expected to take, from earlier runs of the target or from a run of the reference. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import type { CheckResult } from '../../specs/meta/results.ts'
import { packageRoot } from '../contract/package-root.ts'

/** What took long in a whole run of the reference: seconds by the id of a check, or of all checks of a sweep (`core/near-name/*`). */
export const LONG_CHECKS = 'specs/long-checks.yaml'

/** Seconds from which a check is in the file. */
export const LONG = 2
/** Milliseconds of all others. */
const SHORT = 700

/** The name under which the file has a check: that of its sweep where it is of one. */
export const entryOf = (id: string): string => id.replace(/^([^/]+\/[^/]+)\/.+$/, '$1/*')

/**
 * What gives the milliseconds that a check is expected to take.
 *
 * @param durations milliseconds by check id, from earlier runs.
 */
export const expectedTime = (durations: ReadonlyMap<string, number>): ((check: Pick<CheckResult, 'id'>) => number) => {
  const long = new Map(Object.entries(parse(readFileSync(join(packageRoot, LONG_CHECKS), 'utf8')) as Record<string, number>))
  return ({ id }) => {
    const seconds = long.get(id) ?? long.get(entryOf(id))
    return durations.get(id) ?? (seconds === undefined ? SHORT : seconds * 1000)
  }
}
