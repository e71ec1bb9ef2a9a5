/** Key-value, version 2: each write makes a version, which can be deleted, restored and destroyed. */
import type { Engine } from '../../core/engine.ts'
import { type Kv2Rules, kv2Rules } from './kv2.rules.ts'
import { dataRoutes } from './kv2-data.ts'
import { settingsRoutes } from './kv2-settings.ts'
import { versionRoutes } from './kv2-versions.ts'
import { type Kv2State, noSettings } from './records.ts'

export const kv2Engine: Engine<Kv2State, Kv2Rules> = {
  type: 'kv2',
  rules: kv2Rules,
  newState: () => ({ keys: new Map(), config: noSettings() }),
  routes: [...dataRoutes, ...versionRoutes, ...settingsRoutes],
}
