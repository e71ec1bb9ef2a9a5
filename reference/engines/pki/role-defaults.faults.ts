/** Roles with another default than the contract states. */

import { faultsOf } from '../../mutations/declare.ts'
import { pkiEngine } from './engine.ts'
import type { Role } from './role.ts'

const { rule } = faultsOf(pkiEngine)

const wrong: [keyof Role, string, Partial<Role>][] = [
  ['ttl', 'PKI-TTL-01', { ttl: 3600 }],
  ['max_ttl', 'PKI-MAXTTL-01', { max_ttl: 86_400 }],
  ['not_before_duration', 'PKI-NOTBEFORE-01', { not_before_duration: 60 }],
  ['allow_localhost', 'PKI-LOCALHOST-01', { allow_localhost: false }],
  ['allowed_domains', 'PKI-DOMAINS-01', { allowed_domains: ['localdomain'] }],
  ['allow_bare_domains', 'PKI-BARE-01', { allow_bare_domains: true }],
  ['allow_subdomains', 'PKI-SUB-01', { allow_subdomains: true }],
  ['allow_glob_domains', 'PKI-GLOB-01', { allow_glob_domains: true }],
  ['allow_any_name', 'PKI-ANY-01', { allow_any_name: true }],
  ['enforce_hostnames', 'PKI-HOSTNAMES-01', { enforce_hostnames: false }],
  ['allow_ip_sans', 'PKI-IPSANS-01', { allow_ip_sans: false }],
  ['allowed_uri_sans', 'PKI-URISANS-01', { allowed_uri_sans: ['*'] }],
  ['allowed_other_sans', 'PKI-OTHERSANS-01', { allowed_other_sans: ['*'] }],
  ['server_flag', 'PKI-SERVER-01', { server_flag: false }],
  ['client_flag', 'PKI-CLIENT-01', { client_flag: false }],
  ['code_signing_flag', 'PKI-CODE-01', { code_signing_flag: true }],
  ['email_protection_flag', 'PKI-EMAIL-01', { email_protection_flag: true }],
  ['key_type', 'PKI-KEYTYPE-01', { key_type: 'any' }],
  ['key_bits', 'PKI-KEYBITS-01', { key_bits: 4096 }],
  ['key_usage', 'PKI-USAGE-01', { key_usage: ['DigitalSignature', 'KeyEncipherment'] }],
  ['ext_key_usage', 'PKI-EXTUSAGE-01', { ext_key_usage: ['ServerAuth'] }],
  ['ext_key_usage_oids', 'PKI-EXTOIDS-01', { ext_key_usage_oids: ['1.3.6.1.5.5.7.3.8'] }],
  ['use_csr_common_name', 'PKI-CSRCN-01', { use_csr_common_name: false }],
  ['use_csr_sans', 'PKI-CSRSANS-01', { use_csr_sans: false }],
  ['ou', 'PKI-OU-01', { ou: ['Unit'] }],
  ['organization', 'PKI-ORG-01', { organization: ['Example'] }],
  ['country', 'PKI-COUNTRY-01', { country: ['CH'] }],
  ['locality', 'PKI-LOCALITY-01', { locality: ['Bern'] }],
  ['province', 'PKI-PROVINCE-01', { province: ['Bern'] }],
  ['street_address', 'PKI-STREET-01', { street_address: ['Street 1'] }],
  ['postal_code', 'PKI-POSTAL-01', { postal_code: ['3000'] }],
  ['serial_number', 'PKI-SERIAL-01', { serial_number: '1' }],
  ['generate_lease', 'PKI-LEASE-01', { generate_lease: true }],
  ['no_store', 'PKI-NOSTORE-01', { no_store: true }],
  ['require_cn', 'PKI-REQUIRECN-01', { require_cn: false }],
  ['policy_identifiers', 'PKI-POLICIES-01', { policy_identifiers: ['1.3.6.1.4.1.99999.1'] }],
  ['basic_constraints_valid_for_non_ca', 'PKI-BASIC-01', { basic_constraints_valid_for_non_ca: true }],
]

for (const [field, clause, value] of wrong)
  rule(`default-${field.replaceAll('_', '-')}`, clause, `${field} has another default`, {
    roleDefaults: (original) => () => ({ ...original(), ...value }),
  })
