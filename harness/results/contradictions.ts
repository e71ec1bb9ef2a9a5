/** Finds where parts of results contradict each other: what was written by a run never does. */
import type { Results } from '../../specs/meta/results.ts'
import { certifiedFor } from '../outcomes/certified.ts'
import { enginesAgain, outcomesAgain, verdictAgain } from './judge-again.ts'

const keyOf = ({ kind, subject }: Results['gateReasons'][number]): string => `${kind} ${subject ?? ''}`

const repeated = (what: string, ids: readonly string[]): string[] =>
  [...new Set(ids.filter((id, at) => ids.indexOf(id) !== at))].map((id) => `${what} ${id} stands there twice`)

const ofClauses = (results: Results): string[] => {
  const outcomes = outcomesAgain(results)
  return results.clauses
    .filter(({ id, outcome }) => outcomes.get(id) !== outcome)
    .map(({ id, outcome }) => `clause ${id} says ${outcome}, and its checks say ${outcomes.get(id)}`)
}

const ofEngines = (results: Results): string[] => {
  const known = new Set(results.engines.map(({ id }) => id))
  const lost = new Set(results.clauses.map(({ engine }) => engine).filter((engine) => !known.has(engine)))
  const again = enginesAgain(results)
  return [
    ...[...lost].map((id) => `there are clauses of ${id}, and no engine of that name`),
    ...results.engines.flatMap(({ id, verdict, clauses }, at) => {
      const other = again[at]!
      const wrong = Object.entries(clauses).filter(([outcome, count]) => other.clauses[outcome as 'total'] !== count)
      return [
        ...(verdict === other.verdict ? [] : [`engine ${id} says ${verdict}, and its clauses say ${other.verdict}`]),
        ...wrong.map(([outcome, count]) => `engine ${id} counts ${count} ${outcome}, and there are ${other.clauses[outcome as 'total']}`),
      ]
    }),
  ]
}

const ofGate = (results: Results): string[] => {
  const again = verdictAgain(results)
  const [said, told] = [new Set(results.gateReasons.map(keyOf)), new Set(again.gateReasons.map(keyOf))]
  return [
    ...(results.verdict === again.verdict ? [] : [`the verdict says ${results.verdict}, and the engines say ${again.verdict}`]),
    ...(results.gate === again.gate ? [] : [`the gate says ${results.gate}, and its reasons say ${again.gate}`]),
    ...[...said].filter((key) => !told.has(key)).map((key) => `the gate names a reason that nothing shows: ${key}`),
    ...[...told].filter((key) => !said.has(key)).map((key) => `the gate leaves out a reason: ${key}`),
  ]
}

const ofProfile = ({ profile, ...results }: Results): string[] => {
  if (profile === undefined) return []
  const { holds, reasons } = certifiedFor(profile, results)
  if (profile.certified.holds === holds) return []
  return [
    `the results say ${holds ? 'not ' : ''}certified for ${profile.name}, and their parts say otherwise${holds ? '' : `: ${reasons[0]}`}`,
  ]
}

/** Sentences that say what contradicts what; empty where all parts agree. */
export const contradictionsIn = (results: Results): string[] => [
  ...repeated(
    'check',
    results.checks.map(({ id }) => id),
  ),
  ...repeated(
    'clause',
    results.clauses.map(({ id }) => id),
  ),
  ...ofClauses(results),
  ...ofEngines(results),
  ...ofGate(results),
  ...ofProfile(results),
]
