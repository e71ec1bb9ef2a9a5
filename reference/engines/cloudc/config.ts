/** `config`: credentials and lease times. */
import type { Route } from '../../core/engine.ts'
import { empty, secret } from '../../core/envelope.ts'
import type { CloudcRules } from './rules.ts'
import type { CloudcState } from './state.ts'

export const configRoutes: Route<CloudcState, CloudcRules>[] = [
  {
    id: 'cloudc.writeConfig',
    method: 'POST',
    path: 'config',
    handle({ state, body, rules }) {
      state.config = rules.configOf(body, state.config, rules.credentialsOf)
      return empty()
    },
  },
  { id: 'cloudc.readConfig', method: 'GET', path: 'config', handle: ({ state, rules }) => secret(rules.shownConfig(state.config)) },
]
