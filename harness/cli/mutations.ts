/** The faults and variants of the reference server that a user names. */
import { allFaults, allVariants } from '../../reference/faults/index.ts'
import { requireKnown } from '../base/usage.ts'

interface Named {
  fault?: string[]
  variant?: string[]
}

/**
 * Those with these ids.
 *
 * @throws UsageError that names the first unknown id and the nearest known.
 */
export const namedMutations = ({ fault = [], variant = [] }: Named): { faults: typeof allFaults; variants: typeof allVariants } => {
  const idsOf = (all: { id: string }[]): string[] => all.map(({ id }) => id)
  requireKnown('fault', fault, idsOf(allFaults))
  requireKnown('variant', variant, idsOf(allVariants))
  return { faults: allFaults.filter(({ id }) => fault.includes(id)), variants: allVariants.filter(({ id }) => variant.includes(id)) }
}
