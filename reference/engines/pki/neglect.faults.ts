/** Faults of what lies beside a request: other roles and certificates, and what was before, and who may ask. */
import { coreEngine } from '../../core/core-engine.ts'
import type { Reply } from '../../core/reply.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { pkiEngine } from './engine.ts'
import type { PkiState } from './state.ts'
import type { Handle } from './wrappers.ts'
import { describeKey, generateKey } from './x509/key-forms.ts'

const { rule, route } = faultsOf(pkiEngine)
const core = faultsOf(coreEngine, 'pki')

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
rule('order-subdomains-stick', 'PKI-ROLE-02', 'subdomains once allowed stay allowed', {
  writeRole: (original) => (previous, given, base) => {
    const role = original(previous, given, base)
    return { ...role, allow_subdomains: role.allow_subdomains || (previous?.allow_subdomains ?? false) }
  },
})
rule('order-update-maximum-ignored', 'PKI-ROLE-02', 'an update leaves the maximum lifetime as it was', {
  writeRole: (original) => (previous, given, base) => {
    const role = original(previous, given, base)
    return previous ? { ...role, max_ttl: previous.max_ttl } : role
  },
})
const chains = new WeakMap<PkiState, Reply>()
route('order-chain-stale', 'PKI-CHAIN-01', 'the chain shown is that of the first CA', 'pki.readCaChain', (original) => async (call) => {
  const reply = chains.get(call.state) ?? (await original(call))
  if (reply.status === 200) chains.set(call.state, reply)
  return reply
})
route(
  'order-refused-root-changes-key',
  'PKI-ROOT-06',
  'a refused second root leaves another key behind',
  'pki.generateRoot',
  (original) => async (call) => {
    const { authority } = call.state
    if (authority?.key !== undefined) {
      const { type, bits } = describeKey(authority.key)
      call.state.authority = { ...authority, key: await generateKey(type, bits) }
    }
    return await original(call)
  },
)
core.rule('access-chain-closed', 'PKI-CHAIN-02', 'the chain is shown to callers with a token only', {
  needsToken: (original) => (found) => found?.id === 'pki.readCaChain' || original(found),
})
core.rule('access-revoke-open', 'CORE-AUTH-15', 'revoking needs no token', {
  needsToken: (original) => (found) => found?.id !== 'pki.revoke' && original(found),
})
