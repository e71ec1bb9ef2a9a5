/** Faults of dynamic roles: what is stored and shown of them. */
import { empty, secret } from '../../core/envelope.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { insteadOfHandling, insteadOfRefusal, requestBody, requestDefault, requestNestedAs } from '../../mutations/wrappers.ts'
import { databaseEngine } from './engine.ts'
import type { DatabaseRules } from './rules.ts'
import { nameOf } from './wrappers.ts'

const { rule, route } = faultsOf(databaseEngine)

/** Shows some members of a role wrongly. */
const shown = (change: (role: Parameters<DatabaseRules['shownRole']>[0]) => ReturnType<DatabaseRules['shownRole']>) => ({
  shownRole:
    (original: DatabaseRules['shownRole']): DatabaseRules['shownRole'] =>
    (role) => ({ ...original(role), ...change(role) }),
})

const nullWhereEmpty = (statements: string[]): string[] | null => (statements.length === 0 ? null : statements)

route(
  'role-dropped',
  ['DATABASE-ROLE-01', 'DATABASE-ROLE-03'],
  'a new role is acknowledged and not kept',
  'database.writeRole',
  insteadOfHandling(empty, (call) => !call.state.roles.has(nameOf(call))),
)
route(
  'role-update-lost',
  'DATABASE-ROLE-02',
  'writing a role again changes nothing',
  'database.writeRole',
  insteadOfHandling(empty, (call) => call.state.roles.has(nameOf(call))),
)
route(
  'role-unknown-empty',
  'DATABASE-ROLE-04',
  'an unknown role reads as an empty one',
  'database.readRole',
  insteadOfRefusal(() => secret({})),
)
rule('roles-unlisted', 'DATABASE-ROLE-05', 'the listing misses the newest role', {
  roleNames: (original) => (state) => original(state).slice(0, -1),
})
rule('role-kept', 'DATABASE-ROLE-06', 'a deleted role stays', { forgetsRole: () => () => false })
rule(
  'role-db-hidden',
  'DATABASE-ROLE-09',
  'the read does not say the connection',
  shown(() => ({ db_name: '' })),
)
rule('role-db-optional', 'DATABASE-ROLE-10', 'a role needs no connection', {
  roleComplete: () => () => {},
  connectionKnownAtWrite: () => () => true,
})
rule('db-unknown-replaced', ['DATABASE-ROLE-11', 'DATABASE-STATIC-14'], 'an unknown connection is replaced by another', {
  connectionKnownAtWrite: () => () => true,
  connectionOf: (original) => (state, name) => original(state, name) ?? [...state.connections.values()].at(-1),
})
route(
  'role-db-object',
  'DATABASE-ROLE-13',
  'an object is taken for a connection name',
  'database.writeRole',
  requestBody((body, { state }) =>
    typeof body.db_name === 'object' ? { ...body, db_name: [...state.connections.keys()].at(-1) ?? '' } : body,
  ),
)
route(
  'default-ttl-hour',
  'DATABASE-TTL-01',
  'a role without default time gets an hour',
  'database.writeRole',
  requestDefault('default_ttl', 3600),
)
rule(
  'default-ttl-text',
  'DATABASE-TTL-04',
  'the default time is read as text',
  shown((role) => ({ default_ttl: `${role.defaultTtl}s` })),
)
route('default-ttl-object', 'DATABASE-TTL-05', 'an object is taken for a time', 'database.writeRole', requestNestedAs('default_ttl', 60))
route('max-ttl-day', 'DATABASE-TTL-06', 'a role without maximum gets a day', 'database.writeRole', requestDefault('max_ttl', 86_400))
rule(
  'max-ttl-minutes',
  'DATABASE-TTL-10',
  'the maximum is read in minutes',
  shown((role) => ({ max_ttl: Math.floor(role.maxTtl / 60) })),
)
route('max-ttl-object', 'DATABASE-TTL-11', 'an object is taken for a time', 'database.writeRole', requestNestedAs('max_ttl', 60))
rule(
  'creation-unquoted',
  'DATABASE-STMT-04',
  'the read loses the quotes of statements',
  shown((role) => ({
    creation_statements: role.creation.map((statement) => statement.replaceAll('"', '')),
  })),
)
route(
  'creation-object',
  'DATABASE-STMT-05',
  'objects are taken for statements',
  'database.writeRole',
  requestNestedAs('creation_statements', ['SELECT 1']),
)
rule(
  'statements-null',
  ['DATABASE-STMT-07', 'DATABASE-STMT-11', 'DATABASE-STMT-14'],
  'empty lists are read as null',
  shown((role) => ({
    revocation_statements: nullWhereEmpty(role.revocation),
    rollback_statements: nullWhereEmpty(role.rollback),
    renew_statements: nullWhereEmpty(role.renewal),
  })),
)
route(
  'revocation-object',
  'DATABASE-STMT-09',
  'objects are taken for statements',
  'database.writeRole',
  requestNestedAs('revocation_statements', []),
)
route(
  'rollback-object',
  'DATABASE-STMT-12',
  'objects are taken for statements',
  'database.writeRole',
  requestNestedAs('rollback_statements', []),
)
route(
  'renewal-object',
  'DATABASE-STMT-15',
  'objects are taken for statements',
  'database.writeRole',
  requestNestedAs('renew_statements', []),
)
rule(
  'renewal-shown-wrong',
  'DATABASE-STMT-16',
  'the read shows the revocation statements twice',
  shown((role) => ({
    renew_statements: role.revocation,
  })),
)
