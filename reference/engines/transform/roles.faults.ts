/** Faults of roles: how they are kept and listed, and what their writes and deletions take along. */
import { secret } from '../../core/envelope.ts'
import { faultsOf } from '../../faults/declare.ts'
import { insteadOfRefusal } from '../../faults/wrappers.ts'
import { transformEngine } from './engine.ts'
import { after, before, deletedRemembered, withState } from './wrappers.ts'

const { rule, route, change, declared } = faultsOf(transformEngine)

rule('role-merged', ['TRANSFORM-ROLE-02', 'TRANSFORM-ACCESS-09'], 'a second write adds to the list', {
  roleOf: (original) => (body, previous) => [...new Set([...(previous ?? []), ...original(body, previous)])],
})
route(
  'role-unknown-empty',
  'TRANSFORM-ROLE-04',
  'an unknown role reads as empty',
  'transform.readRole',
  insteadOfRefusal(() => secret({ transformations: [] })),
)
rule('role-empty-is-any', ['TRANSFORM-ROLE-06', 'TRANSFORM-ACCESS-01', 'TRANSFORM-ACCESS-03'], 'an empty list of a role means any', {
  roleAllows: (original) => (transformations, name) => transformations.length === 0 || original(transformations, name),
})
change(
  'role-recreated',
  'TRANSFORM-ROLE-09',
  'a role that is created again without a list has that of the deleted one',
  deletedRemembered('writeRole', 'deleteRole', ({ roles }, name) => (roles.has(name) ? { transformations: roles.get(name)! } : undefined)),
)
route(
  'role-lost-at-once',
  'TRANSFORM-ROLE-01',
  'of roles that are written at once one stays',
  'transform.writeRole',
  (original) => async (call) => {
    const roles = new Map(call.state.roles)
    await new Promise((done) => setTimeout(done, 15))
    const reply = await original(withState(call, { roles }))
    call.state.roles = roles
    return reply
  },
)
route(
  'role-writes-longer-names',
  'TRANSFORM-APART-01',
  'writing a role writes the roles whose names continue its name too',
  'transform.writeRole',
  after(({ roles }, name) => {
    for (const other of roles.keys()) if (other.startsWith(name)) roles.set(other, roles.get(name) ?? [])
  }),
)
route(
  'role-takes-transformations',
  ['TRANSFORM-APART-01', 'TRANSFORM-ACCESS-09'],
  'deleting a role deletes the transformations that it names',
  'transform.deleteRole',
  before(({ roles, transformations }, role) => {
    for (const name of roles.get(role) ?? []) transformations.delete(name)
  }),
)

export const faults = declared
