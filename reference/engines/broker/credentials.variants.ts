/** Legal alternatives of credentials and their leases. */
import { invalid } from '../../core/errors.ts'
import { variantsOf } from '../../faults/declare.ts'
import { brokenAfterFailure } from '../../faults/remembering.ts'
import { refusalStatus } from '../../faults/wrappers.ts'
import { brokerEngine } from './engine.ts'
import { ofBackend } from './wrappers.ts'

const { rule, route, declared } = variantsOf(brokerEngine)

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
rule('lease-hour', 'ttl 0 is open', 'without settings a lease lasts an hour', {
  leaseTimes: (original) => (lease, mount) => original(lease.ttl === 0 ? { ...lease, ttl: 3600 } : lease, mount),
})
rule('user-stays-after-failure', 'that nothing stays at the provider: advised', 'a user whose rights cannot be given stays', {
  removesAfterFailure: () => () => false,
})
route(
  'role-out-of-order',
  'that the same object serves again at once: advised',
  'after a request that failed its role gives no credentials',
  'broker.readCreds',
  brokenAfterFailure(({ state, params }) => state.roles.get(params.name ?? ''), 'the role is out of order'),
)
rule('user-locked', 'broker-leases: that the user is gone is advised', 'the end of a lease leaves the user without its password and tags', {
  locksUser: () => () => true,
})

rule('tags-lower', 'which tags there are is not shown', 'a user gets the tags of its role in lower case', {
  tagsOfUser: (original) => (role) => original(role).toLowerCase(),
})

export const variants = declared
