import { faultsOf } from '../../mutations/declare.ts'
import { replyData } from '../../mutations/wrappers.ts'
import { pkiEngine } from './engine.ts'

const { rule, route } = faultsOf(pkiEngine)

rule(
  'boundary-child-path-zero',
  ['PKI-INTER-07', 'PKI-INTER-08'],
  'an intermediate with a path length of 0 gets no limit (001 4.2, 0 is a literal zero)',
  {
    pathLength: (original) => (requested, signer) => original(requested, signer) || -1,
  },
)

rule(
  'boundary-first-name',
  ['PKI-ALT-03'],
  'only the first alternative name is held against the policy (001 4.2, any name denies the request)',
  {
    refusal: (original) => (rules, role, commonName, names, request) =>
      original(rules, role, commonName, { ...names, dns: names.dns.slice(0, 1) }, request),
  },
)

rule('boundary-first-uri-pattern', ['PKI-URISANS-06'], 'only the first of the allowed URI patterns counts (001 4.2, allowed_uri_sans)', {
  uriAllowed: (original) => (role, uri) => original({ ...role, allowed_uri_sans: role.allowed_uri_sans.slice(0, 1) }, uri),
})

rule('boundary-first-hyphen', ['PKI-REVOKE-03'], 'only the first hyphen of a serial number is understood (001 4.2, revoke)', {
  serialKey: () => (text) => text.trim().toLowerCase().replace('-', ':'),
})

route(
  'boundary-roles-30',
  ['PKI-ROLE-04'],
  'a listing of roles ends after 30 (001 4.2, LIST roles)',
  'pki.listRoles',
  replyData((data) => ({ ...data, keys: (data.keys as string[]).slice(0, 30) })),
)

rule('boundary-last-domain', ['PKI-DOMAINS-04'], 'the last of several allowed domains has no subdomains (001 4.2, allowed_domains)', {
  subdomainAllowed: (original) => (role, name, domain) =>
    original(role, name, domain) && !(role.allowed_domains.length > 1 && role.allowed_domains.at(-1)?.toLowerCase() === domain),
})
