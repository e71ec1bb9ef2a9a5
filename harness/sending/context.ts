/** Everything that the checks of one run share. */
import type { AnyHandle } from '../base/backend-handle.ts'
import type { CheckDefinition } from '../checks/vocabulary.ts'
import type { CleanUpTime } from '../cleanup/cleanup.ts'
import type { Journal } from '../cleanup/journal.ts'
import type { Contract } from '../contract/contract.ts'
import type { SecretRegistry } from '../secrets/secrets.ts'
import type { Effort } from '../target/configured-names.ts'
import type { RunClock } from '../target/run-clock.ts'
import type { RunTokens } from '../target/run-tokens.ts'
import type { Target } from '../target/target.ts'
import type { UndoStep } from '../target/undo.ts'
import type { Ledger } from './ledger.ts'
import type { NameForms } from './name-forms.ts'
import type { Reservations } from './reservations.ts'

export interface RunContext {
  /** Unique name of the run; everything it creates begins with `assay-<run>`. */
  run: string
  seed: number
  effort: Effort
  contract: Contract
  /** By API. */
  targets: Map<string, Target>
  secrets: SecretRegistry
  ledger: Ledger
  journal: Journal
  backends: Record<string, AnyHandle>
  missingBackends: Record<string, { reason: string; remedy: string }>
  /** Milliseconds. */
  grace: number
  /** Milliseconds that a check has at least, whatever its own deadline. */
  least?: number
  counts: Map<string, number>
  /** Mounts shared by checks, by API and type. */
  shared: Map<string, Promise<string>>
  /** Fixtures that checks work in one after the other. */
  reservations: Reservations
  /** Taken back when the run ends. */
  undo: UndoStep[]
  leftovers: string[]
  cleanUp: CleanUpTime
  clock: RunClock
  tokens: RunTokens
  names: NameForms
  /** fast-check path to replay, from `--replay`. */
  replay?: string
  /** Keeps the exchanges of passed checks too, for `--trace`. */
  trace: boolean
  /** Sends requests in plain form only: what two servers are asked is compared, and a check that fails is not repeated for its forms. */
  plain: boolean
  /** Leaves a generated case that fails as it was drawn, and tries it once: a proof asks whether a check fails, and does not show why. */
  verdictsOnly: boolean
  /** Told of a clause that a check found violated, while it goes on. */
  foundViolated?(clause: string): void
  signal: AbortSignal
}

/** The target that an engine's checks run against. */
export const targetOf = (context: RunContext, engine: string): Target => {
  const api = context.contract.engines.get(engine)?.api
  const target = api === undefined ? undefined : context.targets.get(api)
  if (target === undefined) throw new Error(`no target for engine ${engine}`)
  return target
}

export const targetOfCheck = (context: RunContext, check: CheckDefinition): Target => targetOf(context, check.engine)
