/** All engines of the reference server. */
import type { Engine } from '../core/engine.ts'

export const allEngines: Engine[] = []
