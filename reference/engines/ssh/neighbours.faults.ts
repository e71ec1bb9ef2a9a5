/** Faults in which a request reaches further than the object that it names. */
import type { JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { replyData } from '../../mutations/wrappers.ts'
import { sshEngine } from './engine.ts'
import { type Handle, nameOf } from './wrappers.ts'

const { rule, route, change } = faultsOf(sshEngine)

rule(
  'neighbour-role-prefix',
  ['SSH-ROLE-08'],
  'deleting a role deletes every role whose name begins with its name (000 4.4, DELETE roles)',
  {
    deleteRole: (original) => (roles, name) => {
      for (const other of [...roles.keys()]) if (other !== name && other.startsWith(name)) roles.delete(other)
      return original(roles, name)
    },
  },
)

const sharedExtensions: Record<string, string> = {}
change(
  'neighbour-default-extensions',
  ['SSH-DEFEXT-04'],
  'default extensions of one role are added to those of all roles made later without any (000 4.4, default_extensions)',
  {
    rules: { defaults: (original) => () => ({ ...original(), default_extensions: { ...sharedExtensions } }) },
    routes: {
      'ssh.writeRole': (original: Handle) => async (call) => {
        const given = await original(call)
        Object.assign(sharedExtensions, call.state.roles.get(nameOf(call))?.default_extensions)
        return given
      },
    },
  },
)

route(
  'neighbour-key-info-of-first',
  ['SSH-ROLE-06'],
  'key_info says of all roles what it says of the first (000 4.4, LIST roles)',
  'ssh.listRoles',
  replyData((data) => {
    const info = data.key_info as JsonObject
    const [first] = Object.values(info)
    return { ...data, key_info: Object.fromEntries(Object.keys(info).map((name) => [name, first ?? null])) }
  }),
)
