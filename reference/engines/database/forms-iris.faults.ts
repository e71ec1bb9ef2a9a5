/** Faults of the database engine in the forms of the same thing: types, absent and empty, spellings, statuses. */
import { formatDuration } from '../../core/durations.ts'
import { secret } from '../../core/envelope.ts'
import type { JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { insteadOfRefusal, refusal, reply } from '../../mutations/wrappers.ts'
import { databaseEngine } from './engine.ts'
import { type DatabaseCall, nameOf, withRules } from './iris-help.ts'
import { splitStatements } from './statements.ts'

const { rule, route } = faultsOf(databaseEngine, 'database')

rule(
  'iris-long-ttl-as-text',
  'DATABASE-TTL-10',
  'a max_ttl of an hour or more is read as text (document 001, 4.1: TTLs returned as integers in seconds)',
  {
    shownRole: (original) => (role) => ({
      ...original(role),
      max_ttl: role.maxTtl < 3600 ? role.maxTtl : formatDuration(role.maxTtl),
    }),
  },
)

rule(
  'iris-one-role-as-text',
  'DATABASE-ALLOWED-06',
  'a single allowed role is read as text in place of a list (document 001, 4.1: allowed_roles is a list)',
  {
    shownConnection: (original) => (connection) => {
      const [first = '', ...others] = connection.allowedRoles
      return { ...original(connection), allowed_roles: first !== '' && others.length === 0 ? first : connection.allowedRoles }
    },
  },
)

rule(
  'iris-statements-read-split',
  'DATABASE-STMT-04',
  'a creation statement that holds several is read back as a list of its parts (document 001, 4.1: GET roles/:name gives the role fields)',
  {
    roleOf: (original) => (body, previous) => {
      const role = original(body, previous)
      return { ...role, creation: role.creation.flatMap(splitStatements) }
    },
  },
)

rule(
  'iris-username-not-filled',
  'DATABASE-STATIC-20',
  '{{username}} is not filled into rotation_statements, only {{name}} (document 001, 2.1: templates may contain {{name}} and {{username}})',
  {
    rotation: (original) => (role, standard) => original(role, standard).map((text) => text.replaceAll('{{username}}', '{{user}}')),
  },
)

route(
  'iris-static-ttl-as-lease',
  'CORE-ENV-11',
  'static credentials show their ttl as lease_duration (document 000, 2.3: lease_duration is 0 when there is no lease)',
  'database.readStaticCreds',
  reply((given) => {
    const body = given.body as JsonObject
    return { ...given, body: { ...body, lease_duration: (body.data as JsonObject).ttl ?? 0 } }
  }),
)

route(
  'iris-get-lists-nothing',
  'CORE-LIST-04',
  'GET with list=true answers an empty list of static roles with 200 (document 000, section 1: an empty listing returns 404, with either verb)',
  'database.listStaticRoles',
  insteadOfRefusal<DatabaseCall>(
    () => secret({ keys: [] }),
    (call) => call.query.get('list') === 'true',
  ),
)

route(
  'iris-created-201',
  'DATABASE-ROLE-01',
  'the creation of a role is answered with 201 (document 000, section 7: success is 200 with data or 204)',
  'database.writeRole',
  (original) => async (call) => {
    const isNew = !call.state.roles.has(nameOf(call))
    const given = await original(call)
    return isNew ? { ...given, status: 201 } : given
  },
)

route(
  'iris-errors-by-object',
  'CORE-ERROR-01',
  'the errors of a refused static role are an object (document 000, 2.4: errors is an array of strings)',
  'database.writeStaticRole',
  refusal((refused) => ({ status: refused.status, body: { errors: { static_role: refused.messages } } })),
)

route(
  'iris-period-unit-lost',
  'DATABASE-STATIC-18',
  'on updates the unit of a rotation_period is dropped, so that 10m are 10 seconds (document 001, 4.1: rotation_period is a string or int)',
  'database.writeStaticRole',
  withRules(({ staticRoleOf }) => ({
    staticRoleOf: (body, previous) => {
      const fields = staticRoleOf(body, previous)
      const { rotation_period: given } = body
      return previous !== undefined && typeof given === 'string' ? { ...fields, period: Number.parseInt(given, 10) } : fields
    },
  })),
)

route(
  'iris-rotated-without-dash',
  'DATABASE-POLICY-06',
  'a password that was rotated by hand has an underscore for the dash (document 001, 4.1: default policy with at least 1 dash)',
  'database.rotateRole',
  withRules(({ staticPassword }) => ({ staticPassword: (random) => staticPassword(random).replaceAll('-', '_') })),
)
