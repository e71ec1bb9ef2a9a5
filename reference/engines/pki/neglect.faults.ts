/** Faults of what lies beside a request: other roles and certificates, and what was before. */
import { faultsOf } from '../../mutations/declare.ts'
import { pkiEngine } from './engine.ts'
import type { Handle } from './wrappers.ts'

const { rule, route } = faultsOf(pkiEngine)

route(
  'neighbour-deleted-root-takes-roles',
  'PKI-APART-01',
  'deleting the root deletes the roles',
  'pki.deleteRoot',
  (original) => async (call) => {
    const reply = await original(call)
    call.state.roles.clear()
    return reply
  },
)
const plainName =
  (original: Handle): Handle =>
  (call) =>
    original({ ...call, params: { ...call.params, name: (call.params.name ?? '').replaceAll('_', '-') } })
route(
  'neighbour-role-separators',
  'PKI-ROLE-01',
  'names of roles that differ in separators only stand for one role',
  ['pki.writeRole', 'pki.readRole', 'pki.deleteRole', 'pki.issue', 'pki.sign'],
  plainName,
)
route(
  'neighbour-new-ca-drops-certificates',
  'PKI-APART-01',
  'supplying a CA drops the certificates of the one before',
  'pki.writeCa',
  (original) => async (call) => {
    const before = [...call.state.certificates.keys()]
    const reply = await original(call)
    for (const serial of before) call.state.certificates.delete(serial)
    return reply
  },
)
rule('neighbour-list-of-one', 'PKI-REVOKE-09', 'a revocation list names the last revoked certificate only', {
  revokedSerials: (original) => (state) => original(state).slice(-1),
})

rule('order-domains-add-up', 'PKI-ROLE-02', 'an update adds domains and removes none', {
  writeRole: (original) => (previous, given, base) => {
    const role = original(previous, given, base)
    return previous && given.allowed_domains
      ? { ...role, allowed_domains: [...new Set([...previous.allowed_domains, ...role.allowed_domains])] }
      : role
  },
})
