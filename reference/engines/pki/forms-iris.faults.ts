import { faultsOf } from '../../mutations/declare.ts'
import { replyData } from '../../mutations/wrappers.ts'
import { certificatePem } from './answers.ts'
import { pkiEngine } from './engine.ts'
import type { PkiCall } from './requests.ts'
import { noNames } from './x509/names.ts'

const { rule, route } = faultsOf(pkiEngine, 'pki')

rule(
  'iris-revocation-time-with-fraction',
  'PKI-REVOKE-01',
  'revocation_time has a fraction of a second (document 2, 2.2: int, epoch seconds)',
  {
    revocationTime: () => (earlier, now) => earlier ?? now,
  },
)

route(
  'iris-signed-serial-with-hyphens',
  'PKI-SIGN-04',
  'sign answers the serial number with hyphens (document 2, 2.2: serial_number is colon-separated hex)',
  'pki.sign',
  replyData<PkiCall>((data) => ({ ...data, serial_number: String(data.serial_number).replaceAll(':', '-') })),
)

route(
  'iris-intermediate-der-is-pem',
  'PKI-INTER-17',
  'sign-intermediate with format der answers the PEM text in base64 (document 2, 4.2, format: der is the DER in base64)',
  'pki.signIntermediate',
  replyData<PkiCall>((data, call) => {
    if (call.body.format !== 'der') return data
    const pem = certificatePem(Buffer.from(String(data.certificate), 'base64'))
    return { ...data, certificate: Buffer.from(pem).toString('base64') }
  }),
)

rule(
  'iris-single-domain-as-text',
  'PKI-ROLE-02',
  'the read of a role shows a single allowed domain as text instead of a list (document 2, 4.2, role parameters: allowed_domains is a list)',
  {
    showRole: (original) => (role) => {
      const [only, ...others] = role.allowed_domains
      return only !== undefined && others.length === 0 ? { ...original(role), allowed_domains: only } : original(role)
    },
  },
)

route(
  'iris-no-chain-as-null',
  'PKI-SIGN-03',
  'sign answers null as ca_chain where no further CA certificates were supplied (document 2, 2.2: ca_chain is an array of PEM strings)',
  'pki.sign',
  replyData<PkiCall>((data, call) => (call.state.authority?.above.length === 0 ? { ...data, ca_chain: null } : data)),
)

rule(
  'iris-self-issued-not-critical',
  'PKI-SELF-03',
  'sign-self-issued makes every extension one that is not critical (document 2, 4.2: signed as-is, only authority key id, issuer DN and distribution points change)',
  {
    asGiven: (original) => (content) =>
      original({ ...content, extensions: content.extensions.map((item) => ({ ...item, critical: false })) }),
  },
)

rule(
  'iris-intermediate-keeps-hosts-only',
  'PKI-INTER-12',
  'with use_csr_values only the host names among the alternate names of the request are kept (document 2, 4.2, use_csr_values: keeps subject and alternate names from the CSR)',
  {
    intermediateNames: (original) => (requested, request, useRequest) => {
      const names = original(requested, request, useRequest)
      return useRequest ? { ...noNames(), dns: names.dns } : names
    },
  },
)
