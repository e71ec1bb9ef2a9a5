/** Faults that reach a neighbour: another role, certificate, mount, namespace, or a name that looks alike. */
import { coreEngine } from '../../core/core-engine.ts'
import { ApiError } from '../../core/errors.ts'
import type { Json } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { pkiEngine } from './engine.ts'
import { type Handler, noting } from './overlays.ts'
import type { PkiState } from './state.ts'
import { readCertificate } from './x509/certificate.ts'
import { commonNameOf, parseOtherName } from './x509/names.ts'

const { rule, route, change } = faultsOf(pkiEngine, 'pki')
const core = faultsOf(coreEngine, 'pki')

route(
  'amber-delete-takes-longer-names',
  'PKI-ROLE-05',
  'deleting the role `web` also deletes `web-admin` and the like (001 4.2: DELETE roles/:name deletes role)',
  'pki.deleteRole',
  (original) => (call) => {
    for (const name of [...call.state.roles.keys()]) if (name.startsWith(`${call.params.name}-`)) call.state.roles.delete(name)
    return original(call)
  },
)

const issuingStates = remembered(() => new Set<PkiState>())
const joining =
  (original: Handler): Handler =>
  (call) => {
    issuingStates(call.services).add(call.state)
    return original(call)
  }
change(
  'amber-certificates-of-all-mounts',
  'PKI-APART-01',
  'cert/:serial answers for certificates that another mount issued or signed (001 4.2: cert/:serial; 000 7: 404)',
  {
    routes: {
      'pki.issue': joining,
      'pki.sign': joining,
      'pki.readCertificate': (original) => async (call) => {
        try {
          return await original(call)
        } catch (cause) {
          const key = call.rules.serialKey(call.params.serial ?? '')
          const other = [...issuingStates(call.services)].find(({ certificates }) => certificates.has(key))
          if (!(cause instanceof ApiError) || other === undefined) throw cause
          return original({ ...call, state: other })
        }
      },
    },
  },
)

core.rule(
  'amber-namespaces-share-roles',
  'PKI-APART-01',
  'mounts at the same path in two namespaces share their roles (000 2.2: effective path; 001 4.2: LIST roles)',
  {
    stateOf: (original) => (engine, others, place) => {
      const state = original(engine, others, place)
      const namesake = others.find((mount) => mount.engine.type === 'pki' && mount.path === place.path)
      if (engine.type === 'pki' && namesake !== undefined) (state as PkiState).roles = (namesake.state as PkiState).roles
      return state
    },
  },
)

route(
  'amber-common-name-holds-one-certificate',
  'PKI-CERT-02',
  'issuing for a common name again drops the earlier certificate of that name from the store (001 4.2: cert/:serial, LIST certs)',
  'pki.issue',
  (original) => async (call) => {
    const before = new Set(call.state.certificates.keys())
    const reply = await original(call)
    const { certificates } = call.state
    const nameOf = (serial: string): string => commonNameOf(readCertificate(certificates.get(serial)!.der).subjectNode)
    const made = String((reply.body as { data: { serial_number: string } }).data.serial_number)
    if (!certificates.has(made)) return reply
    const name = nameOf(made)
    for (const serial of before) {
      const found = certificates.get(serial)
      if (found !== undefined && !readCertificate(found.der).ca && nameOf(serial) === name) certificates.delete(serial)
    }
    return reply
  },
)

rule(
  'amber-email-domain-by-ending',
  'PKI-MATRIX-03',
  'allow_subdomains lets an email address at `otherexample.com` pass for `example.com` (001 4.2: any name not matching role policy denies)',
  {
    subdomainAllowed: (original) => (role, name, domain) =>
      original(role, name, domain) || (role.allow_subdomains && name.email && name.domain !== domain && name.domain.endsWith(domain)),
  },
)

rule(
  'amber-uri-by-beginning',
  'PKI-URISANS-04',
  'an allowed URI without a glob lets every longer URI pass that begins with it (001 4.2: allowed_uri_sans)',
  {
    uriAllowed: (original) => (role, uri) =>
      original(role, uri) || role.allowed_uri_sans.some((pattern) => !pattern.includes('*') && uri.startsWith(pattern)),
  },
)

rule(
  'amber-other-sans-crosswise',
  'PKI-OTHERSANS-05',
  'the OID of one allowed other name goes with the value of another (001 4.2: allowed_other_sans `<oid>;<type>:<value>`)',
  {
    otherNameAllowed: (original) => (role, name) => {
      const allowed = role.allowed_other_sans.map(parseOtherName)
      return (
        original(role, name) || (allowed.some((entry) => entry?.oid === name.oid) && allowed.some((entry) => entry?.value === name.value))
      )
    },
  },
)

const usagesWritten = remembered<{ latest: Json }>(() => ({ latest: [] }))
route(
  'amber-usages-of-role-before',
  'PKI-ROLE-05',
  'a role written without ext_key_usage gets the list of the role that was written before it (001 4.2: ext_key_usage default [])',
  'pki.writeRole',
  (original) => async (call) => {
    const written = usagesWritten(call.state)
    const usages = call.body.ext_key_usage ?? written.latest
    const reply = await original({ ...call, body: { ...call.body, ext_key_usage: usages } })
    written.latest = usages
    return reply
  },
)

/** Sixteen octets in the colon spelling. */
const KEY_LENGTH = 16 * 3 - 1
route(
  'amber-serial-cut-to-key-length',
  'PKI-CERT-05',
  'a certificate is found by the first sixteen octets of its serial number (001 4.2: cert/:serial; 000 7: 404)',
  'pki.readCertificate',
  (original) => (call) => {
    const key = call.rules.serialKey(call.params.serial ?? '')
    const alike = [...call.state.certificates.keys()].find(
      (serial) => key.length > KEY_LENGTH && serial.slice(0, KEY_LENGTH) === key.slice(0, KEY_LENGTH),
    )
    return original(alike === undefined ? call : { ...call, params: { ...call.params, serial: alike } })
  },
)

const signedBy = noting((call) => call.params.name ?? '')
change(
  'amber-role-takes-its-signatures-along',
  'PKI-ROLE-06',
  'deleting a role removes the certificates that it signed for CSRs (001 4.2: previously issued certificates stay valid)',
  {
    routes: {
      'pki.sign': signedBy.noted,
      'pki.deleteRole': (original) => (call) => {
        for (const [serial, role] of signedBy.notes(call.state)) if (role === call.params.name) call.state.certificates.delete(serial)
        return original(call)
      },
    },
  },
)

rule(
  'amber-code-signing-stands-alone',
  'PKI-FLAGS-01',
  'with code_signing_flag a certificate is no longer for servers and clients (001 4.2: the three flags are additive)',
  {
    flagUsages: (original) => (role) => original(role.code_signing_flag ? { ...role, server_flag: false, client_flag: false } : role),
  },
)
