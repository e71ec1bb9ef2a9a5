/** `roles/`: what rights users get. */
import type { Route } from '../../core/engine.ts'
import { empty, secret } from '../../core/envelope.ts'
import { notFound } from '../../core/errors.ts'
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
    handle(call) {
      const role = call.state.roles.get(call.params.name ?? '')
      if (role === undefined) throw notFound(`no role ${call.params.name}`)
      return secret(call.rules.shownRole(role))
    },
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
