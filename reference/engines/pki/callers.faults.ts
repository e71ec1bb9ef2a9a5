/** Faults in who asks, with what token, and for which names. */
import { coreEngine } from '../../core/core-engine.ts'
import type { RequestFacts } from '../../core/rules.ts'
import { type Asked, anyoneMay, bearerIgnored, countsAs, denyOverlooked, goodForEver } from '../../mutations/callers.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { pkiEngine } from './engine.ts'
import { noNames } from './x509/names.ts'

const { rule } = faultsOf(pkiEngine)

const { rule: core } = faultsOf(coreEngine, 'pki')

const isOpen = ({ method, path }: Pick<RequestFacts, 'method' | 'path'>): boolean =>
  method === 'GET' && /\/(ca|ca\/pem|ca_chain|cert\/[^/]+)$/.test(path)

const OPEN = ['pki.readCa', 'pki.readCaPem', 'pki.readCaChain', 'pki.readCertificate']

core(
  'access-open-routes-judge',
  ['CORE-AUTH-17'],
  'the unauthenticated routes refuse a token that is carried but not good (001 4.2, UNAUTHENTICATED)',
  {
    needsToken: (original) => (route) => original(route) || (route !== undefined && OPEN.includes(route.id)),
    callerRefused: (original) => (given, token, request) =>
      isOpen(request) && given === undefined ? undefined : original(given, token, request),
  },
)

core('access-chain-needs-token', ['PKI-CHAIN-02'], 'ca_chain alone of the open routes asks for a token (001 4.2, UNAUTHENTICATED)', {
  needsToken: (original) => (route) => original(route) || route?.id === 'pki.readCaChain',
})

core(
  'access-certs-open',
  ['CORE-AUTH-01'],
  'certificates are listed without a token, as they are read (001 intro, all endpoints unless marked)',
  {
    needsToken: (original) => (route) => original(route) && route?.id !== 'pki.listCertificates',
  },
)

const isPki = (call: Asked): call is NonNullable<Asked> => call !== undefined && 'serialKey' in call.rules

const at =
  (part: string) =>
  (call: Asked): boolean =>
    isPki(call) && call.path.includes(`/${part}/`)

core(
  'access-sudo-by-create',
  ['PKI-SELF-05'],
  'create counts as sudo at sign-self-issued (001 4.2, needs sudo)',
  countsAs('create', (call) => isPki(call) && call.method === 'POST', 'sudo'),
)

core(
  'access-root-delete-by-update',
  ['PKI-DELETE-03'],
  'deleting the root needs update in the place of sudo (001 4.2, needs sudo)',
  countsAs('update', (call) => isPki(call) && call.method === 'DELETE', 'sudo'),
)

core(
  'access-revoke-by-read',
  ['CORE-CAP-04'],
  'whoever may read at revoke may revoke (000 1.6, capabilities)',
  countsAs('read', (call) => isPki(call) && call.path.endsWith('/revoke')),
)

core('access-issue-anyone', ['CORE-CAP-04'], 'every good token may issue by every role (000 7, status 403)', anyoneMay(at('issue')))

core(
  'access-deny-overlooked',
  ['CORE-CAP-04'],
  'a policy that denies is overlooked at sign/ (000 7, status 403)',
  denyOverlooked(at('sign')),
)

core(
  'access-delete-by-create',
  ['CORE-CAP-13'],
  'whoever may create a role may delete it (000 1.6, capabilities)',
  countsAs('create', at('roles'), 'delete'),
)

core(
  'access-ended-token-issues',
  ['CORE-AUTH-15'],
  'a token that issued while it was good issues on after it was revoked (000 5.1, token required)',
  goodForEver(({ path }) => path.includes('/issue/')),
)

core(
  'access-bearer-not-for-writes',
  ['CORE-AUTH-07'],
  'Authorization: Bearer is not looked at on issue, sign and revoke (000 2.1, alternative carrier)',
  bearerIgnored(
    ({ method, path }) => /^(POST|PUT)$/.test(method) && /\/(issue\/[^/]+|sign\/[^/]+|revoke)$/.test(path) && !path.includes('/leases/'),
  ),
)

rule('access-under-localhost', ['PKI-LOCALHOST-02'], 'allow_localhost lets every name below localhost in (001 4.2, allow_localhost)', {
  localhostAllowed: (original) => (role, name) => original(role, name) || (role.allow_localhost && name.domain.endsWith('.localhost')),
})

rule('access-bare-by-subdomain', ['PKI-SUB-04'], 'allow_subdomains lets the domain itself in (001 4.2, allow_bare_domains)', {
  bareAllowed: (original) => (role, name, domain) =>
    original(role, name, domain) || (role.allow_subdomains && !name.email && name.domain === domain),
})

rule(
  'access-glob-unasked',
  ['PKI-GLOB-03'],
  'a pattern among the allowed domains is one also without allow_glob_domains (001 4.2, allow_glob_domains)',
  {
    globAllowed: (original) => (role, name, pattern) => original({ ...role, allow_glob_domains: true }, name, pattern),
  },
)

rule(
  'access-domain-suffix',
  ['PKI-DOMAINS-02'],
  'a name that only ends in the letters of a domain counts as its subdomain (001 4.2, allow_subdomains)',
  {
    subdomainAllowed: (original) => (role, name, domain) =>
      original(role, name, domain) || (role.allow_subdomains && name.domain !== domain && name.domain.endsWith(domain)),
  },
)

rule('access-email-free', ['PKI-ALT-03'], 'email addresses are not held against the policy (001 4.2, alt_names)', {
  refusal: (original) => (rules, role, commonName, names, request) => original(rules, role, commonName, { ...names, email: [] }, request),
})

rule(
  'access-request-names-free',
  ['PKI-SIGN-08'],
  'the alternative names of a certificate request are not held against the policy (001 4.2, role policy)',
  {
    refusal: (original) => (rules, role, commonName, names, request) =>
      original(rules, role, commonName, request && role.use_csr_sans ? noNames() : names, request),
  },
)

rule(
  'access-other-name-oid',
  ['PKI-OTHERSANS-03'],
  'an other name is allowed by the beginning of its object identifier (001 4.2, allowed_other_sans)',
  {
    otherNameAllowed: (original) => (role, name) =>
      original(role, name) ||
      role.allowed_other_sans.some((entry) => entry.endsWith(':*') && name.oid.startsWith(entry.split(';')[0] ?? ' ')),
  },
)
