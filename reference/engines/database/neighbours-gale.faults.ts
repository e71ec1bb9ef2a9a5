import { secret } from '../../core/envelope.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { databaseEngine } from './engine.ts'
import { dataOf, leaseOf, nameOf, withRules } from './gale-help.ts'
import type { DatabaseState } from './state.ts'

const { rule, route, change } = faultsOf(databaseEngine, 'database')

rule(
  'gale-orphan-uses-connection',
  'DATABASE-STATIC-14',
  'a role whose connection is not there works on the connection that was written last (001, 4.1: db_name names the connection)',
  { connectionOf: (original) => (state, dbName) => original(state, dbName) ?? [...state.connections.values()].at(-1) },
)

route(
  'gale-hand-rotation-resets-all-ttls',
  'DATABASE-APART-01',
  'rotating one static role by hand starts the TTL of the other static roles of its connection anew (001, 4.1: rotate-role resets its TTL)',
  'database.rotateRole',
  (original) => async (call) => {
    const reply = await original(call)
    const role = call.state.staticRoles.get(nameOf(call))
    for (const other of call.state.staticRoles.values()) if (other !== role && other.dbName === role?.dbName) other.rotatedAt = call.now()
    return reply
  },
)

route(
  'gale-new-static-role-stops-others',
  'DATABASE-ROTATE-01',
  'a new static role ends the automatic rotation of those that its connection has already (001, 4.1: static roles are rotated automatically after the rotation period)',
  'database.writeStaticRole',
  (original) => async (call) => {
    const isNew = !call.state.staticRoles.has(nameOf(call))
    const reply = await original(call)
    const role = call.state.staticRoles.get(nameOf(call))
    const others = [...call.state.staticRoles.values()].filter((other) => other !== role && other.dbName === role?.dbName)
    if (isNew) for (const other of others) other.cancel()
    return reply
  },
)

const statesOf = remembered(() => new Set<DatabaseState>())
const holding = (services: object, dbName: string): DatabaseState | undefined =>
  [...statesOf(services)].find((state) => state.connections.has(dbName))

change(
  'gale-connection-of-other-mount',
  'DATABASE-ROLE-11',
  'a role may name a connection that only another database mount has, and gets credentials by it (001, 4.1 and head: connections are stored in the mount that a path names)',
  {
    routes: {
      'database.writeConnection': (original) => (call) => {
        statesOf(call.services).add(call.state)
        return original(call)
      },
      'database.writeRole': (original) => (call) =>
        original(
          withRules(call, {
            connectionKnownAtWrite: (state, dbName) =>
              call.rules.connectionKnownAtWrite(state, dbName) || holding(call.services, dbName) !== undefined,
          }),
        ),
      'database.readCreds': (original) => (call) =>
        original(
          withRules(call, {
            connectionOf: (state, dbName) =>
              call.rules.connectionOf(state, dbName) ?? holding(call.services, dbName)?.connections.get(dbName),
          }),
        ),
    },
  },
)

const latestRevocations = remembered(() => new Map<string, () => Promise<void>>())

route(
  'gale-lease-ends-newest-user',
  'DATABASE-CREDS-07',
  'the end of any lease of a role removes the user that was made last instead of its own (001, 1: each credential has its lease)',
  'database.readCreds',
  (original) => async (call) => {
    const reply = await original(call)
    const lease = leaseOf(call, reply)
    if (lease === undefined) return reply
    const latest = latestRevocations(call.state)
    const own = lease.request.revoke
    latest.set(nameOf(call), own)
    lease.request.revoke = () => (latest.get(nameOf(call)) ?? own)()
    return reply
  },
)

rule(
  'gale-revocation-carries-over',
  'DATABASE-ROLE-06',
  'a new role without revocation_statements gets those of the role that was written before (001, 4.1: default [])',
  {
    roleOf: (original) => {
      let last: string[] = []
      return (body, previous) => {
        const role = original(body, previous)
        if (body.revocation_statements === undefined && previous === undefined) role.revocation = last
        last = role.revocation
        return role
      }
    },
  },
)

route(
  'gale-creds-of-static-role',
  'DATABASE-CREDS-04',
  'creds/:name answers with the credentials of a static role where no dynamic role has the name (001, 4.1: creds belong to dynamic roles, static-creds to static ones)',
  'database.readCreds',
  (original) => (call) => {
    const fixed = call.state.roles.has(nameOf(call)) ? undefined : call.state.staticRoles.get(nameOf(call))
    return fixed === undefined ? original(call) : secret({ username: fixed.username, password: fixed.password })
  },
)

route(
  'gale-reset-stops-rotations',
  'DATABASE-ROTATE-01',
  'resetting a connection ends the automatic rotation of its static roles (001, 4.1: reset restarts the connection; static roles are rotated automatically)',
  'database.resetConnection',
  (original) => async (call) => {
    const reply = await original(call)
    for (const role of call.state.staticRoles.values()) if (role.dbName === nameOf(call)) role.cancel()
    return reply
  },
)

const latestUsers = remembered(() => new Map<string, string>())

route(
  'gale-rollback-hits-earlier-user',
  'DATABASE-STMT-10',
  'the rollback of a failed create works on the user that the role was given before (001, 4.1: rollback_statements roll back the failed create)',
  'database.readCreds',
  (original) => async (call) => {
    const users = latestUsers(call.state)
    const earlier = users.get(nameOf(call))
    const rollback: typeof call.rules.rollback = (role, standard) =>
      call.rules
        .rollback(role, standard)
        .map((text) => (earlier === undefined ? text : text.replaceAll(/\{\{\s*(name|username)\s*\}\}/g, earlier)))
    const reply = await original(withRules(call, { rollback }))
    users.set(nameOf(call), String(dataOf(reply).username))
    return reply
  },
)

rule(
  'gale-default-ttl-of-other-role',
  'DATABASE-ROLE-06',
  'a role with default_ttl 0 gets the default_ttl of the role of its mount that was used before (001, 4.1: 0 means the system or engine default)',
  {
    leaseTimes: (original) => {
      const used = new Map<string, number>()
      return (role, mount) => {
        const place = mount.namespace + mount.path
        if (role.defaultTtl > 0) used.set(place, role.defaultTtl)
        return original({ ...role, defaultTtl: used.get(place) ?? 0 }, mount)
      }
    },
  },
)
