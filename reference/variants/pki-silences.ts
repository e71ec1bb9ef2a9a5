/** Legal alternatives of the certificate authority where the document says nothing at all. */
import type { JsonObject } from '../core/engine.ts'
import { invalid, notFound } from '../core/errors.ts'
import type { Variant } from '../core/mutation.ts'
import { EXTENSION } from '../engines/pki/x509/extensions.ts'
import { dataOf, onReply, pkiVariant } from './pki-shared.ts'

/** Changes the data of answers that succeed. */
const onData = (change: (data: JsonObject) => JsonObject) =>
  onReply((reply) => ({ ...reply, body: { ...(reply.body as JsonObject), data: change(dataOf(reply)) } }))

const emptyKey = onData((data) => ({ private_key: '', ...data }))
/** A chain that holds nothing but the issuing CA is left empty: it stands in a member of its own. */
const shortChain = onData((data) => ((data.ca_chain as string[]).length > 1 ? data : { ...data, ca_chain: [] }))

export const silences: Variant[] = [
  pkiVariant('revoked-unlisted', 'revoked certificates are no longer listed', 'whether they stay listed is not said', {
    routes: {
      'pki.listCertificates': (original) => (call) => {
        const valid = [...call.state.certificates].filter(([, { revokedAt }]) => revokedAt === undefined)
        return original({ ...call, state: { ...call.state, certificates: new Map(valid) } })
      },
    },
  }),
  pkiVariant('one-usage-oid', 'OIDs of usages that a comma separates are refused', 'no separator is stated', {
    routes: {
      'pki.writeRole': (original) => (call) => {
        if (String(call.body.ext_key_usage_oids ?? '').includes(',')) throw invalid('ext_key_usage_oids is one object identifier')
        return original(call)
      },
    },
  }),
  pkiVariant('ec-default-size', 'an EC role of 2048 bits gets the common curve', 'the default of 2048 holds for every type', {
    rules: { roleBits: (original) => (role, given) => (role.key_type === 'ec' && role.key_bits === 2048 ? 256 : original(role, given)) },
  }),
  pkiVariant('bundle-without-root', 'a bundle holds no self-signed root', 'whether the words mean the issuing CA is not said', {
    rules: { bundlesIssuer: () => (issuer) => !issuer.certificate.selfIssued },
  }),
  pkiVariant('chain-empty', 'the chain under a root is empty', 'how many certificates the chain holds is not stated', {
    routes: { 'pki.issue': shortChain, 'pki.sign': shortChain },
  }),
  pkiVariant('patterns-without-star', 'an entry without a star is a pattern that matches itself', 'silent: left out of the matrix', {
    rules: {
      globAllowed: (original) => (role, name, pattern) =>
        original(role, name, pattern) || (role.allow_glob_domains && !name.wildcard && name.domain === pattern.toLowerCase()),
    },
  }),
  pkiVariant('localhost-off', 'a localhost that is switched off is denied where any name is allowed', 'silent: left out of the matrix', {
    rules: {
      anyAllowed: (original) => (role, name) => original(role, name) && (role.allow_localhost || name.full.toLowerCase() !== 'localhost'),
    },
  }),
  pkiVariant('empty-key', 'answers without a key hold an empty member for it', 'an empty member holds no key', {
    routes: { 'pki.sign': emptyKey, 'pki.generateRoot': emptyKey },
  }),
  pkiVariant('verbatim-strips-ca', 'signing verbatim leaves out that the request asks for a CA', 'refused, or the certificate is none', {
    rules: {
      verbatimRefuses: () => () => false,
      verbatimExtensions: (original) => (extensions) => original(extensions).filter(({ oid }) => oid !== EXTENSION.basicConstraints),
    },
  }),
  pkiVariant('no-verbatim', 'nothing is signed verbatim at the known path', 'the path is not shown', {
    routes: {
      'pki.signVerbatim': () => () => {
        throw notFound()
      },
    },
  }),
]
