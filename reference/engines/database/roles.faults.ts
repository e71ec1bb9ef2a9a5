/** Faults of dynamic roles: what is stored and shown of them, and what is left of earlier ones. */
import { secret } from '../../core/envelope.ts'
import type { Json } from '../../core/json.ts'
import { type Clauses, faultsOf } from '../../faults/declare.ts'
import { bySeenRole, emptiedListing, remembered } from '../../faults/remembering.ts'
import { insteadOfRefusal, replyData, requestBody } from '../../faults/wrappers.ts'
import { databaseEngine } from './engine.ts'
import type { DatabaseRules } from './rules.ts'
import { type DatabaseCall, nameOf } from './wrappers.ts'

const { rule, route, change, declared } = faultsOf(databaseEngine)

type Shown = DatabaseRules['shownRole']

/** Shows some members of a role wrongly. */
const shown = (id: string, clause: Clauses, title: string, members: (role: Parameters<Shown>[0]) => ReturnType<Shown>): void =>
  rule(id, clause, title, { shownRole: (original) => (role) => ({ ...original(role), ...members(role) }) })

route(
  'role-after-update',
  'DATABASE-ROLE-02',
  'the first credentials after an update of the role still follow the old role',
  'database.readCreds',
  bySeenRole((seen, current) => current && (seen ?? current)),
)
rule(
  'role-emptied-statements',
  'DATABASE-ROLE-02',
  'an update with an empty list leaves the revocation and renewal statements as they were',
  {
    roleOf: (original) => (body, previous) => {
      const role = original(body, previous)
      const { revocation, renewal } = previous ?? role
      return {
        ...role,
        revocation: role.revocation.length > 0 ? role.revocation : revocation,
        renewal: role.renewal.length > 0 ? role.renewal : renewal,
      }
    },
  },
)
route(
  'role-unknown-empty',
  'DATABASE-ROLE-04',
  'an unknown role reads as an empty one',
  'database.readRole',
  insteadOfRefusal(() => secret({})),
)
route(
  'roles-emptied-listing',
  'DATABASE-ROLE-05',
  'a listing of roles that had names once is an empty 200 when the last is deleted',
  'database.listRoles',
  emptiedListing(() => secret({ keys: [] })),
)
route(
  'role-deleted-serves',
  'DATABASE-ROLE-06',
  'a role that gave credentials once gives more after it was deleted',
  'database.readCreds',
  bySeenRole((seen, current) => current ?? seen),
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

// Times as they are read
shown('default-ttl-text', 'DATABASE-TTL-04', 'the default time is read as text', (role) => ({ default_ttl: `${role.defaultTtl}s` }))
shown('max-ttl-text', 'DATABASE-TTL-10', 'the maximum is read as text', (role) => ({ max_ttl: `${role.maxTtl}s` }))
const written = remembered(() => new Map<string, Record<string, Json>>())
change('ttl-as-written', ['DATABASE-TTL-04', 'DATABASE-TTL-10'], 'times of a role that were written as text are read as that text', {
  routes: {
    'database.writeRole': (original) => async (call) => {
      const reply = await original(call)
      const texts = Object.entries(call.body).filter(([field, value]) => /^(default|max)_ttl$/.test(field) && typeof value === 'string')
      written(call.state).set(nameOf(call), Object.fromEntries(texts) as Record<string, Json>)
      return reply
    },
    'database.readRole': replyData((data, call: DatabaseCall) => ({ ...data, ...written(call.state).get(nameOf(call)) })),
  },
})

// Statements as they are read
shown('creation-one-as-text', 'DATABASE-STMT-04', 'a list of one creation statement reads as text', ({ creation }) => ({
  creation_statements: creation.length === 1 ? (creation[0] ?? '') : creation,
}))
route(
  'creation-cut-at-commas',
  'DATABASE-STMT-04',
  'a creation statement is cut at its commas',
  'database.writeRole',
  requestBody((body) => {
    const given = body.creation_statements
    return Array.isArray(given) ? { ...body, creation_statements: given.join(',').split(',') } : body
  }),
)
const nullWhereEmpty = (statements: string[]): string[] | null => (statements.length === 0 ? null : statements)
shown('statements-null', ['DATABASE-STMT-07', 'DATABASE-STMT-11', 'DATABASE-STMT-14'], 'empty lists are read as null', (role) => ({
  revocation_statements: nullWhereEmpty(role.revocation),
  rollback_statements: nullWhereEmpty(role.rollback),
  renew_statements: nullWhereEmpty(role.renewal),
}))
shown('revocation-split', 'DATABASE-STMT-16', 'revocation statements are shown split at their commas', ({ revocation }) => ({
  revocation_statements: revocation.flatMap((statement) => statement.split(',').map((part) => part.trim())),
}))
shown('renewal-shown-wrong', 'DATABASE-STMT-16', 'the read shows the revocation statements twice', (role) => ({
  renew_statements: role.revocation,
}))

export const faults = declared
