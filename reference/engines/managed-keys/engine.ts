/** Managed keys: keys that a module or a cloud service holds, administered at a path of the system. */
import type { Engine } from '../../core/engine.ts'
import { keyRoutes } from './keys.ts'
import { makeModules } from './modules.ts'
import { type ManagedKeyRules, managedKeyRules } from './rules.ts'
import { signRoutes } from './sign.ts'
import type { ManagedKeysState } from './state.ts'

export const managedKeysEngine: Engine<ManagedKeysState, ManagedKeyRules> = {
  type: 'managed-keys',
  systemPath: 'sys/managed-keys',
  operator: 'libraries',
  rules: managedKeyRules,
  newState: () => ({ namespaces: new Map(), modules: makeModules() }),
  routes: [...keyRoutes, ...signRoutes],
  close: (state) => state.modules.close(),
}

export const mountTypes = [managedKeysEngine]
