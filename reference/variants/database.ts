/** Legal alternatives of the database engine. */

import { formatDuration } from '../core/durations.ts'
import type { JsonObject } from '../core/engine.ts'
import { ApiError, invalid, notFound } from '../core/errors.ts'
import { type Mutation, type Variant, variant } from '../core/mutation.ts'
import { type DatabaseRoute, databaseEngine } from '../engines/database/index.ts'
import type { DatabaseRules } from '../engines/database/rules.ts'
import { withBody } from './replies.ts'

type Handle = DatabaseRoute['handle']

const databaseVariant = (id: string, title: string, reading: string, mutation: Mutation<DatabaseRules, Handle>): Variant =>
  variant(databaseEngine, { id: `database-${id}`, engine: 'database', title, reading }, mutation)

const failingWith =
  (status: number) =>
  (original: Handle): Handle =>
  async (call) => {
    try {
      return await original(call)
    } catch (error) {
      if (error instanceof ApiError && error.status === 500) throw new ApiError(status, error.message)
      throw error
    }
  }

const strictly =
  (known: (call: Parameters<Handle>[0]) => boolean) =>
  (original: Handle): Handle =>
  (call) => {
    if (!known(call)) throw notFound('nothing of that name')
    return original(call)
  }

const writes = [
  'writeConnection',
  'writeRole',
  'writeStaticRole',
  'resetConnection',
  'rotateRoot',
  'rotateRole',
  'deleteRole',
  'deleteConnection',
]

export const databaseVariants: Variant[] = [
  databaseVariant('writes-200', 'writes answer 200 with an empty envelope', 'success of a write without a stated status', {
    routes: Object.fromEntries(writes.map((operation) => [`database.${operation}`, withBody])),
  }),
  databaseVariant('max-ttl-refused', 'a default above the maximum is refused when the role is written', 'refused or the lease is capped', {
    rules: {
      roleOf: (original) => (body, previous) => {
        const role = original(body, previous)
        if (role.maxTtl > 0 && role.defaultTtl > role.maxTtl) throw invalid('default_ttl is above max_ttl')
        return role
      },
    },
  }),
  databaseVariant('mount-max-refused', 'a maximum above the one of the mount is refused', 'refused or the lease is capped', {
    routes: {
      'database.writeRole': (original) => (call) => {
        if (Number(call.body.max_ttl) > call.mount.maxLeaseTtl) throw invalid('max_ttl is above the maximum of the mount')
        return original(call)
      },
    },
  }),
  databaseVariant('connection-later', 'a role may be written before its connection', 'unknown db_name: refused at write or at creds', {
    rules: { connectionKnownAtWrite: () => () => true },
  }),
  databaseVariant('creation-later', 'a role without creation statements is refused at creds only', 'refused at write or at creds', {
    rules: {
      roleComplete: (original) => (body, previous) => original({ creation_statements: ['none'], ...body }, previous),
    },
  }),
  databaseVariant(
    'allowed-at-read',
    'a static role that is not allowed is refused when its credentials are read',
    'refused when written or when read',
    {
      rules: { staticRoleAllowed: () => () => true },
      routes: {
        'database.readStaticCreds': (original) => (call) => {
          const name = call.params.name ?? ''
          const connection = call.state.connections.get(call.state.staticRoles.get(name)?.dbName ?? '')
          if (connection !== undefined && !call.rules.roleAllowed(connection.allowedRoles, name)) throw invalid('not an allowed role')
          return original(call)
        },
      },
    },
  ),
  databaseVariant('unknown-role-404', 'asking an unknown role for credentials gives 404', 'unknown role in an action: 400 or 404', {
    rules: { unknownRoleStatus: () => () => 404 },
  }),
  databaseVariant(
    'unknown-static-400',
    'asking an unknown static role for credentials gives 400',
    'unknown role in an action: 400 or 404',
    {
      rules: { unknownNameStatus: () => () => 400 },
    },
  ),
  databaseVariant('failure-400', 'a refusal of the database gives 400', 'a failing backend: 4xx, 500 or 502', {
    routes: { 'database.readCreds': failingWith(400), 'database.rotateRoot': failingWith(400), 'database.rotateRole': failingWith(400) },
  }),
  databaseVariant('failure-502', 'a refusal of the database gives 502', 'a failing backend: 4xx, 500 or 502', {
    routes: { 'database.readCreds': failingWith(502), 'database.rotateRoot': failingWith(502), 'database.rotateRole': failingWith(502) },
  }),
  databaseVariant('verification-500', 'a failed verification gives 500', 'a refused verification: 4xx, 500 or 502', {
    routes: {
      'database.writeConnection': (original) => async (call) => {
        try {
          return await original(call)
        } catch (error) {
          if (error instanceof ApiError && error.message.includes('verified')) throw new ApiError(500, error.message)
          throw error
        }
      },
    },
  }),
  databaseVariant('delete-absent-404', 'deleting what is absent gives 404', 'deleting what is absent: 204, 200 or 404', {
    routes: {
      'database.deleteConnection': strictly((call) => call.state.connections.has(call.params.name ?? '')),
      'database.deleteRole': strictly((call) => call.state.roles.has(call.params.name ?? '')),
      'database.deleteStaticRole': strictly((call) => call.state.staticRoles.has(call.params.name ?? '')),
    },
  }),
  databaseVariant('role-delete-revokes', 'deleting a role revokes what it issued', 'effect of a deletion on leases: open', {
    routes: {
      'database.deleteRole': (original) => async (call) => {
        const { server, mount, params } = call
        await server.leases.revokePrefix(`${mount.namespace}${mount.path}creds/${params.name}/`).catch(() => undefined)
        return original(call)
      },
    },
  }),
  databaseVariant('connection-delete-revokes', 'deleting a connection revokes what it issued', 'effect of a deletion on leases: open', {
    routes: {
      'database.deleteConnection': (original) => async (call) => {
        const { server, mount, state } = call
        const roles = [...state.roles].filter(([, role]) => role.dbName === call.params.name).map(([name]) => name)
        for (const role of roles) await server.leases.revokePrefix(`${mount.namespace}${mount.path}creds/${role}/`).catch(() => undefined)
        return original(call)
      },
    },
  }),
  databaseVariant('one-role-per-user', 'a second static role for a user is refused', 'one-to-one both ways: open', {
    rules: { userAvailable: () => (state, username) => ![...state.staticRoles.values()].some((role) => role.username === username) },
  }),
  databaseVariant('period-text', 'the rotation period of a static role is read as text', 'its JSON type is open', {
    rules: { shownStaticRole: (original) => (role) => ({ ...original(role), rotation_period: formatDuration(role.period) }) },
  }),
  databaseVariant('rotation-offset', 'the time of rotation has an offset instead of Z', 'Z or offset', {
    rules: { shownTime: (original) => (seconds) => `${original(seconds + 7200).replace(/Z$/, '')}+02:00` },
  }),
  databaseVariant('url-password-masked', 'a password in the connection URL is masked on read', 'a password in the URL itself: open', {
    rules: {
      shownConnection: (original) => (connection) => {
        const shown = original(connection)
        const details = shown.connection_details as JsonObject
        const url = String(details.connection_url).replace(/:((?!\{\{)[^:@/]+)@/, ':*****@')
        return { ...shown, connection_details: { ...details, connection_url: url } }
      },
    },
  }),
  databaseVariant('expiration-margin', 'the database ends a user some seconds after its lease', 'a margin within a minute', {
    rules: { templateValues: (original) => (user) => original({ ...user, expiresAt: user.expiresAt + 5 }) },
  }),
  databaseVariant('plugin-late', 'an unknown plugin is noticed at the first use', 'when the name is looked up is not said', {
    rules: { pluginOf: (original) => (name) => original(name) ?? original('postgresql-database-plugin') },
  }),
]
