import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { databaseEngine } from './engine.ts'
import { atFirst, type DatabaseCall, nameOf, withRules } from './iris-help.ts'
import type { DatabaseRules } from './rules.ts'
import type { Connection, Role, StaticRole } from './state.ts'

const { rule, route, change } = faultsOf(databaseEngine, 'database')

/** Rules by which the rotation that is armed next falls due when it would have before the request. */
const armedAsBefore = ({ nextRotation }: DatabaseRules, call: DatabaseCall): Partial<DatabaseRules> => {
  const role = call.state.staticRoles.get(nameOf(call))
  if (role === undefined) return {}
  const due = role.rotatedAt + role.period
  return { nextRotation: atFirst((_role, now) => Math.max(0, due - now), nextRotation) }
}

route(
  'iris-period-unchecked-on-update',
  'DATABASE-STATIC-16',
  'the minimum of rotation_period is not looked at on updates (document 001, 4.1: minimum 5 seconds)',
  'database.writeStaticRole',
  withRules((_rules, call) => (call.state.staticRoles.has(nameOf(call)) ? { periodAllowed: (period) => period > 0 } : {})),
)

route(
  'iris-new-period-not-armed',
  'DATABASE-STATIC-02',
  'a new rotation_period counts from the rotation after the next (document 001, 4.1: rotated automatically after the rotation period)',
  'database.writeStaticRole',
  withRules(armedAsBefore),
)

const armed = new WeakSet<StaticRole>()

rule(
  'iris-scheduled-once',
  'DATABASE-ROTATE-01',
  'a static role is rotated by schedule only once (document 001, 4.1: rotated automatically after the rotation period)',
  {
    nextRotation: (original) => (role, now) => {
      if (armed.has(role)) return undefined
      armed.add(role)
      return original(role, now)
    },
  },
)

const rotatedRoots = new WeakSet<Connection>()

rule(
  'iris-second-root-password-lost',
  'DATABASE-ROOT-01',
  'the second root rotation of a connection does not store the new password (document 001, 4.1: rotates the stored root password)',
  {
    rotatedRoot: (original) => (connection, password) => {
      if (rotatedRoots.has(connection)) return connection.password
      rotatedRoots.add(connection)
      return original(connection, password)
    },
  },
)

const deletedStatic = remembered(() => new Set<string>())

change(
  'iris-recreated-static-not-set',
  'DATABASE-STATIC-25',
  'a static role that is created anew under an old name shows a password that the database never got (document 001, 2.1: static credentials)',
  {
    routes: {
      'database.deleteStaticRole': (original) => (call) => {
        deletedStatic(call.state).add(nameOf(call))
        return original(call)
      },
      'database.writeStaticRole': withRules(({ rotatesInDatabase }, call) =>
        deletedStatic(call.state).has(nameOf(call)) && !call.state.staticRoles.has(nameOf(call))
          ? { rotatesInDatabase: atFirst((_role: StaticRole) => false, rotatesInDatabase) }
          : {},
      ),
    },
  },
)

const deletedRoles = remembered(() => new Map<string, Role>())

change(
  'iris-recreated-role-inherits',
  'DATABASE-ROLE-06',
  'a role that is created anew under an old name has the fields of the old one where none are given (document 001, 4.1: default_ttl default 0)',
  {
    routes: {
      'database.deleteRole': (original) => (call) => {
        const role = call.state.roles.get(nameOf(call))
        if (role !== undefined) deletedRoles(call.state).set(nameOf(call), role)
        return original(call)
      },
      'database.writeRole': withRules(({ roleOf }, call) => ({
        roleOf: (body, previous) => roleOf(body, previous ?? deletedRoles(call.state).get(nameOf(call))),
      })),
    },
  },
)

const deletedConnections = remembered(() => new Map<string, Connection>())

change(
  'iris-deleted-connection-serves',
  'DATABASE-CONN-07',
  'the roles of a deleted connection still hand out credentials (document 001, 4.1: DELETE config/:name deletes the connection)',
  {
    rules: { connectionOf: (original) => (state, dbName) => original(state, dbName) ?? deletedConnections(state).get(dbName) },
    routes: {
      'database.deleteConnection': (original) => (call) => {
        const connection = call.state.connections.get(nameOf(call))
        if (connection !== undefined) deletedConnections(call.state).set(nameOf(call), connection)
        return original(call)
      },
    },
  },
)

const served = remembered(() => new Set<string>())

route(
  'iris-once-allowed',
  'DATABASE-ALLOWED-04',
  'a role that got credentials once stays allowed when allowed_roles names it no more (document 001, 4.1: the connection lists its roles)',
  'database.readCreds',
  (original) => async (call) => {
    const names = served(call.state)
    const forgiving = withRules(({ roleAllowed }) => ({
      roleAllowed: (allowed, role) => names.has(role) || roleAllowed(allowed, role),
    }))
    const reply = await forgiving(original)(call)
    names.add(nameOf(call))
    return reply
  },
)
