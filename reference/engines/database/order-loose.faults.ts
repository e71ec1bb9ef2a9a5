/** Faults that depend on what was asked before: the second call, an update, a deletion, a failure, a rotation, a renewal. */
import { faultsOf } from '../../mutations/declare.ts'
import { brokenAfterFailure, bySeenRole, remembered } from '../../mutations/remembering.ts'
import { replyData } from '../../mutations/wrappers.ts'
import { databaseEngine } from './engine.ts'
import { type DatabaseCall, leasing, nameOf } from './loose-words.ts'
import type { DatabaseRules } from './rules.ts'
import type { Connection, DatabaseState } from './state.ts'

const { rule, route, change } = faultsOf(databaseEngine)

rule(
  'seq-root-keeps-old-password',
  ['DATABASE-ROOT-02', 'DATABASE-ROOT-06'],
  'after rotate-root the connection keeps the password from before (001 4.1, rotates the stored)',
  {
    rotatedRoot: () => (connection) => connection.password,
  },
)

rule(
  'seq-refused-root-password-stored',
  ['DATABASE-ROOT-05'],
  'a root password that the database refused is stored (readings: no effect)',
  {
    unrotatedRoot: () => (_connection, password) => password,
  },
)

rule(
  'seq-hand-rotation-keeps-time',
  ['DATABASE-ROTATE-04', 'DATABASE-ROTATE-07'],
  'a rotation by hand leaves ttl and last rotation as they were (001 4.1, resets its TTL)',
  {
    rotatedByHandAt: () => (role) => role.rotatedAt,
  },
)

route(
  'seq-update-stops-schedule',
  ['DATABASE-STATIC-02'],
  'a static role that was written once more is not rotated by schedule any longer (001 4.1, rotated automatically)',
  'database.writeStaticRole',
  (original) => async (call) => {
    const role = call.state.staticRoles.get(nameOf(call))
    const reply = await original(call)
    role?.cancel()
    return reply
  },
)

const passwords = remembered(() => new Map<string, string>())

const forgetting =
  (original: (call: DatabaseCall) => ReturnType<(typeof databaseEngine.routes)[number]['handle']>) => async (call: DatabaseCall) => {
    const reply = await original(call)
    passwords(call.state).delete(nameOf(call))
    return reply
  }

change(
  'seq-static-password-cached',
  ['DATABASE-ROTATE-01'],
  'after a rotation by schedule static-creds shows the password before it (readings: it logs in)',
  {
    routes: {
      'database.writeStaticRole': forgetting,
      'database.deleteStaticRole': forgetting,
      'database.rotateRole': forgetting,
      'database.readStaticCreds': replyData<DatabaseCall>((data, call) => {
        const password = passwords(call.state).get(nameOf(call)) ?? String(data.password)
        passwords(call.state).set(nameOf(call), password)
        return { ...data, password }
      }),
    },
  },
)

route(
  'seq-updated-url-unused',
  ['DATABASE-ROOT-01'],
  'a connection that was updated shows its new URL and user but works with those from before (001 4.1, create or update connection)',
  'database.writeConnection',
  (original) => async (call) => {
    const previous = call.state.connections.get(nameOf(call))
    const reply = await original(call)
    const current = call.state.connections.get(nameOf(call))
    if (previous && current) {
      await current.link.close()
      current.link = previous.link
    }
    return reply
  },
)

change(
  'seq-refused-connection-stored',
  ['DATABASE-VERIFY-04'],
  'a connection that fails its verification is refused and stored all the same (readings: a failing backend, no effect)',
  {
    rules: { storesUnverified: () => () => true },
    routes: {
      'database.writeConnection': (original) => async (call) => {
        const previous = call.state.connections.get(nameOf(call))
        try {
          return await original(call)
        } finally {
          if (call.state.connections.get(nameOf(call)) !== previous) await previous?.link.close()
        }
      },
    },
  },
)

route(
  'seq-refused-connection-clears',
  ['DATABASE-VERIFY-04'],
  'after a refused update of a connection the connection is gone (readings: a failing backend behind a request has no effect)',
  'database.writeConnection',
  (original) => async (call) => {
    try {
      return await original(call)
    } catch (cause) {
      const previous = call.state.connections.get(nameOf(call))
      call.state.connections.delete(nameOf(call))
      await previous?.link.close()
      throw cause
    }
  },
)

const firsts = remembered(() => new Map<string, Connection>())

change(
  'seq-reset-restores-first',
  ['DATABASE-APART-01'],
  'reset brings back the configuration of the first write (001 4.1, with the stored configuration)',
  {
    routes: {
      'database.writeConnection': (original) => async (call) => {
        const reply = await original(call)
        const current = call.state.connections.get(nameOf(call))
        if (current && !firsts(call.state).has(nameOf(call))) firsts(call.state).set(nameOf(call), current)
        return reply
      },
      'database.deleteConnection': (original) => (call) => {
        firsts(call.state).delete(nameOf(call))
        return original(call)
      },
      'database.resetConnection': (original) => async (call) => {
        const current = call.state.connections.get(nameOf(call))
        const first = firsts(call.state).get(nameOf(call))
        if (current && first && current !== first) {
          await current.link.close()
          call.state.connections.set(nameOf(call), first)
        }
        return original(call)
      },
    },
  },
)

route(
  'seq-creds-after-delete',
  ['DATABASE-ROLE-06'],
  'a role that was used once gives users after its deletion, too (001 4.1, DELETE roles/:name; readings: unknown role, 400 or 404)',
  'database.readCreds',
  bySeenRole<DatabaseState, DatabaseRules>((seen, current) => current ?? seen),
)

route(
  'seq-users-of-changed-role-stay',
  ['DATABASE-CREDS-07'],
  'users of a role that was written anew since are not removed at the end of their leases (001 1, credentials with leases)',
  'database.readCreds',
  leasing((request, call) => {
    const role = call.state.roles.get(nameOf(call))
    return { ...request, revoke: async () => ((call.state.roles.get(nameOf(call)) ?? role) === role ? request.revoke() : undefined) }
  }),
)

route(
  'seq-no-user-after-failure',
  ['DATABASE-CREDS-11'],
  'once a creation has failed, the connection gives no users to any role (001 4.1, GET creds/:name)',
  'database.readCreds',
  brokenAfterFailure<DatabaseCall>(
    ({ state, params }) => state.connections.get(state.roles.get(params.name ?? '')?.dbName ?? ''),
    'database: connection is closed',
  ),
)
