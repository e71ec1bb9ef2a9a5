/** What the process that starts the target hands to the one that runs the checks. */
import type { AnyHandle } from '../harness/base/backend-handle.ts'
import type { RunContext } from '../harness/sending/context.ts'
import type { Effort } from '../harness/target/configured-names.ts'
import type { RunConfig } from '../harness/target/run-configuration.ts'

export interface Provided {
  config: RunConfig
  seed: number
  effort: Effort
  backends: Record<string, AnyHandle>
  missingBackends: RunContext['missingBackends']
  /** False with the reference server, which claims what this machine can exercise. */
  claimsAll: boolean
}

/** What a test tells reporters beside its title. */
export interface CheckMeta {
  id: string
  engine: string
  clauses: string[]
  /** Outcome of the check, once it has run. */
  outcome?: string
}

declare module 'vitest' {
  interface ProvidedContext {
    assay: Provided
  }
  interface TaskMeta {
    assay?: CheckMeta
  }
}
