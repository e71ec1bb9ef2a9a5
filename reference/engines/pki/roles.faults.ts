/** Faults of roles: what is kept, shown and decided of them. */
import { secret } from '../../core/envelope.ts'
import { faultsOf } from '../../faults/declare.ts'
import { insteadOfRefusal, replyData } from '../../faults/wrappers.ts'
import { pkiEngine } from './engine.ts'
import { type Handle, onState, type PkiCall } from './wrappers.ts'

const { rule, route, change, declared } = faultsOf(pkiEngine)

const BOTH = ['pki.issue', 'pki.sign']

const asDefault = insteadOfRefusal<PkiCall>(({ rules }) => secret(rules.showRole(rules.roleDefaults())))
route('role-unknown', 'PKI-ROLE-03', 'an unknown role reads as the default one', 'pki.readRole', asDefault)
route(
  'role-nested',
  'PKI-ROLE-09',
  'the fields of a role are one level too deep',
  'pki.readRole',
  replyData((role) => ({ role })),
)
const revokesAll: ReturnType<typeof replyData<PkiCall>> = (original) => (call) => {
  for (const [serial, certificate] of call.state.certificates) {
    certificate.revokedAt = Math.floor(call.now())
    call.state.revoked.push(serial)
  }
  return original(call)
}
route('role-revokes', 'PKI-ROLE-06', 'deleting a role revokes what was issued', 'pki.deleteRole', revokesAll)
change('role-lists', 'PKI-ROLE-10', 'what a deleted role issued goes to the CRL, and reads as valid', {
  routes: { 'pki.deleteRole': revokesAll, 'pki.readCertificate': replyData((data) => ({ ...data, revocation_time: 0 })) },
})
rule('ext-usage-as-text', ['PKI-ROLE-01', 'PKI-EXTUSAGE-01'], 'ext_key_usage reads as comma-separated text', {
  showRole: (original) => (role) => ({ ...original(role), ext_key_usage: role.ext_key_usage.join(',') }),
})
route(
  'role-default-dropped',
  'PKI-ROLE-01',
  'a role called default is acknowledged and not kept',
  'pki.writeRole',
  (original) => (call) => {
    const { roles } = call.state
    return original(call.params.name === 'default' ? onState(call, { roles: new Map(roles) }) : call)
  },
)
/** By another role than the one that is named. */
const byRole =
  (find: (names: string[], name: string) => string | undefined) =>
  (original: Handle): Handle =>
  (call) => {
    const name = call.params.name ?? ''
    return original({ ...call, params: { ...call.params, name: find([...call.state.roles.keys()], name) ?? name } })
  }
const near = byRole((names, name) => (names.includes(name) ? undefined : names.find((one) => one.startsWith(name))))
route('unknown-role-near', ['PKI-ISSUE-11', 'PKI-SIGN-10'], 'for an unknown role one that begins like it issues and signs', BOTH, near)

export const faults = declared
