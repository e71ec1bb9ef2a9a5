/** `roles/`: what rights users get. */
import type { Route } from '../../core/engine.ts'
import { empty, secret } from '../../core/envelope.ts'
import { named } from '../../core/named.ts'
import type { BrokerRules } from './rules.ts'
import type { BrokerState } from './state.ts'

export const roleRoutes: Route<BrokerState, BrokerRules>[] = [
  {
    id: 'broker.writeRole',
    method: 'POST',
    path: 'roles/:name',
    handle(call) {
      const role = call.rules.roleOf(call.body)
      call.rules.vhostsOf(role.vhosts)
      call.rules.topicsOf(role.vhostTopics)
      call.state.roles.set(call.params.name ?? '', role)
      return empty()
    },
  },
  {
    id: 'broker.readRole',
    method: 'GET',
    path: 'roles/:name',
    handle: (call) => secret(call.rules.shownRole(named(call, call.state.roles, 'role'))),
  },
  {
    id: 'broker.deleteRole',
    method: 'DELETE',
    path: 'roles/:name',
    handle(call) {
      if (call.rules.forgetsRole()) call.state.roles.delete(call.params.name ?? '')
      return empty()
    },
  },
]
