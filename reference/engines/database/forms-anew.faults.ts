/** Faults of forms: the same parameter or answer written another way. */
import type { Json } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { replyData } from '../../mutations/wrappers.ts'
import { afterwards } from './anew-help.ts'
import { databaseEngine } from './engine.ts'
import { fill } from './statements.ts'
import { nameOf } from './wrappers.ts'

const { rule, route, change } = faultsOf(databaseEngine, 'database')

const written = remembered(() => ({ maxTtl: undefined as Json | undefined }))

change(
  'anew-max-ttl-read-as-written',
  ['DATABASE-TTL-10'],
  'a max_ttl that was written as text is read as that text (001 4.1: "TTLs returned as integers in seconds")',
  {
    routes: {
      'database.writeRole': afterwards((call) => {
        const role = call.state.roles.get(nameOf(call))
        if (role !== undefined) written(role).maxTtl = call.body.max_ttl
      }),
      'database.readRole': replyData((data, call) => {
        const role = call.state.roles.get(nameOf(call))
        const text = role && written(role).maxTtl
        return typeof text === 'string' && text !== '' ? { ...data, max_ttl: text } : data
      }),
    },
  },
)

rule(
  'anew-allowed-roles-fold-case',
  ['DATABASE-ALLOWED-04'],
  'allowed_roles with app allows the role APP, too (001 4.1: "[] (no roles)", only listed names and `*` allow)',
  {
    roleAllowed: (original) => (allowed, role) =>
      original(
        allowed.map((name) => name.toLowerCase()),
        role.toLowerCase(),
      ),
  },
)

route(
  'anew-plus-read-as-blank',
  ['DATABASE-CONN-05'],
  'the connection pg+main is stored, listed and known to roles as "pg main" (001 4.1: "name, string, required (URL)")',
  ['database.writeConnection', 'database.readConnection', 'database.deleteConnection', 'database.resetConnection', 'database.rotateRoot'],
  (original) => (call) => original({ ...call, params: { ...call.params, name: nameOf(call).replaceAll('+', ' ') } }),
)

rule(
  'anew-username-not-filled-in',
  ['DATABASE-STMT-01'],
  'statements with `{{username}}` instead of `{{name}}` are run as they stand (001 2.1: "{{name}}, {{username}}, {{password}}")',
  { templateValues: (original) => (user) => Object.fromEntries(Object.entries(original(user)).filter(([key]) => key !== 'username')) },
)

rule(
  'anew-statements-joined-by-blank',
  ['DATABASE-TTL-07'],
  'listed creation statements are run as one text, which needs semicolons between them (001 4.1: "creation_statements (list")',
  {
    creation: (original) => (role) => {
      const statements = original(role)
      return statements.length > 1 ? [statements.join(' ')] : statements
    },
  },
)

rule(
  'anew-empty-statements-read-as-null',
  ['DATABASE-STMT-07'],
  'statement lists that were left out are read as null (001 4.1: "revocation_statements (list, default [])")',
  {
    shownRole: (original) => (role) =>
      Object.fromEntries(
        Object.entries(original(role)).map(([field, value]) => [field, Array.isArray(value) && value.length === 0 ? null : value]),
      ),
  },
)

const cutAtSemicolons = (text: string): string[] =>
  /\bEND\b/i.test(text)
    ? [text]
    : text
        .split(';')
        .map((part) => part.trim())
        .filter((part) => part !== '')

rule(
  'anew-semicolon-in-text-cuts',
  ['DATABASE-STMT-01'],
  'a statement with a semicolon in a text, such as \'a; b\', is cut there and fails (001 4.1: "creation_statements (list, required)")',
  { prepared: () => (statements, values) => statements.flatMap(cutAtSemicolons).map((statement) => fill(statement, values)) },
)

rule(
  'anew-connection-url-read-filled-in',
  ['DATABASE-URL-03'],
  'the read of a connection shows its URL with the password filled in (001 2.1: "`password` is never returned on read")',
  {
    shownConnection: (original) => (connection) => {
      const { url, username, password } = connection
      return { ...original(connection), connection_details: { connection_url: fill(url, { username, password }), username } }
    },
  },
)

rule(
  'anew-static-user-in-lower-case',
  ['DATABASE-STATIC-01'],
  'a static role for the user AppUser is one for appuser (001 2.1: static role "username"; 4.1: "1-to-1 map of a role to a database user")',
  {
    staticRoleOf: (original) => (body, previous) => {
      const fields = original(body, previous)
      return { ...fields, username: fields.username.toLowerCase() }
    },
  },
)
