/** Which checks a run selects, and which of them the target does not claim. */
import type { CheckDefinition, CheckKind } from '../checks/types.ts'
import type { Contract } from '../contract/types.ts'
import { requireKnown, UsageError } from '../target/usage.ts'
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
  /** Engines, and clauses, that were asked for by name and that the target does not claim. */
  unclaimed: string[]
}

const unclaimedOf = (contract: Contract, claimed: readonly string[], { engines = [], clauses = [] }: Selection): string[] => [
  ...engines.filter((engine) => !claimed.includes(engine)),
  ...clauses.filter((clause) => !claimed.includes(contract.clauses.get(clause)!.engine)),
]

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
  if (selection.checks !== undefined) {
    const pattern = patternOf(selection.checks)
    checks = checks.filter((check) => pattern.test(check.id))
    if (checks.length === 0 && !selection.checks.includes('*'))
      requireKnown(
        'check',
        [selection.checks],
        all.map((check) => check.id),
      )
    if (checks.length === 0)
      throw new UsageError(`the pattern ${selection.checks} matches no check of ${engines.join(', ')} (see: assay list checks)`)
  }
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
    unclaimed: unclaimedOf(contract, claimed, selection),
  }
}

/** Backends that the selected checks need. */
export const backendsOf = (checks: readonly CheckDefinition[]): string[] =>
  [...new Set(checks.flatMap((check) => check.needs.backends ?? []))].sort()
