/** `--plan`: what a run would do and create. */

import { backendsOf, type Plan } from '../planning/plan.ts'
import type { RunContext } from '../sending/context.ts'

const count = (items: readonly string[]): string => {
  const counts = new Map<string, number>()
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1)
  return [...counts].map(([name, times]) => `${times} ${name}`).join(', ') || 'none'
}

/**
 * The plan as text.
 *
 * @param within milliseconds into which the run has to fit; none where it may take as long as it does.
 */
export const showPlan = (context: RunContext, plan: Plan, within?: number): string => {
  const shared = new Set(
    [...context.contract.operations.values()]
      .filter((operation) => plan.engines.includes(operation.engine) && operation.mount !== undefined)
      .map((operation) => operation.mount!),
  )
  const own = plan.checks.flatMap((check) => Object.values(check.needs.mounts ?? {}).map((mount) => mount.type))
  const features = plan.checks.flatMap((check) => check.needs.features ?? [])
  const lines = [
    `run        assay-${context.run} (every object on the target begins with this name)`,
    ...[...context.targets.values()].map(
      (target) =>
        `target     ${target.config.url} (${target.api.title}, dialect ${target.dialect.dialect}, provisioner ${target.provisioner.kind})`,
    ),
    `engines    ${plan.engines.join(', ')}`,
    `checks     ${plan.checks.length}: ${count(plan.checks.map((check) => check.kind))}`,
    ...(within === undefined ? [] : [`within     ${within / 1000} s: as many of these as fit, each clause once before any twice`]),
    `mounts     shared: ${[...shared].join(', ') || 'none'}; for single checks: ${count(own)}`,
    `also       ${count(features)} (checks that ask for it); tokens and policies as checks need them`,
    `backends   ${backendsOf(plan.checks).join(', ') || 'none'}`,
    `with leave ${count(plan.checks.flatMap((check) => check.needs.allow ?? []))}`,
  ]
  return `${lines.join('\n')}\n`
}
