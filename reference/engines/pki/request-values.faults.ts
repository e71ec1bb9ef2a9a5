/** Faults of what comes in a certificate request and what comes beside it. */
import { faultsOf } from '../../mutations/declare.ts'
import { requestBody } from '../../mutations/wrappers.ts'
import { pkiEngine } from './engine.ts'
import { withRules } from './overlays.ts'

const { rule, route } = faultsOf(pkiEngine)

const KINDS = { email: 'email addresses', uri: 'URIs', other: 'other names', ip: 'addresses' } as const

for (const [kind, names] of Object.entries(KINDS) as [keyof typeof KINDS, string][]) {
  rule(`unused-${kind}-of-request-kept`, 'PKI-CSRSANS-03', `with use_csr_sans false ${names} of the request come too, unjudged`, {
    alternativeNames: (original) => (role, requested, request) => {
      const names = original(role, requested, request)
      if (role.use_csr_sans || request === undefined) return names
      return { ...names, [kind]: [...names[kind], ...request.names[kind]] }
    },
    refusal: (original) => (rules, role, commonName, names, request) =>
      original(
        rules,
        role,
        commonName,
        role.use_csr_sans || request === undefined
          ? names
          : { ...names, [kind]: (names[kind] as unknown[]).filter((name) => !(request.names[kind] as unknown[]).includes(name)) },
        request,
      ),
  })
  rule(`request-values-lose-${kind}`, 'PKI-INTER-12', `use_csr_values loses ${names}`, {
    intermediateNames: (original) => (names, request, useRequest) => ({
      ...original(names, request, useRequest),
      ...(useRequest ? { [kind]: [] } : {}),
    }),
  })
}

const FIELDS = [
  ['dns', 'PKI-ALT-03', 'host names'],
  ['email', 'PKI-ALT-03', 'email addresses'],
  ['ip', 'PKI-IPSANS-03', 'addresses'],
  ['uri', 'PKI-URISANS-04', 'URIs'],
  ['other', 'PKI-OTHERSANS-05', 'other names'],
] as const

for (const [kind, clause, names] of FIELDS)
  rule(`signing-body-${kind}-unjudged`, clause, `signing does not judge ${names} of the body`, {
    refusal: (original) => (rules, role, commonName, asked, request) =>
      original(rules, role, commonName, request !== undefined && !role.use_csr_sans ? { ...asked, [kind]: [] } : asked, request),
  })

route(
  'path-length-of-request-kept',
  ['PKI-INTER-08', 'PKI-INTER-09'],
  'with use_csr_values the limit of the signer does not count',
  'pki.signIntermediate',
  withRules(({ pathLength }, { body }) => ({
    pathLength: body.use_csr_values === true ? (requested) => (requested < 0 ? 3 : requested) : pathLength,
  })),
)
route(
  'path-length-lost-with-request-values',
  'PKI-INTER-07',
  'with use_csr_values max_path_length is ignored',
  'pki.signIntermediate',
  requestBody((body) => (body.use_csr_values === true ? { ...body, max_path_length: -1 } : body)),
)
route(
  'path-length-of-roots-only',
  ['PKI-INTER-08', 'PKI-INTER-09'],
  'the limit of a signer that is itself signed does not count',
  'pki.signIntermediate',
  withRules(({ pathLength }, { state }) => ({
    pathLength: (requested, signer) => pathLength(requested, state.authority?.certificate.selfIssued ? signer : -1),
  })),
)
route(
  'exclusion-by-any-text',
  'PKI-INTER-18',
  'exclude_cn_from_sans as the text false excludes',
  'pki.signIntermediate',
  requestBody((body) => (body.exclude_cn_from_sans === 'false' ? { ...body, exclude_cn_from_sans: 'true' } : body)),
)
