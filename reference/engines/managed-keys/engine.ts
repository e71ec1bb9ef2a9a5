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
  newState: () => ({ namespaces: new Map(), modules: makeModules(), links: new Map(), making: Promise.resolve() }),
  routes: [...keyRoutes, ...signRoutes],
  async close(state) {
    await state.modules.close()
    await Promise.all([...state.links.values()].map((link) => link.close()))
  },
}

export const mountTypes = [managedKeysEngine]
