/** Which checks a run selects, and which of them the target does not claim. */

import { requireKnown, UsageError } from '../base/usage.ts'
import type { CheckDefinition, CheckKind } from '../checks/types.ts'
import type { Contract } from '../contract/types.ts'
import { patternOf } from './deviations.ts'

/** What the user asked for; absent members select everything. */
export interface Selection {
  engines?: string[]
  clauses?: string[]
  /** Check id or pattern with `*`. */
  checks?: string
  kinds?: string[]
  shard?: { index: number; of: number }
}

const KINDS: CheckKind[] = ['contract', 'scenario', 'property', 'model', 'race', 'security']

export interface Plan {
  engines: string[]
  checks: CheckDefinition[]
  /** True when not every check of the target's engines runs. */
  narrowed: boolean
  /** True when checks within the chosen engines are left out too. */
  narrowedWithin: boolean
  /** Engines that were asked for by name. */
  asked: string[]
  /** Engines, and clauses, that were asked for by name and that the target does not claim. */
  unclaimed: string[]
  /** Checks of the claimed engines that the selection leaves out. */
  leftOut: CheckDefinition[]
}

/** The engine that a check id or pattern names, where there is one of that name. */
const engineOfChecks = (contract: Contract, checks = ''): string[] => [checks.split('/')[0]!].filter((name) => contract.engines.has(name))

const unclaimedOf = (contract: Contract, claimed: readonly string[], { engines = [], clauses = [], checks }: Selection): string[] => [
  ...[...engines, ...engineOfChecks(contract, checks)].filter((engine) => !claimed.includes(engine)),
  ...clauses.filter((clause) => !claimed.includes(contract.clauses.get(clause)!.engine)),
]

/** The checks that an id or a pattern names; none where it names an engine that the target does not claim. */
const named = (contract: Contract, all: CheckDefinition[], chosen: CheckDefinition[], claimed: readonly string[], checks: string) => {
  const pattern = patternOf(checks)
  const found = chosen.filter((check) => pattern.test(check.id))
  const engines = engineOfChecks(contract, checks)
  if (found.length > 0 || engines.some((engine) => !claimed.includes(engine))) return found
  if (!checks.includes('*'))
    requireKnown(
      'check',
      [checks],
      all.map((check) => check.id),
    )
  throw new UsageError(`${checks} matches no check of the engines and clauses that are selected (see: assay list checks)`)
}

/**
 * Selects checks.
 *
 * @param all every check of the claimed engines.
 * @param claimed engines that the target claims.
 * @throws UsageError for unknown names (with the nearest known) and for patterns that match nothing.
 */
export const makePlan = (contract: Contract, all: CheckDefinition[], claimed: readonly string[], selection: Selection): Plan => {
  requireKnown('engine', selection.engines ?? [], [...contract.engines.keys()])
  requireKnown('clause', selection.clauses ?? [], [...contract.clauses.keys()])
  requireKnown('kind', selection.kinds ?? [], KINDS)
  const engines = claimed.filter((engine) => selection.engines === undefined || selection.engines.includes(engine))
  let checks = all.filter((check) => engines.includes(check.engine))
  if (selection.clauses !== undefined)
    checks = checks.filter((check) => check.clauses.some((clause) => selection.clauses?.includes(clause)))
  if (selection.checks !== undefined) checks = named(contract, all, checks, claimed, selection.checks)
  if (selection.kinds !== undefined) checks = checks.filter((check) => selection.kinds?.includes(check.kind))
  const { shard } = selection
  const sorted = [...checks].sort((left, right) => (left.id < right.id ? -1 : 1))
  if (shard !== undefined) checks = sorted.filter((_, index) => index % shard.of === shard.index - 1)
  const narrowedWithin =
    selection.clauses !== undefined || selection.checks !== undefined || selection.kinds !== undefined || shard !== undefined
  return {
    engines,
    checks,
    narrowed: narrowedWithin || engines.length < claimed.length,
    narrowedWithin,
    asked: selection.engines ?? [],
    unclaimed: [...new Set(unclaimedOf(contract, claimed, selection))],
    leftOut: all.filter((check) => !checks.includes(check)),
  }
}

/** Backends that the selected checks need. */
export const backendsOf = (checks: readonly CheckDefinition[]): string[] =>
  [...new Set(checks.flatMap((check) => check.needs.backends ?? []))].sort()
