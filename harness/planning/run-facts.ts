/** What results say of a run beside what its checks saw. */
import type { Against, FailOn, KillRecord, Reproduction, VariantRecord } from '../../specs/meta/results.ts'
import type { CheckDefinition } from '../checks/vocabulary.ts'
import type { Deviation } from './deviations.ts'
import type { Profile } from './profiles.ts'

export interface RunFacts {
  name: string
  /** Command-line words that lead to the same target, without selection and seed. */
  rerun: string[]
  /** Words that made the selection. */
  selection: string[]
  probed: boolean
  notes: string[]
  startedAt: Date
  /** The same by a clock that nobody sets: `performance.now()`. */
  begun: number
  /** Checks whose backends this machine cannot give, when the embedded server claims only what it can exercise. */
  notClaimed: CheckDefinition[]
  /** Clauses of claimed engines that only operations of engines outside the target's claims can show. */
  elsewhere?: ReadonlySet<string>
  unclaimedEngines: { id: string; reason: string; remedy: string }[]
  deviations: Deviation[]
  /** Entries that no longer occur are taken out of their file, so that they fail nothing. */
  removesStale?: boolean
  requests: number
  /** What fails the gate on demand. */
  failOn?: FailOn[]
  server?: string
  kills?: KillRecord[]
  variants?: VariantRecord[]
  /** What the target is to be certified for. */
  profile?: Profile
  /** What a second server answered to the same. */
  against?: Against
  /** What came of sending the evidence of violated clauses again. */
  reproduced?: ReadonlyMap<string, Reproduction>
}
