/** Connection and lease settings: whose they are, and when they hold. */
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { withBody } from '../../mutations/request-kinds.ts'
import { reply } from '../../mutations/wrappers.ts'
import { brokerEngine } from './engine.ts'
import type { BrokerState } from './state.ts'

const { rule, route, change } = faultsOf(brokerEngine)

const statesOf = remembered(() => new Set<BrokerState>())

change('patched-lease-by-address', ['BROKER-APART-01'], 'lease settings are written to every mount with the same connection_uri', {
  routes: {
    'broker.writeConnection': (original) => (call) => {
      statesOf(call.services).add(call.state)
      return original(call)
    },
    'broker.writeLease': (original) => async (call) => {
      const given = await original(call)
      const uri = call.state.connection?.uri
      if (uri !== undefined)
        for (const other of statesOf(call.services)) if (other.connection?.uri === uri) other.lease = { ...call.state.lease }
      return given
    },
  },
})
route(
  'patched-connection-resets-lease',
  ['BROKER-APART-01'],
  'writing the connection sets the lease settings back to their defaults',
  'broker.writeConnection',
  (original) => async (call) => {
    const given = await original(call)
    call.state.lease = { ttl: 0, maxTtl: 0 }
    return given
  },
)
rule('patched-max-without-ttl', ['BROKER-LEASE-03'], 'max_ttl of the lease settings does not hold while ttl is 0', {
  leaseTimes: (original) => (lease, mount) =>
    lease.ttl === 0 ? { ttl: mount.defaultLeaseTtl, maxTtl: mount.maxLeaseTtl } : original(lease, mount),
})
route(
  'patched-bearer-unleased',
  ['BROKER-CREDS-03'],
  'credentials asked for with a bearer token are shown without their lease',
  'broker.readCreds',
  reply((given, { headers }) =>
    headers['x-service-token'] || headers['x-vault-token']
      ? given
      : withBody(given, (body) => ({ ...body, lease_id: '', lease_duration: 0, renewable: false })),
  ),
)
