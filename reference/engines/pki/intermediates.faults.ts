/** Faults of CAs below a CA, of certificates signed again, and of signing verbatim. */
import { faultsOf } from '../../faults/declare.ts'
import { replyData } from '../../faults/wrappers.ts'
import { pkiEngine } from './engine.ts'
import type { PkiRules } from './rules.ts'
import { type PkiCall, taken, withBadSignature, withRules } from './wrappers.ts'

const { rule, route, declared } = faultsOf(pkiEngine)

const INTER = 'pki.signIntermediate'
const LIMITS = ['PKI-INTER-08', 'PKI-INTER-09'] as const

rule('intermediate-subject', 'PKI-INTER-05', 'the subject of the request is always used', {
  intermediateSubject: () => (_subject, request) => request.subject,
})
rule('intermediate-same-limit', 'PKI-INTER-08', "an intermediate has its signer's path length", {
  pathLength: (original) => (requested, signer) => (signer > 0 && requested < 0 ? signer : original(requested, signer)),
})
rule('intermediate-below-zero', 'PKI-INTER-09', 'a CA with path length zero signs CAs', {
  pathLength: (original) => (requested, signer) => (signer === 0 ? 0 : original(requested, signer)),
})
const ofRequest = withRules(({ pathLength }, { body }) => ({
  pathLength: body.use_csr_values === true ? (requested) => (requested < 0 ? 3 : requested) : pathLength,
}))
route('path-length-of-request-kept', LIMITS, 'with use_csr_values the limit of the signer does not count', INTER, ofRequest)
const ofRoots = withRules(({ pathLength }, { state }) => ({
  pathLength: (requested, signer) => pathLength(requested, state.authority?.certificate.selfIssued ? signer : -1),
}))
route('path-length-of-roots-only', LIMITS, 'the limit of a signer that is itself signed does not count', INTER, ofRoots)
const beside = (change: (rules: PkiRules) => Partial<PkiRules>) =>
  withRules((rules, { body }) => (body.use_csr_values === true ? change(rules) : {}))
const noLimit = beside(({ pathLength }) => ({ pathLength: (_requested, signer) => pathLength(-1, signer) }))
route('limit-lost-beside-values', 'PKI-INTER-07', 'with use_csr_values max_path_length is ignored', INTER, noLimit)
const noTtl = beside(({ authorityLifetime }) => ({ authorityLifetime: (_requested, limits) => authorityLifetime(0, limits) }))
route('ttl-lost-beside-values', 'PKI-INTER-16', 'with use_csr_values ttl is ignored', INTER, noTtl)
rule('intermediate-names-always', 'PKI-INTER-11', 'alternative names of the request are always used', {
  intermediateNames: (original) => (names, request) => original(names, request, true),
})
rule('intermediate-usages', 'PKI-INTER-13', 'key usages of the request are not added', { requestedUsages: () => () => [] })
rule('intermediate-extensions', 'PKI-INTER-14', 'extensions of the request are not copied', { requestedExtensions: () => () => [] })
const badlySigned = replyData<PkiCall>((data) => ({ ...data, certificate: withBadSignature(data.certificate) }))
route('intermediate-signature', 'PKI-INTER-19', 'the signature of an intermediate is wrong', INTER, badlySigned)
const unlimited = withRules(() => ({ authorityLifetime: (requested, limits) => requested || limits.max }))
route('intermediate-unlimited', 'PKI-INTER-16', 'an intermediate lives as long as it is asked to', INTER, unlimited)
const textIgnored = taken('exclude_cn_from_sans', 'true', null)
route('exclusion-as-text', 'PKI-INTER-18', 'exclude_cn_from_sans as a text is not looked at', INTER, textIgnored)
const falseAsTrue = taken('exclude_cn_from_sans', 'false', 'true')
route('exclusion-by-any-text', 'PKI-INTER-18', 'exclude_cn_from_sans excludes with the text false too', INTER, falseAsTrue)
const zeroForNone = taken('max_path_length', -1, 0)
route('sent-limit-of-root', 'PKI-ROOT-25', 'a root asked for with a path length of -1 has one of 0', 'pki.generateRoot', zeroForNone)
route('sent-limit-of-intermediate', 'PKI-INTER-24', 'an intermediate asked for with a path length of -1 has one of 0', INTER, zeroForNone)
rule('self-issued-new-serial', 'PKI-SELF-03', 'a cross-signed certificate gets a new serial number', {
  asGiven: () => (content) => ({ ...content, serial: Buffer.from('4a5b6c7d8e9f', 'hex') }),
})
const asItCame = replyData<PkiCall>((data, { body }) => ({ ...data, certificate: body.certificate ?? '' }))
route('self-issued-own-issuer', 'PKI-SELF-04', 'a cross-signed certificate is answered as it came', 'pki.signSelfIssued', asItCame)
rule('self-issued-two-authority-keys', 'PKI-SELF-04', 'a cross-signed certificate keeps the authority key id that it had, too', {
  replacedExtensions: (original) => () => original().slice(1),
})
rule('self-issued-any', 'PKI-SELF-08', 'any certificate counts as self-issued', { isSelfIssued: () => () => true })
rule('self-issued-critical', 'PKI-SELF-03', 'a self-issued certificate loses what is critical about its extensions', {
  asGiven: (original) => (content) => {
    const given = original(content)
    return { ...given, extensions: given.extensions.map((extension) => ({ ...extension, critical: false })) }
  },
})
rule('verbatim-ca', 'PKI-VERBATIM-02', 'signing verbatim makes a CA of who asks for one', { verbatimRefuses: () => () => false })
rule('verbatim-loses-names', 'PKI-VERBATIM-01', 'signing verbatim drops alternative names', { verbatimExtensions: () => () => [] })

export const faults = declared
