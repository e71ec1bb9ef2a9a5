import { faultsOf } from '../../mutations/declare.ts'
import { withBody } from '../../mutations/request-kinds.ts'
import { reply, replyData, requestBody, requestWithout } from '../../mutations/wrappers.ts'
import { pkiEngine } from './engine.ts'
import { onState, withRules } from './overlays.ts'

const { rule, route } = faultsOf(pkiEngine)

rule(
  'empty-lists-null',
  ['PKI-POLICIES-01', 'PKI-DOMAINS-01', 'PKI-EXTUSAGE-01'],
  'empty lists of a role read back as null (001 4.2, role table: list, default [])',
  {
    showRole: (original) => (role) =>
      Object.fromEntries(
        Object.entries(original(role)).map(([field, value]) => [field, Array.isArray(value) && value.length === 0 ? null : value]),
      ),
  },
)

rule(
  'lifetimes-in-minutes',
  ['PKI-ROLE-01', 'PKI-ROLE-02'],
  'ttl and max_ttl of a role read back without their seconds (001 4.2, GET roles)',
  {
    showRole: (original) => (role) => ({
      ...original(role),
      ttl: `${Math.floor(role.ttl / 60)}m`,
      max_ttl: `${Math.floor(role.max_ttl / 60)}m`,
    }),
  },
)

route(
  'intermediate-always-pem',
  ['PKI-INTER-17'],
  'sign-intermediate answers PEM where der is asked for (001 4.2, format)',
  'pki.signIntermediate',
  requestBody((body) => (body.format === 'der' ? { ...body, format: 'pem' } : body)),
)

route(
  'sign-serial-with-hyphens',
  ['PKI-SIGN-04'],
  'sign writes the serial number with hyphens (001 2.2, serial_number: colon-separated)',
  'pki.sign',
  replyData((data) => ({ ...data, serial_number: String(data.serial_number).replaceAll(':', '-') })),
)

rule(
  'small-letter-usages-lost',
  ['PKI-USAGE-03'],
  'usages written with a small first letter are missing in certificates (001 4.2: case-insensitive)',
  {
    keyUsages: (original) => (role, request) =>
      original({ ...role, key_usage: role.key_usage.filter((name) => /^[A-Z]/.test(name)) }, request),
  },
)

route(
  'sign-ignores-exclusion',
  ['PKI-EXCLUDE-01', 'PKI-EXCLUDE-02'],
  'sign puts the CN among the names although it is excluded (001 4.2, exclude_cn_from_sans)',
  'pki.sign',
  requestWithout('exclude_cn_from_sans'),
)

route('last-ca-in-pem', 'PKI-CA-05', 'ca/pem shows the last CA of the chain (001 4.2, ca/pem)', 'pki.readCaPem', (original) => (call) => {
  const { authority } = call.state
  const last = authority?.above.at(-1)
  if (authority === undefined || last === undefined) return original(call)
  return original(onState(call, { authority: { ...authority, certificate: { ...authority.certificate, der: last } } }))
})

route(
  'no-lease-is-null',
  'CORE-ENV-10',
  'the list of certificates has lease_id null (000 2.3, lease_id: empty string when no lease)',
  'pki.listCertificates',
  reply((given) => withBody(given, (body) => ({ ...body, lease_id: null }))),
)

rule('csr-without-host-names', ['PKI-MATRIX-04'], 'alternative names of a CSR are lost where none is a host name (001 4.2, use_csr_sans)', {
  alternativeNames: (original) => (role, requested, request) =>
    original(role, requested, request?.names.dns.length === 0 ? undefined : request),
})

rule('csr-emails-and-uris-lost', ['PKI-INTER-12'], 'use_csr_values keeps no email addresses and URIs (001 4.2: keeps alternate names)', {
  intermediateNames: (original) => (requested, request, useRequest) => {
    const names = original(requested, request, useRequest)
    return useRequest ? { ...names, email: [], uri: [] } : names
  },
})

route(
  'sign-default-not-before',
  ['PKI-NOTBEFORE-02'],
  'sign goes by the default of not_before_duration always (001 4.2, not_before_duration)',
  'pki.sign',
  withRules((rules) => ({ validFrom: (role, now) => rules.validFrom({ ...role, not_before_duration: 30 }, now) })),
)
