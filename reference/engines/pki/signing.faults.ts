/** Signing that forgets what issuing keeps to: lifetimes, formats, names, storage. */
import { faultsOf } from '../../mutations/declare.ts'
import { requestBody, requestWithout } from '../../mutations/wrappers.ts'
import { pkiEngine } from './engine.ts'
import { byRules, lenient } from './wrappers.ts'

const { route } = faultsOf(pkiEngine)

route(
  'sign-role-ttl-ignored',
  'PKI-TTL-02',
  "signing ignores the role's ttl",
  'pki.sign',
  byRules(({ lifetime }) => ({
    lifetime: (role, requested, limits) => lifetime({ ...role, ttl: 0 }, requested, limits),
  })),
)
route(
  'sign-default-uncapped',
  'PKI-TTL-03',
  'signing by default may exceed max_ttl',
  'pki.sign',
  byRules(({ lifetime }) => ({
    lifetime: (role, requested, limits) => (requested || role.ttl ? lifetime(role, requested, limits) : limits.default),
  })),
)
route(
  'sign-uncapped',
  ['PKI-MAXTTL-02', 'PKI-REQTTL-02'],
  'signing ignores max_ttl',
  'pki.sign',
  byRules(({ lifetime }) => ({
    lifetime: (role, requested, limits) => lifetime({ ...role, max_ttl: 0 }, requested, limits),
  })),
)
route(
  'sign-mount-uncapped',
  'PKI-MAXTTL-03',
  'without max_ttl nothing bounds what is signed',
  'pki.sign',
  byRules(({ lifetime }) => ({
    lifetime: (role, requested, limits) => lifetime(role, requested, { ...limits, max: Number.MAX_SAFE_INTEGER }),
    endWithinAuthority: (end) => end,
  })),
)
route(
  'sign-not-before-fixed',
  'PKI-NOTBEFORE-02',
  'validity of what is signed always begins 30 seconds before',
  'pki.sign',
  byRules(() => ({
    validFrom: (_role, now) => now - 30,
  })),
)
route(
  'sign-outlives-ca',
  'PKI-LIFE-01',
  'what is signed outlives its CA',
  'pki.sign',
  byRules(() => ({ endWithinAuthority: (end) => end })),
)
route('sign-forgets-ttl', 'PKI-REQTTL-01', 'signing forgets the requested ttl', 'pki.sign', requestWithout('ttl'))
route('sign-ttl-lenient', 'PKI-REQTTL-03', 'signing ignores a ttl that is no duration', 'pki.sign', lenient('ttl'))

route(
  'sign-default-der',
  'PKI-FORMAT-01',
  'the default format of signing is der',
  'pki.sign',
  requestBody((body) => ({ format: 'der', ...body })),
)
route(
  'sign-pem-der',
  'PKI-FORMAT-02',
  'pem gives DER in signing',
  'pki.sign',
  requestBody((body) => (body.format === 'pem' ? { ...body, format: 'der' } : body)),
)
route('sign-forgets-format', ['PKI-FORMAT-03', 'PKI-FORMAT-06'], 'signing forgets the format', 'pki.sign', requestWithout('format'))
route(
  'sign-format-lenient',
  'PKI-FORMAT-05',
  'signing takes unknown formats for PEM',
  'pki.sign',
  byRules(() => ({ formatKnown: () => true })),
)
route(
  'sign-bundle-no-issuer',
  'PKI-FORMAT-06',
  'a bundle of signing lacks the issuer',
  'pki.sign',
  byRules(() => ({ bundlesIssuer: () => false })),
)

route(
  'sign-forgets-exclude',
  ['PKI-EXCLUDE-01', 'PKI-EXCLUDE-02'],
  'signing forgets to exclude the common name',
  'pki.sign',
  requestWithout('exclude_cn_from_sans'),
)
for (const field of ['ip_sans', 'uri_sans', 'other_sans'])
  route(`sign-forgets-${field.replace('_', '-')}`, 'PKI-CSRSANS-03', `signing forgets ${field}`, 'pki.sign', requestWithout(field))

route(
  'sign-no-store-ignored',
  ['PKI-NOSTORE-02', 'PKI-NOSTORE-03'],
  'signing ignores no_store',
  'pki.sign',
  byRules(() => ({ stored: () => true })),
)
route(
  'sign-no-store-leased',
  'PKI-NOSTORE-04',
  'what is signed is leased in spite of no_store',
  'pki.sign',
  byRules(() => ({
    leased: (role) => role.generate_lease,
  })),
)
route(
  'sign-nothing-stored',
  'PKI-NOSTORE-05',
  'what is signed is kept only where it is leased',
  'pki.sign',
  byRules(() => ({
    stored: (role) => role.generate_lease,
  })),
)
