/** Legal alternatives of roles. */
import { notFound } from '../../core/errors.ts'
import type { Json } from '../../core/json.ts'
import { variantsOf } from '../../faults/declare.ts'
import { brokerEngine } from './engine.ts'

const { rule, route, declared } = variantsOf(brokerEngine)

const asText = (value: Json): Json => (value !== null && typeof value === 'object' ? JSON.stringify(value) : value)

const parsed = (text: string) => (text === '' ? null : JSON.parse(text))

rule('vhosts-taken-as-objects', 'an object instead of its JSON text: open', 'virtual hosts and topics may be written as objects', {
  roleOf: (original) => (body) =>
    original(Object.fromEntries(Object.entries(body).map(([name, value]) => [name, /^vhost/.test(name) ? asText(value) : value]))),
})
rule('vhosts-objects', 'JSON text or object', 'virtual hosts and topics are read as objects', {
  shownRole: (original) => (role) => ({ ...original(role), vhosts: parsed(role.vhosts), vhost_topics: parsed(role.vhostTopics) }),
})
route(
  'delete-absent-404',
  'deleting what is absent: 204, 200 or 404',
  'deleting what is absent gives 404',
  'broker.deleteRole',
  (original) => (call) => {
    if (!call.state.roles.has(call.params.name ?? '')) throw notFound('no such role')
    return original(call)
  },
)
route(
  'role-delete-revokes',
  'effect of a deletion on leases is not stated',
  'deleting a role revokes what it issued',
  'broker.deleteRole',
  (original) => async (call) => {
    const { services, mount, params } = call
    await services.leases.revokePrefix(`${mount.namespace}${mount.path}creds/${params.name}/`).catch(() => undefined)
    return original(call)
  },
)

export const variants = declared
