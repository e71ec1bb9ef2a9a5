/** Faults at boundaries: zero, one, several, exactly at the limit, left out. */
import { invalid } from '../../core/errors.ts'
import { pki } from './gale-help.ts'
import { isEmpty } from './x509/names.ts'

pki.rule(
  'gale-path-length-zero-as-unset',
  'PKI-INTER-08',
  'under a signer with a limit a max_path_length of 0 counts as left out (001, 4.2 root/generate and sign-intermediate: 0 is a literal zero)',
  { pathLength: (original) => (requested, signer) => original(requested === 0 && signer > 1 ? -1 : requested, signer) },
)

pki.rule(
  'gale-ttl-at-maximum',
  'PKI-REQTTL-01',
  'a requested ttl that equals the max_ttl of the role is refused (001, 4.2 ttl: must not exceed it)',
  {
    lifetime: (original) => (role, requested, limits) => {
      if (role.max_ttl > 0 && requested === role.max_ttl) throw invalid('ttl must be below max_ttl')
      return original(role, requested, limits)
    },
  },
)

pki.rule(
  'gale-role-ttl-at-maximum',
  'PKI-ROLE-01',
  'a role whose ttl equals its max_ttl is refused (001, 4.2 role parameters: ttl is bounded by max_ttl, which it may reach)',
  { lifetimesAgree: (original) => (role) => original(role) && (role.max_ttl === 0 || role.ttl !== role.max_ttl) },
)

pki.rule(
  'gale-largest-curve',
  'PKI-KEYBITS-02',
  'a role with ec keys of 521 bits issues keys of 384 bits (001, 4.2 key_type and key_bits of roles; 521 is named as valid)',
  {
    keyToIssue: (original) => (role) => {
      const { type, bits } = original(role)
      return { type, bits: type === 'ec' ? Math.min(bits, 384) : bits }
    },
  },
)

pki.rule(
  'gale-first-bare-domain',
  'PKI-DOMAINS-04',
  'allow_bare_domains allows the first of the allowed_domains only (001, 4.2 role parameters: allowed_domains is a list)',
  {
    bareAllowed: (original) => (role, name, domain) => role.allowed_domains[0]?.toLowerCase() === domain && original(role, name, domain),
  },
)

pki.rule(
  'gale-second-star',
  'PKI-GLOB-02',
  'only the first star of a glob in allowed_domains stands for anything (001, 4.2 allow_glob_domains: glob patterns)',
  {
    globAllowed: (original) => (role, name, pattern) => {
      const [head = '', ...rest] = pattern.toLowerCase().split('*')
      const text = name.full.toLowerCase()
      return original(role, name, pattern) && text.startsWith(head) && text.endsWith(rest.join('*'))
    },
  },
)

pki.rule(
  'gale-excluded-name-alone',
  'PKI-EXCLUDE-02',
  'exclude_cn_from_sans has no effect where no alternative name is requested (001, 4.2 exclude_cn_from_sans: omits the common name)',
  { withCommonName: (original) => (names, commonName, exclude) => original(names, commonName, exclude && !isEmpty(names)) },
)

pki.rule(
  'gale-default-ttl-is-maximum',
  'PKI-TTL-03',
  'where no ttl is set a certificate lives for the max_ttl of its role even beyond the system default (001, 4.2 ttl of roles: whichever is shorter)',
  { lifetime: (original) => (role, requested, limits) => original(role, requested || role.ttl || role.max_ttl, limits) },
)

pki.rule(
  'gale-any-measures-curves',
  'PKI-KEYTYPE-03',
  'a role of key_type any wants more than 1024 bits of EC keys, too (001, 8 Limits: for RSA; 4.2 key_type any when signing)',
  { requestKeyAllowed: (original) => (role, key) => original(role, key) && (role.key_type !== 'any' || key.bits > 1024) },
)
