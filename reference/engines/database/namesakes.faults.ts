/** Faults between mounts that have connections, roles and static roles of one name; and lists of statements that stand in for another. */
import { faultsOf } from '../../mutations/declare.ts'
import { databaseEngine } from './engine.ts'
import type { DatabaseState } from './state.ts'
import { type DatabaseCall, type Handle, nameOf } from './wrappers.ts'

const { rule, change } = faultsOf(databaseEngine)

/** An operation that, once done, does something to the states of the other mounts of its server, as far as those were written to. */
const inOthersToo = (
  id: string,
  title: string,
  operation: string,
  act: (elsewhere: DatabaseState, call: DatabaseCall) => unknown,
): void => {
  const known = new WeakMap<object, Set<DatabaseState>>()
  const of = ({ services, state }: DatabaseCall): Set<DatabaseState> => {
    const all = known.get(services.leases) ?? new Set()
    known.set(services.leases, all)
    return all.add(state)
  }
  const written = (original: Handle): Handle => {
    return (call) => {
      of(call)
      return original(call)
    }
  }
  const acted = (original: Handle): Handle => {
    return async (call) => {
      const reply = await original(call)
      for (const state of of(call)) if (state !== call.state) await act(state, call)
      return reply
    }
  }
  change(id, 'DATABASE-APART-01', title, { routes: { 'database.writeConnection': written, [operation]: acted } })
}

inOthersToo(
  'root-of-namesakes',
  'the password of a rotated root is kept for connections of that name in other mounts, too',
  'database.rotateRoot',
  async ({ connections }, call) => {
    const [namesake, rotated] = [connections.get(nameOf(call)), call.state.connections.get(nameOf(call))]
    if (namesake && rotated) namesake.password = rotated.password
    await namesake?.link.close()
  },
)
inOthersToo(
  'static-role-of-namesakes',
  'a rotation by hand moves the time of the last rotation of static roles of that name in other mounts',
  'database.rotateRole',
  ({ staticRoles }, call) => {
    const namesake = staticRoles.get(nameOf(call))
    if (namesake) namesake.rotatedAt -= 60
  },
)
inOthersToo(
  'static-role-deleted-with-namesakes',
  'a static role is deleted in every mount that has one of its name',
  'database.deleteStaticRole',
  ({ staticRoles }, call) => staticRoles.delete(nameOf(call)),
)

rule('rollback-by-revocation', 'DATABASE-STMT-10', 'a failed creation runs the statements of revocation as well', {
  rollback: (original) => (role, standard) => [...original(role, standard), ...role.revocation],
})
