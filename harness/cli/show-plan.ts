/** `--plan`: what a run will do, create and cost, without a request to the target. */
import { isRunnable } from '../checks/check.ts'
import type { CheckDefinition } from '../checks/vocabulary.ts'
import type { Contract } from '../contract/contract.ts'
import { catalogue } from '../planning/catalogue.ts'
import { type CheckCost, checkCosts, expectedTime } from '../planning/check-costs.ts'
import { backendsOf, makePlan, type Plan } from '../planning/plan.ts'
import { fitting, togetherSeconds } from '../running/limited-time.ts'
import type { RunConfig } from '../target/run-configuration.ts'
import type { CertifyOptions } from './certify-flags.ts'
import { selectedBy } from './certify-selection.ts'
import { durationsIn } from './kept-runs.ts'

/** What the plan is for. */
export interface Planned {
  contract: Contract
  plan: Plan
  /** Undefined for the reference server, which is not started. */
  config: RunConfig | undefined
  /** Milliseconds into which the run has to fit; none where it may take as long as it does. */
  within?: number
  seed: number
  /** Milliseconds that checks took in earlier runs, by id. */
  durations: ReadonlyMap<string, number>
}

/** What a run will do, as far as that is known without the target. @throws UsageError where the selection names nothing. */
export const planned = async (contract: Contract, config: RunConfig | undefined, options: CertifyOptions): Promise<Planned> => {
  const durations = await durationsIn(options)
  const known = (api: string): string[] => [...contract.engines.values()].flatMap((engine) => (engine.api === api ? [engine.id] : []))
  const claimed = config?.targets.flatMap(({ api, engines }) => engines ?? known(api)) ?? [...contract.engines.keys()]
  const all = await catalogue(contract, claimed)
  const plan = makePlan(contract, all, claimed, selectedBy(options, durations))
  return { contract, plan, config, seed: options.seed, durations, ...(options.within === undefined ? {} : { within: options.within }) }
}

const count = (items: readonly string[]): string => {
  const counts = new Map<string, number>()
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1)
  return [...counts].map(([name, times]) => `${times} ${name}`).join(', ') || 'none'
}

/** A line for each engine and one for all: checks, requests, seconds. */
const costLines = (
  engines: readonly string[],
  checks: readonly CheckDefinition[],
  costOf: (check: CheckDefinition) => CheckCost,
  timeOf: (check: CheckDefinition) => number,
): string[] => {
  const line = (name: string, some: readonly CheckDefinition[]): string => {
    const sent = some.filter(isRunnable)
    const requests = sent.reduce((sum, check) => sum + costOf(check).requests, 0)
    const cells = [String(some.length), String(requests), togetherSeconds(sent.map(timeOf)).toFixed(0)]
    return `  ${name.padEnd(16)}${cells.map((cell) => cell.padStart(10)).join('')}`
  }
  const head = `  ${'engine'.padEnd(16)}${['checks', 'requests', 'seconds'].map((word) => word.padStart(10)).join('')}`
  const byEngine = engines.map((engine) =>
    line(
      engine,
      checks.filter((check) => check.engine === engine),
    ),
  )
  return [head, ...byEngine, ...(engines.length > 1 ? [line('all', checks)] : [])]
}

const targetLines = ({ contract, config }: Planned): string[] =>
  config === undefined
    ? ['target     the reference server, started for the run']
    : config.targets.map(({ api, url, dialect, provisioner, engines }) => {
        const title = contract.apis.get(api)?.title ?? api
        const probed = engines === undefined ? '; a run probes which engines it has' : ''
        return `target     ${url} (${title}, dialect ${dialect}, provisioner ${provisioner.kind}${probed})`
      })

/** The plan as text. */
export const showPlan = (planned: Planned): string => {
  const { contract, plan, within, seed, durations } = planned
  const timeOf = expectedTime(durations)
  const chosen = within === undefined ? plan.checks : fitting(plan.checks, within, seed, timeOf)
  const shared = new Set(
    [...contract.operations.values()]
      .filter((operation) => plan.engines.includes(operation.engine) && operation.mount !== undefined)
      .map((operation) => operation.mount!),
  )
  const own = chosen.flatMap((check) => Object.values(check.needs.mounts ?? {}).map((mount) => mount.type))
  const features = chosen.flatMap((check) => check.needs.features ?? [])
  const lines = [
    ...targetLines(planned),
    `checks     ${chosen.length}: ${count(chosen.map((check) => check.kind))}`,
    ...(within === undefined
      ? []
      : [`within     ${within / 1000} s: of ${plan.checks.length} checks about as many as fit, each clause once before any twice`]),
    ...(plan.spare.length === 0 ? [] : [`spare      ${plan.spare.length}: tried where a clause would stay undecided`]),
    ...costLines(plan.engines, chosen, checkCosts(), timeOf),
    `measured   in a run of the reference server at thorough effort${durations.size > 0 ? ', seconds in earlier runs of --history' : ''}`,
    `mounts     shared: ${[...shared].join(', ') || 'none'}; for single checks: ${count(own)}; all names begin with assay-`,
    `also       ${count(features)} (checks that ask for it); tokens and policies as checks need them`,
    `backends   ${backendsOf(chosen).join(', ') || 'none'}`,
    `with leave ${count(chosen.flatMap((check) => check.needs.allow ?? []))}`,
  ]
  return `${lines.join('\n')}\n`
}
