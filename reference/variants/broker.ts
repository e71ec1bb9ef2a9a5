/** Legal alternatives of the broker engine. */
import { ApiError, invalid, notFound } from '../core/errors.ts'
import { type Mutation, type Variant, variant } from '../core/mutation.ts'
import { type BrokerRoute, brokerEngine } from '../engines/broker/index.ts'
import type { BrokerRules } from '../engines/broker/rules.ts'
import { withBody } from './replies.ts'

type Handle = BrokerRoute['handle']

const brokerVariant = (id: string, title: string, reading: string, mutation: Mutation<BrokerRules, Handle>): Variant =>
  variant(brokerEngine, { id: `broker-${id}`, engine: 'broker', title, reading }, mutation)

const failingWith =
  (status: number) =>
  (original: Handle): Handle =>
  async (call) => {
    try {
      return await original(call)
    } catch (error) {
      if (error instanceof ApiError && (error.status === 500 || error.message.includes('verified')))
        throw new ApiError(status, error.message)
      throw error
    }
  }

const parsed = (text: string) => (text === '' ? null : JSON.parse(text))

export const brokerVariants: Variant[] = [
  brokerVariant('writes-200', 'writes answer 200 with an empty envelope', 'success of a write without a stated status', {
    routes: {
      'broker.writeConnection': withBody,
      'broker.writeLease': withBody,
      'broker.writeRole': withBody,
      'broker.deleteRole': withBody,
    },
  }),
  brokerVariant('vhosts-objects', 'virtual hosts and topics are read as objects', 'JSON text or object', {
    rules: {
      shownRole: (original) => (role) => ({ ...original(role), vhosts: parsed(role.vhosts), vhost_topics: parsed(role.vhostTopics) }),
    },
  }),
  brokerVariant('lease-refused', 'a lease time above the maximum is refused', 'refused or capped', {
    rules: {
      leaseOf: (original) => (body) => {
        const lease = original(body)
        if (lease.maxTtl > 0 && lease.ttl > lease.maxTtl) throw invalid('ttl is above max_ttl')
        return lease
      },
    },
  }),
  brokerVariant('unknown-role-404', 'asking an unknown role for credentials gives 404', 'unknown role in an action: 400 or 404', {
    rules: { unknownRoleStatus: () => () => 404 },
  }),
  brokerVariant('failure-400', 'a refusal of the broker gives 400', 'a failing backend: 4xx, 500 or 502', {
    routes: { 'broker.readCreds': failingWith(400) },
  }),
  brokerVariant('failure-502', 'a refusal of the broker gives 502', 'a failing backend: 4xx, 500 or 502', {
    routes: { 'broker.readCreds': failingWith(502), 'broker.writeConnection': failingWith(502) },
  }),
  brokerVariant('delete-absent-404', 'deleting what is absent gives 404', 'deleting what is absent: 204, 200 or 404', {
    routes: {
      'broker.deleteRole': (original) => (call) => {
        if (!call.state.roles.has(call.params.name ?? '')) throw notFound('no such role')
        return original(call)
      },
    },
  }),
  brokerVariant('role-delete-revokes', 'deleting a role revokes what it issued', 'effect of a deletion on leases is not stated', {
    routes: {
      'broker.deleteRole': (original) => async (call) => {
        const { server, mount, params } = call
        await server.leases.revokePrefix(`${mount.namespace}${mount.path}creds/${params.name}/`).catch(() => undefined)
        return original(call)
      },
    },
  }),
  brokerVariant('lease-hour', 'without settings a lease lasts an hour', 'ttl 0 is open', {
    rules: { leaseTimes: (original) => (lease, mount) => original(lease.ttl === 0 ? { ...lease, ttl: 3600 } : lease, mount) },
  }),
]
