/** Faults of dynamic roles: what is stored and shown of them. */
import { empty, secret } from '../../core/envelope.ts'
import type { Fault } from '../../core/mutation.ts'
import type { DatabaseRules } from '../../engines/database/rules.ts'
import { databaseFault, filling, forgiving, idle, nameOf, tolerating, withBody } from './shared.ts'

/** Shows some members of a role wrongly. */
const shown = (change: (role: Parameters<DatabaseRules['shownRole']>[0]) => ReturnType<DatabaseRules['shownRole']>) => ({
  rules: {
    shownRole:
      (original: DatabaseRules['shownRole']): DatabaseRules['shownRole'] =>
      (role) => ({ ...original(role), ...change(role) }),
  },
})

const written = (handle: ReturnType<typeof withBody>) => ({ routes: { 'database.writeRole': handle } })
const nullWhereEmpty = (statements: string[]): string[] | null => (statements.length === 0 ? null : statements)

export const roleFaults: Fault[] = [
  databaseFault('role-dropped', ['DB-ROLE-01', 'DB-ROLE-03'], 'a new role is acknowledged and not kept', {
    routes: { 'database.writeRole': idle((call) => !call.state.roles.has(nameOf(call)), empty()) },
  }),
  databaseFault('role-update-lost', ['DB-ROLE-02'], 'writing a role again changes nothing', {
    routes: { 'database.writeRole': idle((call) => call.state.roles.has(nameOf(call)), empty()) },
  }),
  databaseFault('role-unknown-empty', ['DB-ROLE-04'], 'an unknown role reads as an empty one', {
    routes: { 'database.readRole': forgiving(() => secret({})) },
  }),
  databaseFault('roles-unlisted', ['DB-ROLE-05'], 'the listing misses the newest role', {
    rules: { roleNames: (original) => (state) => original(state).slice(0, -1) },
  }),
  databaseFault('role-kept', ['DB-ROLE-06'], 'a deleted role stays', { rules: { forgetsRole: () => () => false } }),
  databaseFault(
    'role-db-hidden',
    ['DB-ROLE-09'],
    'the read does not say the connection',
    shown(() => ({ db_name: '' })),
  ),
  databaseFault('role-db-optional', ['DB-ROLE-10'], 'a role needs no connection', {
    rules: { roleComplete: () => () => {}, connectionKnownAtWrite: () => () => true },
  }),
  databaseFault('db-unknown-replaced', ['DB-ROLE-11', 'DB-STATIC-14'], 'an unknown connection is replaced by another', {
    rules: {
      connectionKnownAtWrite: () => () => true,
      connectionOf: (original) => (state, name) => original(state, name) ?? [...state.connections.values()].at(-1),
    },
  }),
  databaseFault(
    'role-db-object',
    ['DB-ROLE-13'],
    'an object is taken for a connection name',
    written(
      withBody((body, { state }) =>
        typeof body.db_name === 'object' ? { ...body, db_name: [...state.connections.keys()].at(-1) ?? '' } : body,
      ),
    ),
  ),
  databaseFault('default-ttl-hour', ['DB-TTL-01'], 'a role without default time gets an hour', written(filling('default_ttl', 3600))),
  databaseFault(
    'default-ttl-text',
    ['DB-TTL-04'],
    'the default time is read as text',
    shown((role) => ({ default_ttl: `${role.defaultTtl}s` })),
  ),
  databaseFault('default-ttl-object', ['DB-TTL-05'], 'an object is taken for a time', written(tolerating('default_ttl', 60))),
  databaseFault('max-ttl-day', ['DB-TTL-06'], 'a role without maximum gets a day', written(filling('max_ttl', 86_400))),
  databaseFault(
    'max-ttl-minutes',
    ['DB-TTL-10'],
    'the maximum is read in minutes',
    shown((role) => ({ max_ttl: Math.floor(role.maxTtl / 60) })),
  ),
  databaseFault('max-ttl-object', ['DB-TTL-11'], 'an object is taken for a time', written(tolerating('max_ttl', 60))),
  databaseFault(
    'creation-unquoted',
    ['DB-STMT-04'],
    'the read loses the quotes of statements',
    shown((role) => ({
      creation_statements: role.creation.map((statement) => statement.replaceAll('"', '')),
    })),
  ),
  databaseFault(
    'creation-object',
    ['DB-STMT-05'],
    'objects are taken for statements',
    written(tolerating('creation_statements', ['SELECT 1'])),
  ),
  databaseFault(
    'statements-null',
    ['DB-STMT-07', 'DB-STMT-11', 'DB-STMT-14'],
    'empty lists are read as null',
    shown((role) => ({
      revocation_statements: nullWhereEmpty(role.revocation),
      rollback_statements: nullWhereEmpty(role.rollback),
      renew_statements: nullWhereEmpty(role.renewal),
    })),
  ),
  databaseFault('revocation-object', ['DB-STMT-09'], 'objects are taken for statements', written(tolerating('revocation_statements', []))),
  databaseFault('rollback-object', ['DB-STMT-12'], 'objects are taken for statements', written(tolerating('rollback_statements', []))),
  databaseFault('renewal-object', ['DB-STMT-15'], 'objects are taken for statements', written(tolerating('renew_statements', []))),
  databaseFault(
    'renewal-shown-wrong',
    ['DB-STMT-16'],
    'the read shows the revocation statements twice',
    shown((role) => ({
      renew_statements: role.revocation,
    })),
  ),
]
