/** The broker engine: users made in RabbitMQ on demand, with a lease each. */
import type { Engine } from '../../core/engine.ts'
import { connectionRoutes } from './connection.ts'
import { credentialRoutes } from './credentials.ts'
import { roleRoutes } from './roles.ts'
import { type BrokerRules, brokerRules } from './rules.ts'
import type { BrokerState } from './state.ts'

export const brokerEngine: Engine<BrokerState, BrokerRules> = {
  type: 'broker',
  rules: brokerRules,
  newState: () => ({ connection: undefined, lease: { ttl: 0, maxTtl: 0 }, roles: new Map() }),
  routes: [...connectionRoutes, ...roleRoutes, ...credentialRoutes],
}

export const mountTypes = [brokerEngine]
