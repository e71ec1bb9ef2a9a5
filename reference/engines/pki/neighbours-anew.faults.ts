/** Faults that show at a neighbour of what was asked for. */
import type { KeyObject } from 'node:crypto'
import type { Reply } from '../../core/reply.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { requestBody } from '../../mutations/wrappers.ts'
import { afterwards } from './anew-help.ts'
import { pkiEngine } from './engine.ts'
import { noting, onState } from './overlays.ts'
import type { PkiCall } from './requests.ts'
import type { Authority, PkiState } from './state.ts'
import { dataOf, type Handle } from './wrappers.ts'
import { serialText } from './x509/certificate.ts'
import { EXTENSION } from './x509/extensions.ts'

const { rule, route, change } = faultsOf(pkiEngine, 'pki')

const { notes: rolesOf, noted: roleNoted } = noting((call: PkiCall) => call.params.name ?? '')

change(
  'anew-role-deletion-drops-certificates',
  ['PKI-ROLE-06'],
  'deleting a role takes the certificates issued by it out of the store (001 4.2 DELETE roles: previously issued certificates stay valid)',
  {
    routes: {
      'pki.issue': roleNoted,
      'pki.sign': roleNoted,
      'pki.deleteRole': afterwards(({ state, params }) => {
        for (const [serial, role] of rolesOf(state)) if (role === params.name) state.certificates.delete(serial)
      }),
    },
  },
)

route(
  'anew-role-deletion-by-prefix',
  ['CORE-NAME-01'],
  'deleting a role also deletes the roles whose names begin with its name (001 4.2 DELETE roles/:name: deletes role)',
  'pki.deleteRole',
  afterwards(({ state, params }) => {
    for (const name of [...state.roles.keys()]) if (name.startsWith(params.name ?? '')) state.roles.delete(name)
  }),
)

const issuing = remembered(() => new Set<PkiState>())
const seenIssuing = afterwards(({ services, state }) => {
  issuing(services).add(state)
})

change(
  'anew-certificate-of-other-mount',
  ['PKI-APART-01'],
  'a mount serves certificates that another mount issued (001 4.2 cert/:serial: below its own mount; an unknown name in a read is 404)',
  {
    routes: {
      'pki.issue': seenIssuing,
      'pki.sign': seenIssuing,
      'pki.readCertificate': (original) => (call) => {
        const serial = call.rules.serialKey(call.params.serial ?? '')
        const other = [...issuing(call.services)].find(({ certificates }) => certificates.has(serial))
        if (other === undefined || call.state.certificates.has(serial)) return original(call)
        return original(onState(call, { certificates: other.certificates }))
      },
    },
  },
)

const shownCas = remembered(() => new Map<string, { state: PkiState; authority: Authority; reply: Reply }>())

route(
  'anew-ca-pem-of-other-namespace',
  ['PKI-APART-01'],
  'the CA in PEM is cached by the path of the mount without its namespace (000 2.2: the namespace is part of the effective path)',
  'pki.readCaPem',
  (original) => async (call) => {
    const cache = shownCas(call.services)
    const cached = cache.get(call.mount.path)
    if (cached !== undefined && cached.state.authority === cached.authority) return cached.reply
    const reply = await original(call)
    const { state } = call
    if (state.authority !== undefined) cache.set(call.mount.path, { state, authority: state.authority, reply })
    return reply
  },
)

route(
  'anew-root-street-from-postal-code',
  ['PKI-SUBJECT-06'],
  'the street address of a new root is taken from its postal code (001 4.2 subject fields: street_address, postal_code)',
  'pki.generateRoot',
  requestBody(({ street_address: _street, ...body }) => ({ ...body, street_address: body.postal_code ?? '' })),
)

route(
  'anew-new-ca-forgets-certificates',
  ['PKI-APART-01'],
  'a supplied CA ousts all certificates: earlier ones are neither read nor listed (001 4.2 config/ca: overrides existing CA)',
  'pki.writeCa',
  afterwards(({ state }) => {
    const { authority, certificates } = state
    const own = authority === undefined ? '' : serialText(authority.certificate.serial)
    for (const serial of [...certificates.keys()]) if (serial !== own) certificates.delete(serial)
  }),
)

rule(
  'anew-client-usage-by-server-flag',
  ['PKI-FLAGS-01'],
  'the usage for clients follows server_flag, a copied line (001 4.2 roles: server_flag, client_flag are additive)',
  {
    flagUsages: (original) => (role) => original({ ...role, client_flag: role.server_flag }),
  },
)

rule(
  'anew-locality-province-swapped',
  ['PKI-PROVINCE-02'],
  'locality and province of a role change places in the subject (001 4.2 roles: locality, province)',
  {
    subject: (original) => (role, commonName) => original({ ...role, locality: role.province, province: role.locality }, commonName),
  },
)

const latestOf = remembered(() => new Map<string, string>())
const onePerName =
  (original: Handle): Handle =>
  async (call) => {
    const reply = await original(call)
    const name = `${call.params.name} ${String(call.body.common_name)}`
    const earlier = latestOf(call.state).get(name)
    if (earlier !== undefined) call.state.certificates.delete(earlier)
    latestOf(call.state).set(name, String(dataOf(reply).serial_number))
    return reply
  }

route(
  'anew-one-certificate-per-name',
  ['PKI-NOSTORE-05'],
  'a new certificate for a common name puts the one before it out of the store (001 4.2 certs: serial numbers; no_store)',
  'pki.issue',
  onePerName,
)

rule(
  'anew-ec-keys-shared',
  ['PKI-ISSUE-14'],
  'one EC key of a size goes to everybody who issues with it (001 4.2 issue: issue key and certificate)',
  {
    newKey: (original) => {
      const pool = new Map<number, Promise<KeyObject>>()
      return (type, bits) => {
        if (type !== 'ec') return original(type, bits)
        const key = pool.get(bits) ?? original(type, bits)
        pool.set(bits, key)
        return key
      }
    },
  },
)

rule(
  'anew-self-issued-loses-subject-key-id',
  ['PKI-SELF-03'],
  'a signed self-issued certificate loses its subject key id (001 4.2 sign-self-issued: only authority key id, issuer DN … change)',
  {
    replacedExtensions: (original) => () => [...original(), EXTENSION.subjectKey],
  },
)
