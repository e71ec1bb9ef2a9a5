/** Every decision of the transform engine, small and named, so that a fault or a variant can replace one of them. */
import { codingRules } from './coding.rules.ts'
import { definitionRules } from './definitions.rules.ts'
import { roleRules } from './roles.rules.ts'
import { storeRules } from './stores.rules.ts'
import { transformationRules } from './transformations.rules.ts'
import { tokenRules } from './value-tokens.rules.ts'

export const transformRules = { ...definitionRules, ...transformationRules, ...roleRules, ...codingRules, ...tokenRules, ...storeRules }

export type TransformRules = typeof transformRules
