/** Faults of the database engine: the same thing in another form. */
import { coreEngine } from '../../core/core-engine.ts'
import { ApiError } from '../../core/errors.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { requestsTo } from '../../mutations/locating.ts'
import { replyData } from '../../mutations/wrappers.ts'
import { databaseEngine } from './engine.ts'
import { afterwards, type DatabaseCall, nameOf, sentVerbs } from './haze-help.ts'
import type { StaticRole } from './state.ts'

const { rule, route, change } = faultsOf(databaseEngine, 'database')
const core = faultsOf(coreEngine, 'database')

rule(
  'haze-rotation-time-by-minute',
  'DATABASE-SCREDS-03',
  '`last_service_rotation` ends with the minute (001 2.1: timestamp, ISO 8601 with offset)',
  {
    shownTime: (original) => (seconds) => `${original(seconds).slice(0, 16)}Z`,
  },
)

const asked = new WeakMap<StaticRole, string>()
change(
  'haze-static-period-as-written',
  'DATABASE-SCREDS-04',
  'static credentials show a period that was written as text as that text (001 2.1: `rotation_period` int, seconds)',
  {
    routes: {
      'database.writeStaticRole': afterwards(({ state, params, body }) => {
        const role = state.staticRoles.get(params.name ?? '')
        if (role === undefined) return
        if (typeof body.rotation_period === 'string') asked.set(role, body.rotation_period)
        else if (body.rotation_period !== undefined) asked.delete(role)
      }),
      'database.readStaticCreds': replyData((data, call: DatabaseCall) => {
        const role = call.state.staticRoles.get(nameOf(call))
        return { ...data, rotation_period: (role && asked.get(role)) ?? data.rotation_period ?? null }
      }),
    },
  },
)

rule(
  'haze-semicolon-in-literal',
  'DATABASE-STMT-01',
  'a statement is cut at a semicolon within quotes (001 4.1: each item of `creation_statements` and others is a statement)',
  {
    prepared: (original) => (statements, values) =>
      original(
        statements.flatMap((text) => (/\$\w*\$|\bEND\b/i.test(text) ? [text] : text.split(';'))),
        values,
      ),
  },
)

route(
  'haze-plus-in-role-name',
  'DATABASE-ROLE-05',
  'a plus in the name of a role becomes a blank (000 introduction: `:name` is a path parameter, not a query; 001 4.1: LIST roles)',
  ['database.writeRole', 'database.readRole', 'database.deleteRole', 'database.readCreds'],
  (original) => (call) => original({ ...call, params: { ...call.params, name: nameOf(call).replaceAll('+', ' ') } }),
)

const latin = (statements: string[]): string[] => statements.map((text) => Buffer.from(text, 'latin1').toString('latin1'))
rule(
  'haze-statements-in-latin',
  'DATABASE-STMT-04',
  'characters beyond Latin-1 in statements of roles are stored as others (000 2.1: bodies are JSON; 001 4.1: GET roles gives the role fields)',
  {
    roleOf: (original) => (body, previous) => {
      const role = original(body, previous)
      const { creation, revocation, rollback, renewal } = role
      return { ...role, creation: latin(creation), revocation: latin(revocation), rollback: latin(rollback), renewal: latin(renewal) }
    },
  },
)

rule(
  'haze-url-ampersand',
  'DATABASE-URL-03',
  'an ampersand in `connection_url` is read as `&amp;` (001 2.1: read returns `connection_url`)',
  {
    shownConnection: (original) => (connection) => original({ ...connection, url: connection.url.replaceAll('&', '&amp;') }),
  },
)

const verbs = sentVerbs()
core.rule('haze-put-actions', 'CORE-WRITE-01', 'reset and the rotations refuse PUT with 405 (000 1: PUT and POST are synonyms)', {
  ...verbs.noting,
  check: (original) => (call, operation) => {
    const isAction = /^database\.(resetConnection|rotateRoot|rotateRole)$/.test(operation.id)
    if (isAction && verbs.verbOf(call) === 'PUT') throw new ApiError(405, 'unsupported operation')
    original(call, operation)
  },
})

const failed = requestsTo('database')
core.rule(
  'haze-errors-null',
  'CORE-ERROR-01',
  'a refusal without words, as that of an empty listing, has `errors` null (000 2.4: array of strings)',
  {
    ...failed.locating,
    failure: (original) => (status, body, request) => {
      const { errors } = body as { errors?: unknown }
      const isWordless = failed.here() && Array.isArray(errors) && errors.length === 0
      return original(status, isWordless ? { errors: null } : body, request)
    },
  },
)

const helping = requestsTo('database')
core.rule(
  'haze-help-path-itself',
  'CORE-HELP-03',
  'help gives the queried path in full instead of relative (000 1: its paths are relative to the queried path)',
  {
    ...helping.locating,
    helpPath: (original) => (relative, queried) => (helping.here() && relative === '/' ? `/${queried}` : original(relative, queried)),
  },
)
