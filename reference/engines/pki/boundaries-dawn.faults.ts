/** Faults at limits: first and last, one and many, zero and empty, exactly at the limit, long and large. */

import { faultsOf } from '../../mutations/declare.ts'
import { requestBody } from '../../mutations/wrappers.ts'
import { pkiEngine } from './engine.ts'
import { withRules } from './overlays.ts'
import type { PkiCall } from './requests.ts'
import { listOf } from './role.ts'

const own = faultsOf(pkiEngine, 'pki')

const { rule, route } = own

rule(
  'dawn-last-name-not-judged',
  'PKI-ALT-03',
  'of several alternative host names the last one is not judged (001 4.2: any name not matching role policy denies the whole request)',
  {
    refusal: (original) => (rules, role, commonName, names, request) => {
      const dns = names.dns.length > 1 ? names.dns.slice(0, -1) : names.dns
      return original(rules, role, commonName, { ...names, dns }, request)
    },
  },
)

rule(
  'dawn-one-good-uri-is-enough',
  'PKI-URISANS-04',
  'a request passes with forbidden URIs where one of its URIs is allowed (001 4.2: allowed_uri_sans; readings: each kind of name)',
  {
    refusal: (original) => (rules, role, commonName, names, request) => {
      const passes = names.uri.some((uri) => rules.uriAllowed(role, uri))
      return original(rules, role, commonName, passes ? { ...names, uri: [] } : names, request)
    },
  },
)

rule('dawn-role-ttl-below-max', 'PKI-ROLE-01', 'a role whose ttl equals its max_ttl is refused (001 4.2: ttl must not exceed max_ttl)', {
  lifetimesAgree: () => (role) => role.max_ttl === 0 || role.ttl < role.max_ttl,
})

rule(
  'dawn-max-ttl-behind-role-ttl',
  'PKI-MAXTTL-02',
  'where the role has a ttl of its own, a requested one is not held against max_ttl (001 4.2: ttl must not exceed role max_ttl)',
  {
    lifetime: (original) => (role, requested, limits) =>
      requested > 0 && role.ttl > 0 ? Math.min(requested, limits.max) : original(role, requested, limits),
  },
)

rule(
  'dawn-not-before-zero',
  'PKI-NOTBEFORE-02',
  'not_before_duration 0 counts as unset and dates back by 30 s (001 4.2: not_before_duration)',
  {
    validFrom: (original) => (role, now) => original({ ...role, not_before_duration: role.not_before_duration || 30 }, now),
  },
)

rule(
  'dawn-no-usages-means-default',
  'PKI-USAGE-04',
  'an empty key_usage list becomes the default (001 4.2: key_usage, empty list for no constraint)',
  {
    writeRole: (original) => (previous, given, base) =>
      original(previous, given.key_usage?.length === 0 ? { ...given, key_usage: base.key_usage } : given, base),
  },
)

rule(
  'dawn-path-length-handed-down',
  'PKI-INTER-08',
  "an intermediate without a limit of its own gets its signer's, not one less (001 4.2: max_path_length, one less than that)",
  {
    pathLength: (original) => (requested, signer) => (requested < 0 && signer > 0 ? signer : original(requested, signer)),
  },
)

rule('dawn-large-rsa-keys-cut', 'PKI-KEYBITS-02', 'issue makes RSA keys of 2048 bits for roles that want more (001 4.2: role key_bits)', {
  keyToIssue: (original) => (role) => {
    const { type, bits } = original(role)
    return { type, bits: type === 'rsa' ? Math.min(bits, 2048) : bits }
  },
})

const SUBJECT_LISTS = ['ou', 'organization', 'country', 'locality', 'province', 'street_address', 'postal_code']

route(
  'dawn-root-subject-first-only',
  'PKI-SUBJECT-09',
  'of several values of a subject field a root carries the first (001 4.2: subject fields, comma-separated or JSON array)',
  'pki.generateRoot',
  requestBody<PkiCall>((body) => ({
    ...body,
    ...Object.fromEntries(
      SUBJECT_LISTS.filter((field) => body[field] !== undefined).map((field) => [field, listOf(body, field).slice(0, 1)]),
    ),
  })),
)

rule(
  'dawn-host-names-as-long-as-common-names',
  'PKI-ALT-01',
  'alternative host names of more than 64 characters are refused, as if they were common names (001 4.2: alt_names, enforce_hostnames)',
  {
    shapeAllowed: (original) => (role, name) => original(role, name) && (!role.enforce_hostnames || name.full.length <= 64),
  },
)

/** Seconds of 32 days. */
const SYSTEM_MAX = 2_764_800

route(
  'dawn-root-ttl-by-system-max',
  'PKI-ROOT-17',
  'the ttl of a root is held against the system max where the mount has a lower one (001 4.2: must not exceed the engine max)',
  'pki.generateRoot',
  withRules((rules) => ({
    authorityLifetime: (requested, limits) =>
      rules.authorityLifetime(requested, requested > 0 ? { ...limits, max: Math.max(limits.max, SYSTEM_MAX) } : limits),
  })),
)

rule(
  'dawn-first-usage-bit-lost',
  'PKI-INTER-13',
  'use_csr_values does not take over the digital signature usage, whose bit is number 0 (001 4.2: adds CSR key usages)',
  {
    requestedUsages: (original) => (bits) => original(bits).filter(Boolean),
  },
)
