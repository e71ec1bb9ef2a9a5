/** Faults about the same thing in another form: types, both forms of a field, verbs of listings, cases, texts. */
import { coreEngine } from '../../core/core-engine.ts'
import { durationOf } from '../../core/durations.ts'
import { bare, secret } from '../../core/envelope.ts'
import type { Json } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { requestsTo } from '../../mutations/locating.ts'
import { remembered } from '../../mutations/remembering.ts'
import { withBody } from '../../mutations/request-kinds.ts'
import { insteadOfRefusal, refusal, reply, replyData, requestBody } from '../../mutations/wrappers.ts'
import { databaseEngine } from './engine.ts'
import { type DatabaseCall, dataOf, isText, listsByQuery, nameOf, withRules } from './gale-help.ts'
import type { StaticRole } from './state.ts'

const { rule, route, change } = faultsOf(databaseEngine, 'database')
const core = faultsOf(coreEngine, 'database')
const { here, locating } = requestsTo('database')

const LISTINGS = ['database.listConnections', 'database.listRoles', 'database.listStaticRoles']

core.rule(
  'gale-help-paths-from-root',
  'CORE-HELP-04',
  'the paths in the help of a database mount begin with the queried path (000, 1.7: they are relative to it)',
  {
    ...locating,
    helpPath: (original) => (relative, queried) =>
      here() ? `/${queried.replace(/\/$/, '')}${relative === '/' ? '' : relative}` : original(relative, queried),
  },
)

const writtenTtls = remembered(() => new Map<string, string>())

change(
  'gale-ttl-shown-as-written',
  'DATABASE-TTL-04',
  'a default_ttl that was written as text is read as that text (001, 4.1: TTLs are integers in seconds)',
  {
    routes: {
      'database.writeRole': (original) => async (call) => {
        const { default_ttl: ttl } = call.body
        const isNew = !call.state.roles.has(nameOf(call))
        const given = await original(call)
        if (isText(ttl) && ttl !== '') writtenTtls(call.state).set(nameOf(call), ttl)
        else if (isNew || ttl !== undefined) writtenTtls(call.state).delete(nameOf(call))
        return given
      },
      'database.readRole': replyData((data, call: DatabaseCall) => {
        const text = writtenTtls(call.state).get(nameOf(call))
        return text === undefined ? data : { ...data, default_ttl: text }
      }),
    },
  },
)

route(
  'gale-short-period-as-text',
  'DATABASE-STATIC-16',
  'a rotation_period that is text with a unit may be shorter than 5 seconds (001, 4.1: string or int, minimum 5 seconds)',
  'database.writeStaticRole',
  (original) => (call) => original(isText(call.body.rotation_period) ? withRules(call, { periodAllowed: (period) => period > 0 }) : call),
)

const rotatedByHand = new WeakSet<StaticRole>()

change(
  'gale-hand-rotation-time-without-offset',
  'DATABASE-SCREDS-03',
  'last_service_rotation has no offset after a rotation by hand (001, 2.1: ISO 8601 with offset)',
  {
    routes: {
      'database.rotateRole': (original) => async (call) => {
        const given = await original(call)
        const role = call.state.staticRoles.get(nameOf(call))
        if (role !== undefined) rotatedByHand.add(role)
        return given
      },
      'database.readStaticCreds': replyData((data, call: DatabaseCall) => {
        const role = call.state.staticRoles.get(nameOf(call))
        if (role === undefined || !rotatedByHand.has(role)) return data
        return { ...data, last_service_rotation: String(data.last_service_rotation).replace(/Z$/, '') }
      }),
    },
  },
)

rule(
  'gale-username-slot-in-lower-case',
  'DATABASE-STATIC-20',
  '{{username}} in statements is the name in lower case, another user than the answer names (001, 2.1: slots of statements; 4.1: data.username)',
  { templateValues: (original) => (user) => ({ ...original(user), username: user.username.toLowerCase() }) },
)

rule(
  'gale-statements-on-one-line',
  'DATABASE-STMT-04',
  'line ends and runs of blanks in creation_statements become one blank each, in quotes and comments, too (001, 4.1: the read has the role fields as written)',
  {
    roleOf: (original) => (body, previous) => {
      const role = original(body, previous)
      return { ...role, creation: role.creation.map((statement) => statement.replaceAll(/\s+/g, ' ')) }
    },
  },
)

route(
  'gale-role-names-in-lower-case',
  'DATABASE-ROLE-05',
  'names of roles are folded to lower case, so that App and app are one and the list shows app (001, 4.1: the path names the role)',
  ['database.writeRole', 'database.readRole', 'database.deleteRole', 'database.readCreds'],
  (original) => (call) => original({ ...call, params: { ...call.params, name: nameOf(call).toLowerCase() } }),
)

route(
  'gale-error-as-one-text',
  'CORE-ERROR-01',
  'a refused reset or root rotation has a text in errors (000, 2.4: errors is an array of strings)',
  ['database.resetConnection', 'database.rotateRoot'],
  refusal((refused) => bare({ errors: refused.messages.join('; ') }, refused.status)),
)

route(
  'gale-list-query-as-plain-text',
  'DATABASE-ROLE-05',
  'a listing by GET with list=true has the content type of plain text (000, 2.1: response bodies are JSON, and the service sets Content-Type)',
  LISTINGS,
  reply((given, call: DatabaseCall) =>
    listsByQuery(call) ? { ...given, headers: { 'content-type': 'text/plain; charset=utf-8' } } : given,
  ),
)

route(
  'gale-static-creds-lease-duration',
  'CORE-ENV-11',
  'static credentials show their ttl as lease_duration, though they have no lease (000, 2.3: 0 when no lease)',
  'database.readStaticCreds',
  reply((given) => withBody(given, (body) => ({ ...body, lease_duration: dataOf(given).ttl ?? 0 }))),
)

route(
  'gale-list-query-empty-200',
  'CORE-LIST-04',
  'an empty listing by GET with list=true answers 200 with no keys (000, 1.5: an empty listing returns 404)',
  LISTINGS,
  insteadOfRefusal<DatabaseCall>(() => secret({ keys: [] }), listsByQuery),
)

const isDuration = (value: Json | undefined): boolean => {
  try {
    return durationOf(value, 'max_ttl', 0) >= 0
  } catch {
    return false
  }
}

route(
  'gale-unreadable-maximum-ignored',
  'DATABASE-TTL-11',
  'a max_ttl that is text but no duration is taken as left out (001, 4.1: string with unit suffix or int seconds; 000, 7: 400 for invalid data)',
  'database.writeRole',
  requestBody((body) => (isText(body.max_ttl) && !isDuration(body.max_ttl) ? { ...body, max_ttl: null } : body)),
)
