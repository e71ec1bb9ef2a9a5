/** Routes of roles. */
import type { Route } from '../../core/engine.ts'
import { empty, secret } from '../../core/envelope.ts'
import { kept, nameOf, removed } from './definitions.ts'
import type { TransformRules } from './rules.ts'
import type { TransformState } from './state.ts'

export const roleRoutes: Route<TransformState, TransformRules>[] = [
  {
    id: 'transform.writeRole',
    method: 'POST',
    path: 'role/:name',
    exists: (call) => call.state.roles.has(nameOf(call)),
    handle(call) {
      call.state.roles.set(nameOf(call), call.rules.roleOf(call.body, call.state.roles.get(nameOf(call))))
      return empty()
    },
  },
  {
    id: 'transform.readRole',
    method: 'GET',
    path: 'role/:name',
    handle: (call) => secret(call.rules.shownRole(kept(call, call.state.roles))),
  },
  {
    id: 'transform.listRoles',
    method: 'LIST',
    path: 'role',
    handle(call) {
      const filter = call.rules.filterOf(call.query)
      return call.services.listing(call.rules.roleNames(call.state).filter((name) => call.rules.fits(name, filter)))
    },
  },
  {
    id: 'transform.deleteRole',
    method: 'DELETE',
    path: 'role/:name',
    handle: (call) => removed(call, call.state.roles, call.rules.forgetsRole()),
  },
]
