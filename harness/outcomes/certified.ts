/** Whether a run certifies its target for a profile: said by the results alone, so that anybody can say it again. */
import type { Certified, ClauseResult, ProfileRecord, Results } from '../../specs/meta/results.ts'

/** What of results decides it. */
export type Judged = Pick<Results, 'engines' | 'clauses' | 'scope' | 'gateReasons'>

/** Reasons beyond these are counted. */
const MOST = 20

const FAILS: Partial<Record<ClauseResult['outcome'], string>> = {
  violated: 'does not hold',
  warned: 'does not hold',
  blocked: 'was not decided',
  errored: 'was not decided',
  notClaimed: 'is not claimed',
  notExercised: 'was not tested',
}

const ofScope = ({ scope, gateReasons }: Judged, engines: readonly string[]): string[] => [
  ...(scope.part ? ['the run was narrowed to some clauses, checks or kinds'] : []),
  ...(scope.shard === undefined ? [] : ['the run is one of several parts: merge them']),
  ...(gateReasons.some(({ kind }) => kind === 'cutShort') ? ['the run did not come to its end'] : []),
  ...engines.filter((engine) => !scope.engines.includes(engine)).map((engine) => `the engine ${engine} was not tested`),
]

/** Whether the target is certified, and if not why: known deviations of the target do not count, those of the profile do. */
export const certifiedFor = ({ engines, levels, deviations }: Omit<ProfileRecord, 'certified'>, results: Judged): Certified => {
  const allowed = new Set(deviations.map(({ clause }) => clause))
  const reasons = ofScope(results, engines)
  for (const engine of engines) {
    const mine = results.clauses.filter((clause) => clause.engine === engine)
    if (!mine.some(({ outcome }) => outcome === 'verified')) reasons.push(`no clause of the engine ${engine} was verified`)
    for (const { id, level, outcome } of mine) {
      const why = FAILS[outcome]
      if (why !== undefined && levels.some((one) => one === level) && !allowed.has(id)) reasons.push(`${id} ${why}`)
    }
  }
  const rest = reasons.length - MOST
  return { holds: reasons.length === 0, reasons: rest > 0 ? [...reasons.slice(0, MOST), `and ${rest} more`] : reasons }
}
