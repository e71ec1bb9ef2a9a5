/** All faults and variants of the reference server: what the files `*.faults.ts` and `*.variants.ts` declare. */
import { importAll } from '../discovery.ts'
import { declared } from './declare.ts'

await importAll(/\.(faults|variants)$/)

export const { faults: allFaults, variants: allVariants } = declared()
