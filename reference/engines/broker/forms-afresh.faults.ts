/** Faults of form: types, escapes, case, blanks, absent and null, other routes to the same thing. */
import { coreEngine } from '../../core/core-engine.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { requestNestedAs } from '../../mutations/wrappers.ts'
import { atLease, patternsBy } from './afresh-help.ts'
import { renamed } from './anew-help.ts'
import { brokerEngine } from './engine.ts'

const { rule, route } = faultsOf(brokerEngine, 'broker')
const core = faultsOf(coreEngine, 'broker')

rule(
  'afresh-patterns-in-ascii',
  ['BROKER-VHOSTS-04'],
  'letters beyond ASCII in patterns reach the broker as question marks (001 4.3: regex strings)',
  {
    rightsOfUser: patternsBy((pattern) => pattern.replaceAll(/[^\x20-\x7e]/gu, '?')),
  },
)

rule(
  'afresh-patterns-without-backslash',
  ['BROKER-VHOSTS-01'],
  'backslashes in patterns of vhosts do not reach the broker (001 4.3: regex strings)',
  {
    rightsOfUser: patternsBy((pattern) => pattern.replaceAll('\\', '')),
  },
)

rule(
  'afresh-empty-topics-absent',
  ['BROKER-TOPICS-04'],
  'vhost_topics of a role without them are missing in a read (001 4.3: data.vhost_topics)',
  {
    shownRole: (original) => (role) => {
      const { vhost_topics: topics = '', ...rest } = original(role)
      return topics === '' ? rest : { ...rest, vhost_topics: topics }
    },
  },
)

rule(
  'afresh-empty-patterns-not-shown',
  ['BROKER-VHOSTS-05'],
  'patterns that are empty texts are missing in the vhosts of a read (001 4.3: data.vhosts)',
  {
    shownRole: (original) => (role) => ({
      ...original(role),
      vhosts: role.vhosts && JSON.stringify(JSON.parse(role.vhosts, (_, value: unknown) => (value === '' ? undefined : value))),
    }),
  },
)

route(
  'afresh-tags-object-taken-for-none',
  ['BROKER-TAGS-04'],
  'an object for tags is accepted as no tags (001 4.3: tags, string; 000 7: 400 invalid data)',
  'broker.writeRole',
  requestNestedAs('tags'),
)

route(
  'afresh-plus-in-name-a-blank',
  ['BROKER-ROLE-03'],
  'a role whose name has a plus is written under a blank and cannot be read (001 4.3: roles/:name)',
  'broker.writeRole',
  renamed((name) => name.replaceAll('+', ' ')),
)

rule('afresh-admin-password-trimmed', ['BROKER-CONN-01'], 'blanks at the ends of the connection password are cut off (001 4.3: password)', {
  connectionOf: (original) => (body) => {
    const connection = original(body)
    return { ...connection, password: connection.password.trim() }
  },
})

core.rule('afresh-put-lease-without-body', ['CORE-WRITE-01'], 'PUT of config/lease ignores its body (000 1.6: PUT and POST are synonyms)', {
  parseBody: (original) => (bytes, request) =>
    request.method === 'PUT' && atLease(request) ? { text: '{}', body: {} } : original(bytes, request),
})
