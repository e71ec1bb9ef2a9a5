/** Faults of roles: what is kept and shown of them. */
import { empty, secret } from '../../core/envelope.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { insteadOfRefusal, replyData } from '../../mutations/wrappers.ts'
import { pkiEngine } from './engine.ts'
import type { PkiCall } from './wrappers.ts'

const { rule, route, change } = faultsOf(pkiEngine)

const revokesAll: ReturnType<typeof replyData<PkiCall>> = (original) => (call) => {
  for (const [serial, certificate] of call.state.certificates) {
    certificate.revokedAt = Math.floor(call.now())
    call.state.revoked.push(serial)
  }
  return original(call)
}

rule('role-forgets', 'PKI-ROLE-01', 'a role forgets its postal code', {
  writeRole: (original) => (previous, given, base) => ({ ...original(previous, given, base), postal_code: [] }),
})
rule('role-first-write', 'PKI-ROLE-02', 'a role keeps what it was first written with', {
  writeRole: (original) => (previous, given, base) => previous ?? original(previous, given, base),
})
route(
  'role-unknown',
  'PKI-ROLE-03',
  'an unknown role reads as the default one',
  'pki.readRole',
  insteadOfRefusal(({ rules }) => secret(rules.showRole(rules.roleDefaults()))),
)
route(
  'role-list-paths',
  'PKI-ROLE-04',
  'roles are listed as paths',
  'pki.listRoles',
  replyData(({ keys }) => ({ keys: (keys as string[]).map((key) => `roles/${key}`) })),
)
route('role-kept', 'PKI-ROLE-05', 'a deleted role stays', 'pki.deleteRole', () => () => empty())
route('role-revokes', 'PKI-ROLE-06', 'deleting a role revokes what was issued', 'pki.deleteRole', revokesAll)
change('role-lists', 'PKI-ROLE-10', 'what a deleted role issued goes to the CRL, and reads as valid', {
  routes: {
    'pki.deleteRole': revokesAll,
    'pki.readCertificate': replyData((data) => ({ ...data, revocation_time: 0 })),
  },
})
route(
  'role-nested',
  'PKI-ROLE-09',
  'the fields of a role are one level too deep',
  'pki.readRole',
  replyData((role) => ({ role })),
)
