/** The transform engine: format-preserving encryption, masking and tokenization of values. */
import type { Engine } from '../../core/engine.ts'
import { codingRoutes } from './coding.ts'
import { definitionRoutes } from './definitions.ts'
import { questionRoutes } from './questions.ts'
import { roleRoutes } from './roles.ts'
import { type TransformRules, transformRules } from './rules.ts'
import type { TransformState } from './state.ts'
import { storeRoutes } from './stores.ts'
import { internalStore } from './token-store.ts'
import { transformationRoutes } from './transformations.ts'

export const transformEngine: Engine<TransformState, TransformRules> = {
  type: 'transform',
  rules: transformRules,
  newState: () => ({
    alphabets: new Map(),
    templates: new Map(),
    transformations: new Map(),
    roles: new Map(),
    internalStore: internalStore(),
    stores: new Map(),
  }),
  routes: [...definitionRoutes, ...transformationRoutes, ...roleRoutes, ...storeRoutes, ...codingRoutes, ...questionRoutes],
  async close(state) {
    await Promise.all([...state.stores.values()].map(({ tokens }) => tokens.close()))
  },
}

export const mountTypes = [transformEngine]
