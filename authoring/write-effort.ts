/**
 * `npm run effort HISTORY MATRIX...`: orders all checks by what they add for what they cost, and writes the cuts of that order.
 * `npm run effort measured RESULTS PROOF`: writes down what a run and a proof of one effort needed and found.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stringify } from 'yaml'
import { UsageError } from '../harness/base/usage.ts'
import { DRAWN, isRunnable } from '../harness/checks/check.ts'
import type { RunnableCheck } from '../harness/checks/vocabulary.ts'
import { readKept } from '../harness/cli/kept-runs.ts'
import { LAST_KILLERS } from '../harness/cli/proof-files.ts'
import { loadContract } from '../harness/contract/load.ts'
import { packageRoot } from '../harness/contract/package-root.ts'
import { catalogue } from '../harness/planning/catalogue.ts'
import { EFFORT_LEVELS, type EffortFile, effortFile } from '../harness/planning/effort-levels.ts'
import type { Effort } from '../harness/target/configured-names.ts'
import type { Results } from '../specs/meta/results.ts'
import { command } from './author-command.ts'
import { killsOf } from './matrix.ts'

/** Requests that the checks of an effort may send, set-up included. */
const BUDGET = { quick: 16_900, standard: 39_800 }
/** Requests that a check needs for its mounts, tokens and clean-up, about. */
const SET_UP = 4
/** Requests that weigh as much as a second. */
const PER_SECOND = 2
/** What finding a fault again is worth: a defect that nobody has seeded may show in the second check only. */
const AGAIN = 0.25
const ENOUGH = 3

const HEADING = `# Which checks an effort tries: quick decides each required clause, standard adds what finds most faults for its requests, thorough is all.
# Written by \`npm run effort\` from a whole run, the matrices of \`assay prove --all-killers\` and the latest proof; a level kills at least what \`measured\` says.
`

const read = <T>(file: string): T => JSON.parse(readFileSync(file, 'utf8')) as T

/** The faults that each check kills, by its id: what matrices say, and which check killed each fault in the latest proof. */
const killsIn = (files: readonly string[]): Map<string, Set<string>> => {
  const kills = new Map<string, Set<string>>()
  const latest = Object.entries(read<Record<string, string>>(join(packageRoot, LAST_KILLERS))).map(([fault, check]) => ({ fault, check }))
  for (const { fault, check } of [...latest, ...files.flatMap(killsOf)]) kills.set(check, (kills.get(check) ?? new Set()).add(fault))
  return kills
}

interface Candidate {
  id: string
  cost: number
  requests: number
  clauses: string[]
  faults: ReadonlySet<string>
}

/** Takes the best of the candidates by value for cost until none has any, or the next would go beyond the budget. */
const take = (candidates: Set<Candidate>, worthOf: (one: Candidate) => number, room: number, taken: (one: Candidate) => void): void => {
  let left = room
  const worth = new Map([...candidates].map((one) => [one, worthOf(one) / one.cost]))
  for (;;) {
    // Values only shrink: the first that is worth as much as it was is the best.
    const [best] = [...worth].reduce<[Candidate | undefined, number]>(
      (most, [one, value]) => (value > most[1] ? [one, value] : most),
      [undefined, 0],
    )
    if (best === undefined) return
    const value = worthOf(best) / best.cost
    if (value < worth.get(best)!) {
      worth.set(best, value)
      continue
    }
    worth.delete(best)
    if (best.requests > left) continue
    left -= best.requests
    candidates.delete(best)
    taken(best)
  }
}

/** Those of a cover that it needs: of the others, whose clauses are decided without them, the costliest are left out first. */
const needed = (cover: readonly Candidate[], counts: (clause: string) => boolean): ReadonlySet<Candidate> => {
  const kept = new Set(cover)
  const isSpare = (one: Candidate): boolean =>
    one.clauses.filter(counts).every((clause) => [...kept].some((other) => other !== one && other.clauses.includes(clause)))
  for (const one of [...cover].sort((left, right) => right.cost - left.cost)) if (isSpare(one)) kept.delete(one)
  return kept
}

const namesOf = (ids: readonly string[]): Record<string, string> => {
  const byEngine = new Map<string, string[]>()
  for (const id of [...ids].sort()) {
    const [engine, ...name] = id.split('/')
    byEngine.set(engine!, [...(byEngine.get(engine!) ?? []), name.join('/')])
  }
  return Object.fromEntries([...byEngine].map(([engine, names]) => [engine, names.join(' ')]))
}

const write = (file: EffortFile): void =>
  writeFileSync(join(packageRoot, EFFORT_LEVELS), HEADING + stringify(file, { lineWidth: 140, defaultStringType: 'PLAIN' }))

/** Candidates with what they cost in the latest run of an effort, or of any, that a history has. */
const candidatesFrom = async (history: string, effort: Effort, kills: ReadonlyMap<string, ReadonlySet<string>>): Promise<Candidate[]> => {
  const runs = await readKept(history)
  const latest = runs.filter((run) => run.effort === effort).at(-1) ?? runs.at(-1)
  if (latest === undefined)
    throw new UsageError('name a folder with a whole run: npx assay certify --embedded --effort thorough --history DIR')
  const contract = await loadContract()
  const all = (await catalogue(contract, [...contract.engines.keys()])).filter(isRunnable)
  const certain = new Set(all.filter(({ kind }) => !DRAWN.includes(kind)).flatMap(({ clauses }) => clauses))
  // What draws its cases comes to some of its clauses only by chance: it counts for those that nothing else decides.
  const decides = ({ kind, clauses }: RunnableCheck): string[] =>
    DRAWN.includes(kind) ? clauses.filter((clause) => !certain.has(clause)) : clauses
  const seen = new Map(latest.checks.map((check) => [check.id, check]))
  return all.map((check) => {
    const { exchanges = 10, durationMs = 0 } = seen.get(check.id) ?? {}
    const cost = exchanges + SET_UP + (durationMs / 1000) * PER_SECOND
    return { id: check.id, cost, requests: exchanges + SET_UP, clauses: decides(check), faults: kills.get(check.id) ?? new Set() }
  })
}

const levels = async (history: string, matrices: readonly string[]): Promise<string> => {
  const contract = await loadContract()
  const isRequired = (clause: string): boolean => contract.clauses.get(clause)!.level === 'required'
  const kills = killsIn(matrices)
  const candidates = await candidatesFrom(history, 'quick', kills)
  let left = new Set(candidates)
  const open = new Set(candidates.flatMap(({ clauses }) => clauses))
  const found = new Map<string, number>()
  const chosen: Record<'quick' | 'standard', Candidate[]> = { quick: [], standard: [] }
  const taking =
    (level: 'quick' | 'standard') =>
    (one: Candidate): void => {
      chosen[level].push(one)
      for (const clause of one.clauses) open.delete(clause)
      for (const fault of one.faults) found.set(fault, (found.get(fault) ?? 0) + 1)
    }
  const decides =
    (counts: (clause: string) => boolean) =>
    ({ clauses }: Candidate): number =>
      clauses.filter((clause) => open.has(clause) && counts(clause)).length
  const finds = ({ faults }: Candidate): number =>
    [...faults].reduce((sum, fault) => {
      const times = found.get(fault) ?? 0
      return sum + (times === 0 ? 1 : times < ENOUGH ? AGAIN ** times : 0)
    }, 0)
  const cover: Candidate[] = []
  take(left, decides(isRequired), Number.POSITIVE_INFINITY, (one) => {
    cover.push(one)
    for (const clause of one.clauses) open.delete(clause)
  })
  const least = needed(cover, isRequired)
  for (const one of least) taking('quick')(one)
  for (const one of cover) if (!least.has(one)) left.add(one)
  const used = (of: readonly Candidate[]): number => of.reduce((sum, { requests }) => sum + requests, 0)
  take(left, finds, Math.max(0, BUDGET.quick - used(chosen.quick)), taking('quick'))
  const isQuick = new Set(chosen.quick.map(({ id }) => id))
  const whole = await candidatesFrom(history, 'thorough', kills)
  chosen.quick = whole.filter(({ id }) => isQuick.has(id))
  left = new Set(whole.filter(({ id }) => !isQuick.has(id)))
  take(
    left,
    decides(() => true),
    Number.POSITIVE_INFINITY,
    taking('standard'),
  )
  take(left, finds, Math.max(0, BUDGET.standard - used(chosen.quick) - used(chosen.standard)), taking('standard'))
  const ids = (level: 'quick' | 'standard') => namesOf(chosen[level].map(({ id }) => id))
  write({ ...effortFile(), quick: ids('quick'), standard: ids('standard') })
  const all = new Set(candidates.flatMap(({ faults }) => [...faults]))
  const share = (of: readonly Candidate[]): string => `${new Set(of.flatMap(({ faults }) => [...faults])).size} of ${all.size} faults`
  const both = [...chosen.quick, ...chosen.standard]
  return [
    `written  ${EFFORT_LEVELS}`,
    `quick    ${chosen.quick.length} checks, about ${used(chosen.quick)} requests, ${share(chosen.quick)} by the matrix`,
    `standard ${both.length} checks, about ${used(both)} requests, ${share(both)} by the matrix`,
  ].join('\n')
}

const measured = (results: string, proof: string): string => {
  const { effort, stats, finishedAt } = read<Results>(results)
  const { kills } = read<{ kills: { state: string }[] }>(proof)
  const killed = kills.filter(({ state }) => state === 'killed').length
  const file = effortFile()
  const now = { [effort as Effort]: { requests: stats.requests, killed } }
  write({ ...file, measured: { ...file.measured, date: finishedAt.slice(0, 10), faults: kills.length, ...now } })
  return `written  ${EFFORT_LEVELS}: ${effort} sends ${stats.requests} requests and kills ${killed} of ${kills.length} faults`
}

await command(async ([first, ...files]) => {
  if (first === undefined || files.length === 0)
    throw new UsageError('usage: npm run effort HISTORY MATRIX..., or: npm run effort measured RESULTS PROOF')
  if (first !== 'measured') return levels(first, files)
  if (files.length !== 2) throw new UsageError('name the results.json of a run and the proof.json of a proof, both of one effort')
  return measured(files[0]!, files[1]!)
})
