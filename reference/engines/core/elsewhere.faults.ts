/** Faults of the conventions that show in other engines. */
import { coreEngine } from '../../core/core-engine.ts'
import type { Json } from '../../core/json.ts'
import { faultsOf } from '../../faults/declare.ts'
import { remembered } from '../../faults/remembering.ts'
import { isEngineRoute, withBody } from '../../faults/request-kinds.ts'

const pki = faultsOf(coreEngine, 'pki')
const ssh = faultsOf(coreEngine, 'ssh')
const cloudc = faultsOf(coreEngine, 'cloudc')
const transform = faultsOf(coreEngine, 'transform')
const managedKeys = faultsOf(coreEngine, 'managed-keys')
pki.rule('put-without-sudo', 'PKI-SELF-05', 'what needs sudo with POST does not need it with PUT', {
  capabilityGranted:
    (original) =>
    (granted, needed, call, { method }) =>
      (needed === 'sudo' && method === 'PUT' && !granted.has('deny')) || original(granted, needed, call),
})

const lastLeaseIds = remembered(() => new Map<string, Json>())

ssh.rule('lease-carried-to-next-answer', 'CORE-ENV-10', 'the answer after a leased one shows the id of that lease to the same caller', {
  finish: (original) => (call, route, reply) =>
    withBody(original(call, route, reply), (body) => {
      if (!isEngineRoute(route) || typeof body.lease_id !== 'string' || !call.token) return body
      const leases = lastLeaseIds(call.state as object)
      const carried = leases.get(call.token.id) ?? ''
      leases.set(call.token.id, body.lease_id)
      return body.lease_id === '' ? { ...body, lease_id: carried } : body
    }),
})
ssh.rule(
  'listed-path-has-one-verb',
  'CORE-STATUS-08',
  'a method that a path does not have is answered 404 where the path can only be listed',
  {
    wrongMethodStatus: (original) => (method, routes) =>
      routes.every((known) => known.method === 'LIST') ? 404 : original(method, routes),
  },
)
transform.rule(
  'list-parameter-alone',
  ['TRANSFORM-FILTER-02', 'TRANSFORM-FILTER-03'],
  'GET with list=true lists nothing beside another query parameter',
  {
    isListing: () => (method, query) => method === 'LIST' || (method === 'GET' && query.toString() === 'list=true'),
  },
)

export const faults = [...pki.declared, ...ssh.declared, ...cloudc.declared, ...transform.declared, ...managedKeys.declared]
