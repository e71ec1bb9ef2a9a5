/** Connections: what a former one leaves, what a reset starts from. */
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { databaseEngine } from './engine.ts'
import type { Connection } from './state.ts'
import { nameOf } from './wrappers.ts'

const { change } = faultsOf(databaseEngine)

const formerRoles = remembered(() => new Map<string, string[]>())

change(
  'patched-former-allowed-roles',
  ['DATABASE-ALLOWED-01'],
  'a connection made again under its name keeps allowed_roles of the deleted one where none are given',
  {
    routes: {
      'database.deleteConnection': (original) => (call) => {
        const connection = call.state.connections.get(nameOf(call))
        if (connection) formerRoles(call.state).set(nameOf(call), connection.allowedRoles)
        return original(call)
      },
      'database.writeConnection': (original) => (call) => {
        const former = call.state.connections.has(nameOf(call)) ? undefined : formerRoles(call.state).get(nameOf(call))
        return original(former ? { ...call, body: { allowed_roles: former, ...call.body } } : call)
      },
    },
  },
)

const written = new WeakMap<Connection, string>()

change(
  'patched-reset-as-written',
  ['DATABASE-ROOT-06'],
  'a reset restarts with the password as it was written, before the root user was rotated',
  {
    routes: {
      'database.writeConnection': (original) => async (call) => {
        const given = await original(call)
        const connection = call.state.connections.get(nameOf(call))
        if (connection) written.set(connection, connection.password)
        return given
      },
      'database.resetConnection': (original) => (call) => {
        const connection = call.state.connections.get(nameOf(call))
        if (connection) connection.password = written.get(connection) ?? connection.password
        return original(call)
      },
    },
  },
)
