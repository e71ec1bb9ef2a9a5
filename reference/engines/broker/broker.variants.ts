/** Legal alternatives of the broker engine. */
import { type ApiError, invalid, notFound } from '../../core/errors.ts'
import { variantsOf } from '../../mutations/declare.ts'
import { refusalStatus, replyInsteadOf204 } from '../../mutations/wrappers.ts'
import { brokerEngine } from './engine.ts'

const { rule, route } = variantsOf(brokerEngine)

const ofBackend = ({ status, message }: ApiError): boolean => status === 500 || message.includes('verified')

const parsed = (text: string) => (text === '' ? null : JSON.parse(text))

route(
  'writes-200',
  'success of a write without a stated status',
  'writes answer 200 with an empty envelope',
  ['broker.writeConnection', 'broker.writeLease', 'broker.writeRole', 'broker.deleteRole'],
  replyInsteadOf204(),
)
rule('vhosts-objects', 'JSON text or object', 'virtual hosts and topics are read as objects', {
  shownRole: (original) => (role) => ({ ...original(role), vhosts: parsed(role.vhosts), vhost_topics: parsed(role.vhostTopics) }),
})
rule('lease-refused', 'refused or capped', 'a lease time above the maximum is refused', {
  leaseOf: (original) => (body) => {
    const lease = original(body)
    if (lease.maxTtl > 0 && lease.ttl > lease.maxTtl) throw invalid('ttl is above max_ttl')
    return lease
  },
})
rule('unknown-role-404', 'unknown role in an action: 400 or 404', 'asking an unknown role for credentials gives 404', {
  unknownRoleStatus: () => () => 404,
})
route(
  'failure-400',
  'a failing backend: 4xx, 500 or 502',
  'a refusal of the broker gives 400',
  'broker.readCreds',
  refusalStatus(400, ofBackend),
)
route(
  'failure-502',
  'a failing backend: 4xx, 500 or 502',
  'a refusal of the broker gives 502',
  ['broker.readCreds', 'broker.writeConnection'],
  refusalStatus(502, ofBackend),
)
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
rule('lease-hour', 'ttl 0 is open', 'without settings a lease lasts an hour', {
  leaseTimes: (original) => (lease, mount) => original(lease.ttl === 0 ? { ...lease, ttl: 3600 } : lease, mount),
})
