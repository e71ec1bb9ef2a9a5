/** Roles of one name in several places. */
import { elsewhere, type JsonObject } from '../../../harness/checks/index.ts'
import { rootWanted } from '../fixtures.ts'

elsewhere('pki/roles-elsewhere', 'roles of one name', {
  type: 'pki',
  clause: 'PKI-APART-01',
  operations: { write: 'pki.writeRole', read: 'pki.readRole', remove: 'pki.deleteRole', list: 'pki.listRoles' },
  uses: { operation: 'pki.issue', input: { body: { common_name: 'www.example.com' } } },
  prepare: (bench, mount) => bench.call('pki.generateRoot', { ...rootWanted(bench), mount }),
  bodies: async (): Promise<JsonObject[]> => [
    { allowed_domains: ['example.com'], allow_subdomains: true, ttl: '1h' },
    { allow_any_name: true, max_ttl: '48h', key_type: 'ec', key_bits: 256 },
    { allowed_domains: ['example.org', 'example.net'], allow_bare_domains: true, ou: 'first,second', no_store: true },
  ],
})
