/** All faults of the key-value engines. */
import type { Fault } from '../../core/mutation.ts'
import { listingFaults } from './listings.ts'
import { sequenceFaults } from './sequences.ts'
import { v1Faults } from './v1.ts'
import { v2Faults } from './v2.ts'
import { versionFaults } from './versions.ts'

export const kvFaults: Fault[] = [...v1Faults, ...listingFaults, ...v2Faults, ...versionFaults, ...sequenceFaults]
