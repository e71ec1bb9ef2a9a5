/** Faults of form: other routes to the same, types of what is shown, lists as text, escaping, times. */
import { formatDuration } from '../../core/durations.ts'
import { ApiError } from '../../core/errors.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { databaseEngine } from './engine.ts'

const { rule, route } = faultsOf(databaseEngine)

route(
  'frank-listing-by-verb-only',
  'DATABASE-STATIC-07',
  'static roles are listed by the verb LIST, not by GET with list=true (000 1.5: either the verb or GET with list=true)',
  'database.listStaticRoles',
  (original) => (call) => {
    if (call.query.get('list') === 'true') throw new ApiError(405, 'unsupported operation')
    return original(call)
  },
)

rule(
  'frank-long-max-ttl-as-text',
  'DATABASE-TTL-10',
  'a max_ttl of a minute or more is read as text (001 4.1: TTLs returned as integers in seconds)',
  {
    shownRole: (original) => (role) => ({ ...original(role), ...(role.maxTtl >= 60 ? { max_ttl: formatDuration(role.maxTtl) } : {}) }),
  },
)

rule(
  'frank-revocation-read-as-one-text',
  'DATABASE-STMT-16',
  'several revocation statements are read as one (001 4.1: `revocation_statements`, list)',
  {
    shownRole: (original) => (role) => ({
      ...original(role),
      revocation_statements: role.revocation.length > 1 ? [role.revocation.join('; ')] : role.revocation,
    }),
  },
)

rule(
  'frank-creation-split-at-commas',
  'DATABASE-STMT-01',
  'a creation statement with a comma is taken for two (001 4.1: `creation_statements`, list of statements)',
  {
    roleOf: (original) => (body, previous) => {
      const role = original(body, previous)
      return { ...role, creation: role.creation.flatMap((statement) => statement.split(',').map((part) => part.trim())) }
    },
  },
)

rule(
  'frank-username-not-a-template',
  'DATABASE-STMT-01',
  '`{{username}}` in statements stays as it is, `{{name}}` alone is replaced (001 2.1: statement templates may contain `{{username}}`)',
  { templateValues: (original) => (user) => ({ ...original(user), username: '{{username}}' }) },
)

rule(
  'frank-expiration-is-a-date',
  'DATABASE-TEMPLATE-04',
  '`{{expiration}}` has no time of day, so that short credentials are over before they begin (001 2.1: `{{expiration}}`; 1: leases)',
  {
    templateValues: (original) => (user) => {
      const values = original(user)
      return { ...values, expiration: values.expiration?.slice(0, 10) ?? '' }
    },
  },
)

rule(
  'frank-rotation-time-without-offset',
  'DATABASE-SCREDS-03',
  'last_service_rotation has no offset (001 2.1: `last_service_rotation`, timestamp, ISO 8601 with offset)',
  { shownTime: (original) => (seconds) => original(seconds).replace(/Z$/, '') },
)

rule(
  'frank-false-counts-as-absent',
  'DATABASE-VERIFY-03',
  'verify_connection false counts as not given, so that the connection is verified (001 4.1: `verify_connection`, default true)',
  { verifies: (original) => (body) => original(body) || body.verify_connection === false },
)

rule(
  'frank-connections-listed-encoded',
  'DATABASE-CONN-05',
  'names of connections with blanks or letters beyond ASCII are listed percent-encoded (001 4.1: LIST /database/config, `data.keys` names)',
  { connectionNames: (original) => (state) => original(state).map((name) => encodeURIComponent(name)) },
)
