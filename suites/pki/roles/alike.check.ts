/** Roles whose names are alike. */
import { collection, type JsonObject } from '../../../harness/checks/index.ts'
import { emptyMounts, ownMount } from '../fixtures.ts'

collection('pki/roles-alike', 'roles whose names are alike are kept apart', {
  emptied: emptyMounts,
  ...ownMount,
  clauses: { read: 'PKI-ROLE-01', listed: 'PKI-ROLE-04', deleted: 'PKI-ROLE-05' },
  alone: { type: 'pki', spelled: ['CORE-NS-01', 'CORE-NS-02', 'CORE-NS-03'] },
  operations: { write: 'pki.writeRole', read: 'pki.readRole', remove: 'pki.deleteRole', list: 'pki.listRoles' },
  bodies: async (): Promise<JsonObject[]> => [
    { allowed_domains: ['example.com'], allow_subdomains: true, ttl: '1h' },
    { allow_any_name: true, max_ttl: '48h', key_type: 'ec', key_bits: 256 },
    { allowed_domains: ['example.org', 'example.net'], allow_bare_domains: true, ou: 'first,second', no_store: true },
    { allow_any_name: true, require_cn: false, client_flag: false, country: 'NL' },
    { allowed_domains: ['*.example.com'], allow_glob_domains: true, server_flag: false, generate_lease: true },
  ],
})
