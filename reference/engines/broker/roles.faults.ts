/** Faults of roles: what is taken, kept and shown of them. */
import { empty, secret } from '../../core/envelope.ts'
import { ApiError, invalid } from '../../core/errors.ts'
import type { JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { insteadOfRefusal, requestNestedAs } from '../../mutations/wrappers.ts'
import { brokerEngine } from './engine.ts'

const { rule, route } = faultsOf(brokerEngine)

/** Reads broken JSON as nothing. */
const lenient =
  <T>(original: (text: string) => Map<string, T>) =>
  (text: string): Map<string, T> => {
    try {
      return original(text)
    } catch {
      return new Map()
    }
  }

rule('role-needs-vhosts', 'BROKER-ROLE-01', 'a role needs virtual hosts', {
  roleOf: (original) => (body) => {
    if (body.vhosts === undefined) throw invalid('vhosts is missing')
    return original(body)
  },
})
route(
  'role-update-lost',
  'BROKER-ROLE-02',
  'writing a role again changes nothing',
  'broker.writeRole',
  (original) => (call) => (call.state.roles.has(call.params.name ?? '') ? empty() : original(call)),
)
route('role-unreadable', 'BROKER-ROLE-03', 'roles cannot be read', 'broker.readRole', () => () => {
  throw new ApiError(405, 'unsupported operation')
})
route(
  'role-unknown-empty',
  'BROKER-ROLE-04',
  'an unknown role reads as an empty one',
  'broker.readRole',
  insteadOfRefusal(() => secret({ tags: '', vhosts: '', vhost_topics: '' })),
)
rule('role-kept', 'BROKER-ROLE-05', 'a deleted role stays', { forgetsRole: () => () => false })
rule('tags-hidden', 'BROKER-TAGS-03', 'the read shows no tags', { shownRole: (original) => (role) => ({ ...original(role), tags: '' }) })
route('tags-object', 'BROKER-TAGS-04', 'an object is taken for tags', 'broker.writeRole', requestNestedAs('tags', ''))
rule('vhosts-shown-wrong', 'BROKER-VHOSTS-05', 'the read shows the first virtual host only', {
  shownRole: (original) => (role) => ({
    ...original(role),
    vhosts: JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(role.vhosts || '{}') as JsonObject).slice(0, 1))),
  }),
})
rule('topics-hidden', 'BROKER-TOPICS-04', 'the read shows no topics', {
  shownRole: (original) => (role) => ({ ...original(role), vhost_topics: '' }),
})
rule('vhosts-not-json', 'BROKER-VHOSTS-06', 'broken JSON stands for no virtual host', { vhostsOf: lenient })
rule('topics-not-json', 'BROKER-TOPICS-05', 'broken JSON stands for no topics', { topicsOf: lenient })
rule('role-topics-refused', 'BROKER-ROLE-01', 'a role has virtual hosts or topics, not both', {
  roleOf: (original) => (body) => {
    if (body.vhosts !== undefined && body.vhost_topics !== undefined) throw invalid('vhosts and vhost_topics exclude each other')
    return original(body)
  },
})
