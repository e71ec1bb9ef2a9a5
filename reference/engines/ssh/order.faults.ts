/** Faults of a second time, of afterwards, and of what stays in a cache. */

import { faultsOf } from '../../mutations/declare.ts'
import { sshEngine } from './engine.ts'
import type { Role } from './state.ts'
import { type Handle, nameOf } from './wrappers.ts'

const { change } = faultsOf(sshEngine)

const buried = new WeakMap<Map<string, Role>, Map<string, Role>>()
let remembered: Role | undefined
change(
  'time-recreated-role-remembers',
  ['SSH-ROLE-08'],
  'a role that is made again has the old fields where the new write is silent (000 4.4, DELETE roles)',
  {
    rules: {
      deleteRole: (original) => (roles, name) => {
        const graves = buried.get(roles) ?? new Map<string, Role>()
        const role = roles.get(name)
        if (role) graves.set(name, role)
        buried.set(roles, graves)
        return original(roles, name)
      },
      base: (original) => (existing, defaults) => original(existing, remembered ?? defaults),
    },
    routes: {
      'ssh.writeRole': (original: Handle) => (call) => {
        remembered = buried.get(call.state.roles)?.get(nameOf(call))
        return original(call)
      },
    },
  },
)
