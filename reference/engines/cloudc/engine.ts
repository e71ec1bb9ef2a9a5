/** The cloud-C engine: service accounts with rights at a cloud provider, their tokens and their keys. */
import type { Engine } from '../../core/engine.ts'
import { tokenRoutes } from './access-tokens.ts'
import { configRoutes } from './config.ts'
import { keyRoutes } from './keys.ts'
import { rolesetRoutes } from './rolesets.ts'
import { type CloudcRules, cloudcRules } from './rules.ts'
import type { CloudcState } from './state.ts'

export const cloudcEngine: Engine<CloudcState, CloudcRules> = {
  type: 'cloudc',
  operator: 'cloud',
  rules: cloudcRules,
  newState: () => ({ config: { credentials: '', ttl: 0, maxTtl: 0 }, rolesets: new Map(), turns: new Map(), links: new Map() }),
  routes: [...configRoutes, ...rolesetRoutes, ...tokenRoutes, ...keyRoutes],
  async close({ links }) {
    for (const link of links.values()) await link.close()
  },
}

export const mountTypes = [cloudcEngine]
