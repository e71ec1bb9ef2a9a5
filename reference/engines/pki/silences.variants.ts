/** Legal alternatives of the certificate authority where the document says nothing at all. */
import { invalid, notFound } from '../../core/errors.ts'
import { variantsOf } from '../../faults/declare.ts'
import { replyData } from '../../faults/wrappers.ts'
import { pkiEngine } from './engine.ts'
import type { PkiCall } from './wrappers.ts'
import { EXTENSION } from './x509/extensions.ts'

const { rule, route, declared } = variantsOf(pkiEngine)

/** Where a certificate is answered: a root that is kept, and only warned of, has none. */
const emptyKey = replyData<PkiCall>((data) => (data.certificate === undefined ? data : { private_key: '', ...data }))

/** A chain that holds nothing but the issuing CA is left empty: it stands in a member of its own. */
const shortChain = replyData<PkiCall>((data) => ((data.ca_chain as string[]).length > 1 ? data : { ...data, ca_chain: [] }))

route(
  'revoked-unlisted',
  'whether they stay listed is not said',
  'revoked certificates are no longer listed',
  'pki.listCertificates',
  (original) => (call) => {
    const valid = [...call.state.certificates].filter(([, { revokedAt }]) => revokedAt === undefined)
    return original({ ...call, state: { ...call.state, certificates: new Map(valid) } })
  },
)
route(
  'one-usage-oid',
  'no separator is stated',
  'OIDs of usages that a comma separates are refused',
  'pki.writeRole',
  (original) => (call) => {
    if (String(call.body.ext_key_usage_oids ?? '').includes(',')) throw invalid('ext_key_usage_oids is one object identifier')
    return original(call)
  },
)
rule('ec-default-size', 'the default of 2048 holds for every type', 'an EC role of 2048 bits gets the common curve', {
  roleBits: (original) => (role, given) => (role.key_type === 'ec' && role.key_bits === 2048 ? 256 : original(role, given)),
})
rule('bundle-without-root', 'whether the words mean the issuing CA is not said', 'a bundle holds no self-signed root', {
  bundlesIssuer: () => (issuer) => !issuer.certificate.selfIssued,
})
route(
  'chain-empty',
  'how many certificates the chain holds is not stated',
  'the chain under a root is empty',
  ['pki.issue', 'pki.sign'],
  shortChain,
)
rule('patterns-without-star', 'silent: left out of the matrix', 'an entry without a star is a pattern that matches itself', {
  globAllowed: (original) => (role, name, pattern) =>
    original(role, name, pattern) || (role.allow_glob_domains && !name.wildcard && name.domain === pattern.toLowerCase()),
})
rule('localhost-off', 'silent: left out of the matrix', 'a localhost that is switched off is denied where any name is allowed', {
  anyAllowed: (original) => (role, name) => original(role, name) && (role.allow_localhost || name.full.toLowerCase() !== 'localhost'),
})
route(
  'empty-key',
  'an empty member holds no key',
  'answers without a key hold an empty member for it',
  ['pki.sign', 'pki.generateRoot'],
  emptyKey,
)
rule('verbatim-strips-ca', 'refused, or the certificate is none', 'signing verbatim leaves out that the request asks for a CA', {
  verbatimRefuses: () => () => false,
  verbatimExtensions: (original) => (extensions) => original(extensions).filter(({ oid }) => oid !== EXTENSION.basicConstraints),
})
route('no-verbatim', 'the path is not shown', 'nothing is signed verbatim at the known path', 'pki.signVerbatim', () => () => {
  throw notFound()
})

rule('uri-globs-of-paths', 'globs of texts or of paths: not said', 'an asterisk in allowed_uri_sans stands for text without slashes', {
  uriAllowed: (original) => (role, uri) =>
    original(role, uri) && role.allowed_uri_sans.some((pattern) => pattern.split('/').length === uri.split('/').length),
})
rule('not-before-zero', 'zero may mean the default', 'a not_before_duration of zero is the default', {
  validFrom: (original) => (role, now) => original(role, now) - (role.not_before_duration === 0 ? 30 : 0),
})

export const variants = declared
