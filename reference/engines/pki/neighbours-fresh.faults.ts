/** Faults by which one object, name, mount or parameter of the PKI engine touches another. */
import { coreEngine } from '../../core/core-engine.ts'
import { ApiError } from '../../core/errors.ts'
import type { Json } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { pkiEngine } from './engine.ts'
import { type Handler, noting } from './overlays.ts'
import type { PkiState } from './state.ts'
import { dataOf } from './wrappers.ts'
import type { AlternativeNames } from './x509/names.ts'

const { rule, route, change } = faultsOf(pkiEngine, 'pki')
const core = faultsOf(coreEngine, 'pki')

route(
  'fresh-read-serial-prefix',
  ['PKI-CERT-05'],
  'reading a certificate takes the beginning of a serial number for the whole (000 7: 404, what does not exist)',
  'pki.readCertificate',
  (original) => (call) => {
    const start = call.rules.serialKey(call.params.serial ?? '')
    const found = [...call.state.certificates.keys()].find((serial) => serial.startsWith(start))
    return original(found === undefined ? call : { ...call, params: { ...call.params, serial: found } })
  },
)

const issuing = remembered(() => new Set<PkiState>())
const registers =
  (original: Handler): Handler =>
  (call) => {
    issuing(call.services).add(call.state)
    return original(call)
  }
const looksEverywhere =
  (original: Handler): Handler =>
  async (call) => {
    try {
      return await original(call)
    } catch (cause) {
      const serial = call.rules.serialKey(call.params.serial ?? '')
      const elsewhere = [...issuing(call.services)].find(({ certificates }) => certificates.has(serial))
      if (!(cause instanceof ApiError) || elsewhere === undefined) throw cause
      return original({ ...call, state: elsewhere })
    }
  }
change(
  'fresh-read-other-mount',
  ['PKI-APART-01'],
  'cert/:serial shows certificates of other PKI mounts, too (001 4.2: GET /pki/cert/:serial)',
  {
    routes: { 'pki.issue': registers, 'pki.sign': registers, 'pki.readCertificate': looksEverywhere },
  },
)

core.rule('fresh-roles-of-other-mount', ['PKI-APART-01'], 'PKI mounts at the same path of two namespaces share their roles (000 2.2)', {
  stateOf: (original) => (engine, others, place) => {
    const state = original(engine, others, place)
    const other = others.find((mount) => mount.engine.type === 'pki' && mount.path === place.path)
    if (engine.type !== 'pki' || other === undefined) return state
    return { ...(state as PkiState), roles: (other.state as PkiState).roles }
  },
})

const usagesWritten = remembered(() => ({ latest: undefined as Json | undefined }))
route(
  'fresh-role-inherits-usages',
  ['PKI-ROLE-05'],
  'a role without ext_key_usage gets that of the role written before (001 4.2: default [])',
  'pki.writeRole',
  (original) => async (call) => {
    const written = usagesWritten(call.state)
    const body = { ext_key_usage: written.latest ?? [], ...call.body }
    const reply = await original({ ...call, body })
    written.latest = body.ext_key_usage
    return reply
  },
)

const latestOfName = remembered(() => new Map<string, string>())
route(
  'fresh-renewal-replaces-older',
  ['PKI-NOSTORE-05'],
  'a certificate for the same common name takes the place of the older one, which is gone (001 4.2: cert/:serial, certs)',
  'pki.issue',
  (original) => async (call) => {
    const reply = await original(call)
    const name = String(call.body.common_name ?? '')
    const latest = latestOfName(call.state)
    const older = latest.get(name)
    if (older !== undefined) call.state.certificates.delete(older)
    latest.set(name, String(dataOf(reply).serial_number))
    return reply
  },
)

const signed = noting((call) => call.params.name)
change('fresh-role-delete-drops-signed', ['PKI-ROLE-06'], 'deleting a role forgets the certificates it signed (001 4.2: they stay valid)', {
  routes: {
    'pki.sign': signed.noted,
    'pki.deleteRole': (original) => (call) => {
      for (const [serial, role] of signed.notes(call.state)) if (role === call.params.name) call.state.certificates.delete(serial)
      return original(call)
    },
  },
})

rule(
  'fresh-email-alike-domain',
  ['PKI-MATRIX-03'],
  'an email of a host that merely ends like a bare domain is allowed (001 4.2: alt_names)',
  {
    bareAllowed: (original) => (role, name, domain) =>
      original(role, name, domain) || (role.allow_bare_domains && name.email && name.domain.endsWith(domain)),
  },
)

rule(
  'fresh-localhost-anything-below',
  ['PKI-LOCALHOST-02'],
  'allow_localhost allows any name that begins with localhost. (001 4.2: CN not allowed)',
  {
    localhostAllowed: (original) => (role, name) =>
      original(role, name) || (role.allow_localhost && name.full.toLowerCase().startsWith('localhost.')),
  },
)

/** Host names and emails, else addresses, else URIs, else other names. */
const firstKind = (names: AlternativeNames): AlternativeNames => {
  const none: AlternativeNames = { dns: [], email: [], ip: [], uri: [], other: [] }
  if (names.dns.length + names.email.length > 0) return { ...none, dns: names.dns, email: names.email }
  if (names.ip.length > 0) return { ...none, ip: names.ip }
  return names.uri.length > 0 ? { ...none, uri: names.uri } : names
}
rule(
  'fresh-first-kind-judged',
  ['PKI-SIGN-08'],
  'of several kinds of alternative names only the first is judged (001 4.2: alt_names, ip_sans)',
  {
    refusal: (original) => (rules, role, commonName, names, request) => original(rules, role, commonName, firstKind(names), request),
  },
)

rule(
  'fresh-no-usage-no-extended',
  ['PKI-FLAGS-01'],
  'a role with an empty key_usage sets no extended usages either (001 4.2: server_flag)',
  {
    flagUsages: (original) => (role) => (role.key_usage.length === 0 ? [] : original(role)),
    namedUsages: (original) => (role) => (role.key_usage.length === 0 ? [] : original(role)),
  },
)

rule(
  'fresh-exclude-takes-subdomains',
  ['PKI-EXCLUDE-01'],
  'exclude_cn_from_sans takes alternative names below the common name along (001 4.2: omit CN)',
  {
    withCommonName: (original) => (names, commonName, exclude) => {
      const all = original(names, commonName, exclude)
      return exclude ? { ...all, dns: all.dns.filter((name) => !name.endsWith(`.${commonName}`)) } : all
    },
  },
)

rule(
  'fresh-bare-allows-wildcard',
  ['PKI-BARE-03'],
  'allow_bare_domains allows the wildcard of the domain, too (001 4.2: only allow_subdomains does)',
  {
    bareAllowed: (original) => (role, name, domain) => original(role, { ...name, wildcard: false }, domain),
  },
)
