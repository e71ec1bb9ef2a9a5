/** Faults of the database engine that somebody wrote who knows the contract and nothing of the checks. */
import { coreEngine } from '../../core/core-engine.ts'
import type { Json } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { replyData } from '../../mutations/wrappers.ts'
import { databaseEngine } from './engine.ts'
import { rotate, schedule } from './rotation.ts'
import type { DatabaseState, StaticRole } from './state.ts'
import { type DatabaseCall, nameOf } from './wrappers.ts'

const { rule, route, change } = faultsOf(databaseEngine)

route(
  'slip-static-deletion-takes-namesake',
  ['DATABASE-APART-01'],
  'with a static role goes the dynamic role of the same name',
  'database.deleteStaticRole',
  (original) => (call) => {
    call.state.roles.delete(nameOf(call))
    return original(call)
  },
)

route(
  'slip-rotation-takes-siblings-along',
  ['DATABASE-APART-01'],
  'a rotation by hand rotates every static role of the connection',
  'database.rotateRole',
  (original) => async (call) => {
    const reply = await original(call)
    const rotated = call.state.staticRoles.get(nameOf(call))
    for (const role of call.state.staticRoles.values()) {
      if (role === rotated || role.dbName !== rotated?.dbName) continue
      await rotate(call, role, call.rules.rotatedByHandAt)
      schedule(call, role)
    }
    return reply
  },
)

const starAlone = (original: (allowed: string[], role: string) => boolean) => (allowed: string[], role: string) =>
  original(allowed.length > 1 ? allowed.filter((name) => name !== '*') : allowed, role)

rule('slip-star-only-alone', ['DATABASE-ALLOWED-05'], 'an asterisk among the allowed roles counts only where it is the only entry', {
  roleAllowed: starAlone,
  staticRoleAllowed: starAlone,
})

rule('slip-period-of-five-refused', ['DATABASE-STATIC-17'], 'a rotation period of exactly the minimum is refused', {
  periodAllowed: (original) => (period) => original(period) && period !== 5,
})

const configured = remembered(() => new Map<string, string>())

change(
  'slip-reset-undoes-root-rotation',
  ['DATABASE-ROOT-06'],
  'a reset starts the connection with the root password that was configured, not with the rotated one',
  {
    routes: {
      'database.writeConnection': (original) => async (call) => {
        const reply = await original(call)
        configured(call.state).set(nameOf(call), call.state.connections.get(nameOf(call))?.password ?? '')
        return reply
      },
      'database.resetConnection': (original) => (call) => {
        const connection = call.state.connections.get(nameOf(call))
        const password = configured(call.state).get(nameOf(call))
        if (connection && password !== undefined) connection.password = password
        return original(call)
      },
    },
  },
)

const turns = remembered(() => ({ count: 0 }))

rule('slip-scheduled-once', ['DATABASE-ROTATE-01', 'DATABASE-STATIC-02'], 'a static role is rotated by schedule once and then no more', {
  rotatedAt: (original) => (role, now) => {
    turns(role).count += 1
    return original(role, now)
  },
  // The first time is the one at creation.
  nextRotation: (original) => (role: StaticRole, now) => (turns(role).count > 1 ? undefined : original(role, now)),
})

faultsOf(coreEngine, 'database').rule(
  'slip-static-role-sought-among-roles',
  ['DATABASE-CAP-03'],
  'whether a static role exists is looked up among the dynamic roles',
  {
    capabilityGranted: (original) => (granted, needed, call) => {
      const isWrite = call?.method === 'POST' && /\/static-roles\/[^/]+$/.test(call.path)
      const { roles, staticRoles } = (call?.state ?? {}) as Partial<DatabaseState>
      if (!isWrite || staticRoles === undefined || roles === undefined) return original(granted, needed, call)
      return original(granted, roles.has(call.params.name ?? '') ? 'update' : 'create', call)
    },
  },
)

const written = remembered(() => new Map<string, Record<string, Json>>())

change(
  'slip-ttl-as-written',
  ['DATABASE-TTL-04', 'DATABASE-TTL-10'],
  'durations of a role that were written as text are read back as that text',
  {
    routes: {
      'database.writeRole': (original) => async (call) => {
        const reply = await original(call)
        const texts = Object.entries(call.body).filter(([field, value]) => /^(default|max)_ttl$/.test(field) && typeof value === 'string')
        written(call.state).set(nameOf(call), Object.fromEntries(texts) as Record<string, Json>)
        return reply
      },
      'database.readRole': replyData((data, call: DatabaseCall) => ({ ...data, ...written(call.state).get(nameOf(call)) })),
    },
  },
)
