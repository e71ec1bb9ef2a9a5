/** Faults in which a request reaches further than what it names: other roles of the mount, and other mounts. */
import { coreEngine } from '../../core/core-engine.ts'
import { faultsOf } from '../../faults/declare.ts'
import { remembered } from '../../faults/remembering.ts'
import { databaseEngine } from './engine.ts'
import type { DatabaseState } from './state.ts'
import { connectionAt, type DatabaseCall, type Handle, nameOf, staticRoleAt } from './wrappers.ts'

const { route, change, declared } = faultsOf(databaseEngine)
const core = faultsOf(coreEngine, 'database')

route(
  'rotation-stamps-siblings',
  'DATABASE-APART-01',
  'a rotation by hand also sets the time of the last rotation of the other static roles of the connection',
  'database.rotateRole',
  (original) => async (call) => {
    const reply = await original(call)
    const role = staticRoleAt(call)
    for (const other of call.state.staticRoles.values()) if (role?.dbName === other.dbName) other.rotatedAt = role.rotatedAt
    return reply
  },
)
route(
  'static-deletion-takes-role',
  'DATABASE-APART-01',
  'with a static role goes the dynamic role of the same name',
  'database.deleteStaticRole',
  (original) => (call) => {
    call.state.roles.delete(nameOf(call))
    return original(call)
  },
)
/** The states of all mounts of a server that were written to. */
const statesOf = remembered(() => new Set<DatabaseState>())
const statesKnownTo = ({ services, state }: DatabaseCall): Set<DatabaseState> => statesOf(services.leases).add(state)
change(
  'root-of-namesakes',
  'DATABASE-APART-01',
  'the password of a rotated root is kept for connections of that name in other mounts, too',
  {
    routes: {
      'database.writeConnection': (original: Handle) => (call) => {
        statesKnownTo(call)
        return original(call)
      },
      'database.rotateRoot': (original: Handle) => async (call) => {
        const reply = await original(call)
        for (const { connections } of statesKnownTo(call)) {
          const [namesake, rotated] = [connections.get(nameOf(call)), connectionAt(call)]
          if (!namesake || !rotated || namesake === rotated) continue
          namesake.password = rotated.password
          await namesake.link.close()
        }
        return reply
      },
    },
  },
)

// Names and paths
const named =
  (changed: (name: string) => string) =>
  (original: Handle): Handle =>
  (call) =>
    original({ ...call, params: { ...call.params, name: changed(nameOf(call)) } })
route(
  'role-name-extension',
  'DATABASE-ROLE-03',
  'role names that differ behind a period are one role',
  ['database.writeRole', 'database.readRole', 'database.deleteRole', 'database.readCreds'],
  named((name) => name.replace(/\.[^.]+$/, '')),
)
route(
  'connection-name-extension',
  'DATABASE-CONN-03',
  'what follows a period in the name of a connection is dropped',
  ['database.writeConnection', 'database.readConnection', 'database.deleteConnection'],
  named((name) => name.replace(/\.[^.]+$/, '')),
)
route(
  'name-in-body-first',
  'CORE-NAME-02',
  'a name in the body of a connection goes before the one in the path',
  'database.writeConnection',
  (original) => (call) => named((name) => (typeof call.body.name === 'string' ? call.body.name : name))(original)(call),
)

export const faults = [...declared, ...core.declared]
