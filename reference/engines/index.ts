/** All engines of the reference server: what the files `<engine>/engine.ts` export. */
import type { Engine } from '../core/engine.ts'
import { importAll } from '../discovery.ts'
import type { CallerRules } from '../run-management/caller-rules.ts'
import type { Part } from '../run-management/part.ts'

/** What an `engine.ts` exports, besides the engines by their own names. */
interface EngineModule {
  /** Engines of the secrets API; most files have one, the key-value engine has two versions. */
  mountTypes?: Engine[]
  /** Parts of the run-management API. */
  parts?: Part<CallerRules>[]
}

const modules = await importAll<EngineModule>(/^engine$/, 'engines')

export const allEngines: Engine[] = modules.flatMap(({ mountTypes = [] }) => mountTypes)

export const allParts: Part<CallerRules>[] = modules.flatMap(({ parts = [] }) => parts)
