/** Faults at the edges: the first, the last, one, many, exactly at a limit. */
import { isIPv4 } from 'node:net'
import { invalid } from '../../core/errors.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { replyData } from '../../mutations/wrappers.ts'
import { pkiEngine } from './engine.ts'

const { rule, route } = faultsOf(pkiEngine)

rule('boundary-ttl-equal-max', ['PKI-REQTTL-01'], 'a ttl equal to the maximum of the role is refused (001 4.2, ttl must not exceed)', {
  lifetime: (original) => (role, requested, limits) => {
    if (requested > 0 && requested === role.max_ttl) throw invalid('ttl exceeds max_ttl')
    return original(role, requested, limits)
  },
})

rule(
  'boundary-child-path-zero',
  ['PKI-INTER-07', 'PKI-INTER-08'],
  'an intermediate with a path length of 0 gets no limit (001 4.2, 0 is a literal zero)',
  {
    pathLength: (original) => (requested, signer) => original(requested, signer) || -1,
  },
)

rule('boundary-path-equal', ['PKI-INTER-08'], 'an intermediate may have the same path length as its signer (001 4.2, one less than that)', {
  pathLength: (original) => (requested, signer) => (requested > 0 && requested === signer ? requested : original(requested, signer)),
})

rule(
  'boundary-path-inherited',
  ['PKI-INTER-08'],
  'an intermediate without a path length of its own gets that of its signer (001 4.2, one less than that)',
  {
    pathLength: (original) => (requested, signer) => (requested < 0 && signer > 0 ? signer : original(requested, signer)),
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

rule('boundary-last-ip', ['PKI-IPSANS-02'], 'of several IP names only the last is in the certificate (001 4.2, ip_sans)', {
  alternativeNames: (original) => (role, requested, request) => {
    const names = original(role, requested, request)
    return { ...names, ip: names.ip.slice(-1) }
  },
})

rule('boundary-first-uri-pattern', ['PKI-URISANS-06'], 'only the first of the allowed URI patterns counts (001 4.2, allowed_uri_sans)', {
  uriAllowed: (original) => (role, uri) => original({ ...role, allowed_uri_sans: role.allowed_uri_sans.slice(0, 1) }, uri),
})

rule('boundary-first-hyphen', ['PKI-REVOKE-03'], 'only the first hyphen of a serial number is understood (001 4.2, revoke)', {
  serialKey: () => (text) => text.trim().toLowerCase().replace('-', ':'),
})

route(
  'boundary-certs-100',
  ['PKI-LIST-02', 'PKI-LIST-03'],
  'a listing of certificates ends after 100 (001 4.2, LIST certs)',
  'pki.listCertificates',
  replyData((data) => ({ ...data, keys: (data.keys as string[]).slice(0, 100) })),
)

route(
  'boundary-roles-30',
  ['PKI-ROLE-04'],
  'a listing of roles ends after 30 (001 4.2, LIST roles)',
  'pki.listRoles',
  replyData((data) => ({ ...data, keys: (data.keys as string[]).slice(0, 30) })),
)

rule('boundary-no-key-usage', ['PKI-USAGE-04'], 'an empty key_usage stands for the default (001 4.2, empty list for no constraint)', {
  writeRole: (original) => (previous, given, base) => {
    const role = original(previous, given, base)
    return role.key_usage.length === 0 ? { ...role, key_usage: base.key_usage } : role
  },
})

rule('boundary-not-before-zero', ['PKI-NOTBEFORE-02'], 'a not_before_duration of 0 is that of the default (001 4.2, not_before_duration)', {
  validFrom: (original) => (role, now) => original({ ...role, not_before_duration: role.not_before_duration || 30 }, now),
})

rule('boundary-last-domain', ['PKI-DOMAINS-04'], 'the last of several allowed domains has no subdomains (001 4.2, allowed_domains)', {
  subdomainAllowed: (original) => (role, name, domain) =>
    original(role, name, domain) && !(role.allowed_domains.length > 1 && role.allowed_domains.at(-1)?.toLowerCase() === domain),
})

rule('boundary-v6-name', ['PKI-IPSANS-02'], 'an IPv6 address is no IP name (001 4.2, ip_sans)', { isAddress: () => isIPv4 })

rule('boundary-p521', ['PKI-ROOT-11'], 'keys on the largest curve are refused (001 4.2, key_bits 224 or 521)', {
  keyBitsValid: (original) => (type, bits) => bits !== 521 && original(type, bits),
  rootKeyBits: (original) => (type, requested) => (type === 'ec' && requested === 521 ? 520 : original(type, requested)),
})

rule('boundary-one-above', ['PKI-CHAIN-03'], 'of several CA certificates that come along only the first is kept (001 4.2, full chain)', {
  keepsAbove: (original) => (certificates) => original(certificates).slice(0, 1),
})
