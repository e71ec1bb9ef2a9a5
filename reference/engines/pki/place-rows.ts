/** Members of requests and answers of the certificate authority at which operators apply, as rows: see places.ts. */
import type { Json } from '../../core/json.ts'

export const ROLE = ['pki.writeRole']
export const ISSUE = ['pki.issue']
export const SIGN = ['pki.sign']
export const ROOT = ['pki.generateRoot']
export const INTER = ['pki.signIntermediate']

/** Fields of a role with a value: clause of the default, another default, clause of the effect. */
export const VALUES: [member: string, clause: string, other: Json, effect: string][] = [
  ['ttl', 'PKI-TTL-01', 3600, 'PKI-TTL-02'],
  ['max_ttl', 'PKI-MAXTTL-01', 86_400, 'PKI-MAXTTL-02'],
  ['not_before_duration', 'PKI-NOTBEFORE-01', 60, 'PKI-NOTBEFORE-02'],
  ['allowed_domains', 'PKI-DOMAINS-01', ['localdomain'], 'PKI-DOMAINS-04'],
  ['allowed_uri_sans', 'PKI-URISANS-01', '*', 'PKI-URISANS-02'],
  ['allowed_other_sans', 'PKI-OTHERSANS-01', '*', 'PKI-OTHERSANS-02'],
  ['key_type', 'PKI-KEYTYPE-01', 'any', 'PKI-KEYTYPE-02'],
  ['key_bits', 'PKI-KEYBITS-01', 4096, 'PKI-KEYBITS-02'],
  ['key_usage', 'PKI-USAGE-01', ['DigitalSignature', 'KeyEncipherment'], 'PKI-USAGE-02'],
  ['ext_key_usage', 'PKI-EXTUSAGE-01', ['ServerAuth'], 'PKI-EXTUSAGE-02'],
  ['ext_key_usage_oids', 'PKI-EXTOIDS-01', '1.3.6.1.5.5.7.3.8', 'PKI-EXTOIDS-02'],
  ['ou', 'PKI-OU-01', 'Unit', 'PKI-OU-02'],
  ['organization', 'PKI-ORG-01', 'Example', 'PKI-ORG-02'],
  ['country', 'PKI-COUNTRY-01', 'CH', 'PKI-COUNTRY-02'],
  ['locality', 'PKI-LOCALITY-01', 'Bern', 'PKI-LOCALITY-02'],
  ['province', 'PKI-PROVINCE-01', 'Bern', 'PKI-PROVINCE-02'],
  ['street_address', 'PKI-STREET-01', 'Street 1', 'PKI-STREET-02'],
  ['postal_code', 'PKI-POSTAL-01', '3000', 'PKI-POSTAL-02'],
  ['serial_number', 'PKI-SERIAL-01', '1', 'PKI-SERIAL-02'],
  ['policy_identifiers', 'PKI-POLICIES-01', ['1.3.6.1.4.1.99999.1'], 'PKI-POLICIES-02'],
]

/** Fields whose loss a write or a check does not tell from a refusal. */
export const ALSO_REFUSED: Record<string, Record<string, string>> = {
  ext_key_usage: { ignored: 'a name without effect is not taken' },
  key_type: { ignored: 'the size is one of the other type' },
}

/** Switches of a role: clause of the default, the default, what breaks where it is off and on whatever was sent. */
export const SWITCHES: [member: string, clause: string, value: boolean, off: string, on: string][] = [
  ['allow_localhost', 'PKI-LOCALHOST-01', true, 'PKI-LOCALHOST-02', 'PKI-LOCALHOST-03'],
  ['allow_bare_domains', 'PKI-BARE-01', false, 'PKI-BARE-02', 'PKI-DOMAINS-03'],
  ['allow_subdomains', 'PKI-SUB-01', false, 'PKI-SUB-02', 'PKI-BARE-03'],
  ['allow_glob_domains', 'PKI-GLOB-01', false, 'PKI-GLOB-02', 'PKI-GLOB-03'],
  ['allow_any_name', 'PKI-ANY-01', false, 'PKI-ANY-02', 'PKI-DOMAINS-02'],
  ['enforce_hostnames', 'PKI-HOSTNAMES-01', true, 'PKI-HOSTNAMES-02', 'PKI-HOSTNAMES-03'],
  ['allow_ip_sans', 'PKI-IPSANS-01', true, 'PKI-IPSANS-02', 'PKI-IPSANS-03'],
  ['server_flag', 'PKI-SERVER-01', true, 'PKI-SERVER-02', 'PKI-SERVER-02'],
  ['client_flag', 'PKI-CLIENT-01', true, 'PKI-CLIENT-02', 'PKI-CLIENT-02'],
  ['code_signing_flag', 'PKI-CODE-01', false, 'PKI-CODE-02', 'PKI-CODE-02'],
  ['email_protection_flag', 'PKI-EMAIL-01', false, 'PKI-EMAIL-02', 'PKI-EMAIL-02'],
  ['use_csr_common_name', 'PKI-CSRCN-01', true, 'PKI-CSRCN-02', 'PKI-CSRCN-03'],
  ['use_csr_sans', 'PKI-CSRSANS-01', true, 'PKI-CSRSANS-02', 'PKI-CSRSANS-03'],
  ['generate_lease', 'PKI-LEASE-01', false, 'PKI-LEASE-02', 'PKI-ROLE-02'],
  ['no_store', 'PKI-NOSTORE-01', false, 'PKI-NOSTORE-02', 'PKI-NOSTORE-05'],
  ['require_cn', 'PKI-REQUIRECN-01', true, 'PKI-REQUIRECN-02', 'PKI-REQUIRECN-03'],
  ['basic_constraints_valid_for_non_ca', 'PKI-BASIC-01', false, 'PKI-BASIC-02', 'PKI-ROLE-02'],
]

export const DEFAULTS: [member: string, clause: string, value: Json][] = [
  ...VALUES.map(([member, clause, other]): [string, string, Json] => [member, clause, other]),
  ...SWITCHES.map(([member, clause, value]): [string, string, Json] => [member, clause, !value]),
]

type Row = [what: string, operations: string[], member: string, clause: string]

const SUBJECT = ['ou', 'organization', 'country', 'locality', 'province', 'street_address', 'postal_code']

/** Parameters of requests for certificates; what one request carries over to the next is none of its business. */
export const REQUESTS: Row[] = [
  ['issue', ISSUE, 'common_name', 'PKI-CN-01'],
  ['issue', ISSUE, 'alt_names', 'PKI-ALT-01'],
  ['issue', ISSUE, 'ip_sans', 'PKI-IPSANS-02'],
  ['issue', ISSUE, 'uri_sans', 'PKI-URISANS-02'],
  ['issue', ISSUE, 'other_sans', 'PKI-OTHERSANS-02'],
  ['issue', ISSUE, 'ttl', 'PKI-REQTTL-01'],
  ['issue', ISSUE, 'format', 'PKI-FORMAT-03'],
  ['issue', ISSUE, 'private_key_format', 'PKI-KEYFORMAT-02'],
  ['issue', ISSUE, 'exclude_cn_from_sans', 'PKI-EXCLUDE-01'],
  ['sign', SIGN, 'common_name', 'PKI-CSRCN-03'],
  ...['alt_names', 'ip_sans', 'uri_sans', 'other_sans'].map((member): Row => ['sign', SIGN, member, 'PKI-CSRSANS-03']),
  ['sign', SIGN, 'ttl', 'PKI-REQTTL-01'],
  ['sign', SIGN, 'format', 'PKI-FORMAT-03'],
  ['sign', SIGN, 'exclude_cn_from_sans', 'PKI-EXCLUDE-02'],
  ...SUBJECT.map((member, at): Row => ['root', ROOT, member, `PKI-SUBJECT-0${at + 1}`]),
  ['root', ROOT, 'serial_number', 'PKI-SUBJECT-08'],
  ['root', ROOT, 'permitted_dns_domains', 'PKI-ROOT-16'],
  ['root', ROOT, 'ttl', 'PKI-ROOT-17'],
  ['root', ROOT, 'alt_names', 'PKI-ROOT-19'],
  ['root', ROOT, 'ip_sans', 'PKI-ROOT-27'],
  ['root', ROOT, 'uri_sans', 'PKI-ROOT-19'],
  ['root', ROOT, 'other_sans', 'PKI-ROOT-24'],
  ['root', ROOT, 'format', 'PKI-ROOT-20'],
  ['root', ROOT, 'private_key_format', 'PKI-ROOT-21'],
  ['root', ROOT, 'exclude_cn_from_sans', 'PKI-ROOT-22'],
  ['root', ROOT, 'key_type', 'PKI-ROOT-09'],
  ['root', ROOT, 'key_bits', 'PKI-ROOT-11'],
  ['root', ROOT, 'max_path_length', 'PKI-ROOT-15'],
  ['intermediate', INTER, 'common_name', 'PKI-INTER-05'],
  ...SUBJECT.map((member): Row => ['intermediate', INTER, member, 'PKI-INTER-15']),
  ['intermediate', INTER, 'permitted_dns_domains', 'PKI-INTER-10'],
  ['intermediate', INTER, 'ttl', 'PKI-INTER-16'],
  ['intermediate', INTER, 'alt_names', 'PKI-INTER-21'],
  ['intermediate', INTER, 'ip_sans', 'PKI-INTER-27'],
  ['intermediate', INTER, 'uri_sans', 'PKI-INTER-21'],
  ['intermediate', INTER, 'other_sans', 'PKI-INTER-22'],
  ['intermediate', INTER, 'format', 'PKI-INTER-17'],
  ['intermediate', INTER, 'exclude_cn_from_sans', 'PKI-INTER-18'],
  ['intermediate', INTER, 'max_path_length', 'PKI-INTER-07'],
  ['intermediate', INTER, 'use_csr_values', 'PKI-INTER-12'],
]

/** Members of answers: clause where it is empty, clause where it is another's. */
export const ANSWERS: [what: string, operations: string[], member: string, empty: string, others: string][] = [
  ['issue', ISSUE, 'certificate', 'PKI-ISSUE-01', 'PKI-ISSUE-06'],
  ['issue', ISSUE, 'issuing_ca', 'PKI-ISSUE-02', 'PKI-ISSUE-02'],
  ['issue', ISSUE, 'private_key', 'PKI-ISSUE-04', 'PKI-ISSUE-04'],
  ['issue', ISSUE, 'private_key_type', 'PKI-ISSUE-05', 'PKI-ISSUE-05'],
  ['issue', ISSUE, 'serial_number', 'PKI-ISSUE-06', 'PKI-ISSUE-06'],
  ['sign', SIGN, 'certificate', 'PKI-SIGN-01', 'PKI-SIGN-01'],
  ['sign', SIGN, 'issuing_ca', 'PKI-SIGN-02', 'PKI-SIGN-02'],
  ['sign', SIGN, 'serial_number', 'PKI-SIGN-04', 'PKI-SIGN-04'],
  ['root', ROOT, 'certificate', 'PKI-ROOT-01', 'PKI-ROOT-01'],
  ['root', ROOT, 'issuing_ca', 'PKI-ROOT-02', 'PKI-ROOT-02'],
  ['root', ROOT, 'serial_number', 'PKI-ROOT-03', 'PKI-ROOT-03'],
  ['root', ROOT, 'private_key', 'PKI-ROOT-04', 'PKI-ROOT-04'],
  ['intermediate', INTER, 'certificate', 'PKI-INTER-01', 'PKI-INTER-01'],
  ['self-issued', ['pki.signSelfIssued'], 'certificate', 'PKI-SELF-01', 'PKI-SELF-01'],
  ['self-issued', ['pki.signSelfIssued'], 'issuing_ca', 'PKI-SELF-02', 'PKI-SELF-02'],
  ['certificate', ['pki.readCertificate'], 'certificate', 'PKI-CERT-01', 'PKI-CERT-03'],
]

/** Members of answers that have to be there, in their type. */
export const SHOWN: [name: string, operation: string, member: string, clause: string][] = [
  ['revoke/revocation_time', 'pki.revoke', 'revocation_time', 'PKI-REVOKE-01'],
  ['certificates/keys', 'pki.listCertificates', 'keys', 'PKI-LIST-01'],
  ['issue/certificate', 'pki.issue', 'certificate', 'PKI-ISSUE-01'],
  ['issue/ca_chain', 'pki.issue', 'ca_chain', 'PKI-ISSUE-03'],
  ['sign/ca_chain', 'pki.sign', 'ca_chain', 'PKI-SIGN-03'],
  ['certificate/certificate', 'pki.readCertificate', 'certificate', 'PKI-CERT-01'],
]

export const AS_TEXT = { 'object-as-text': 'a text is refused, or open' }

/** Parameters that are sent as objects. */
export const TYPED: [name: string, operation: string, member: string, clause: string, value: Json][] = [
  ['role/allow_any_name', 'pki.writeRole', 'allow_any_name', 'PKI-BOOL-01', true],
  ['role/no_store', 'pki.writeRole', 'no_store', 'PKI-BOOL-01', false],
  ['role/allowed_domains', 'pki.writeRole', 'allowed_domains', 'PKI-LISTS-01', []],
  ['role/policy_identifiers', 'pki.writeRole', 'policy_identifiers', 'PKI-LISTS-01', []],
  ['role/ou', 'pki.writeRole', 'ou', 'PKI-STRINGS-01', 'Unit'],
  ['role/key_bits', 'pki.writeRole', 'key_bits', 'PKI-KEYBITS-04', 384],
  ['issue/common_name', 'pki.issue', 'common_name', 'PKI-CN-04', 'object.example.com'],
  ['issue/alt_names', 'pki.issue', 'alt_names', 'PKI-ALT-05', ''],
  ['issue/uri_sans', 'pki.issue', 'uri_sans', 'PKI-REQTYPE-01', ''],
  ['issue/exclude_cn_from_sans', 'pki.issue', 'exclude_cn_from_sans', 'PKI-REQTYPE-02', false],
  ['root/max_path_length', 'pki.generateRoot', 'max_path_length', 'PKI-REQTYPE-03', -1],
]
