/** Faults that reach a neighbour: another role, mount, certificate, or a name that is much like one that is allowed. */

import type { Json } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { replyData } from '../../mutations/wrappers.ts'
import { nameOf } from './dawn-help.ts'
import { pkiEngine } from './engine.ts'
import { type Handler, onState } from './overlays.ts'
import type { PkiCall } from './requests.ts'
import type { Role } from './role.ts'
import type { PkiState } from './state.ts'
import { readCertificate } from './x509/certificate.ts'
import { parseOtherName } from './x509/names.ts'

const own = faultsOf(pkiEngine, 'pki')

const { rule, route, change } = own

route(
  'dawn-role-written-over-case-namesake',
  'PKI-ISSUE-17',
  'a role whose name differs from a known one by letter case is written over that one (001 4.2: POST roles/:name)',
  'pki.writeRole',
  (original) => (call) => {
    const name = nameOf(call)
    const known = [...call.state.roles.keys()].find((other) => other.toLowerCase() === name.toLowerCase())
    return original({ ...call, params: { ...call.params, name: known ?? name } })
  },
)

route(
  'dawn-delete-takes-longer-names',
  'CORE-NAME-01',
  'deleting a role deletes all roles whose names begin with its name (001 4.2: DELETE roles/:name deletes role)',
  'pki.deleteRole',
  (original) => (call) => {
    const { roles } = call.state
    for (const name of [...roles.keys()].filter((other) => other.startsWith(nameOf(call)))) roles.delete(name)
    return original(call)
  },
)

const rolesByName = remembered(() => new Map<string, Role>())

change(
  'dawn-role-cache-without-mount',
  'PKI-APART-01',
  'issue goes by the role of that name that was written last, in whatever mount (001 4.2: issue key and certificate by role)',
  {
    routes: {
      'pki.writeRole': (original) => async (call) => {
        const reply = await original(call)
        const role = call.state.roles.get(nameOf(call))
        if (role !== undefined) rolesByName(call.services).set(nameOf(call), role)
        return reply
      },
      'pki.issue': (original) => (call) => {
        const cached = rolesByName(call.services).get(nameOf(call))
        if (cached === undefined || !call.state.roles.has(nameOf(call))) return original(call)
        return original(onState(call, { roles: new Map([...call.state.roles, [nameOf(call), cached]]) }))
      },
    },
  },
)

const mountsOf = remembered(() => new Set<PkiState>())

const registering =
  (original: Handler): Handler =>
  (call) => {
    mountsOf(call.services).add(call.state)
    return original(call)
  }

change(
  'dawn-certificate-of-any-mount',
  'PKI-APART-01',
  'a serial number that the mount does not know is looked up in the other mounts (001 4.2: GET cert/:serial; unknown names are 404)',
  {
    routes: {
      'pki.issue': registering,
      'pki.sign': registering,
      'pki.readCertificate': (original) => (call) => {
        const serial = call.rules.serialKey(call.params.serial ?? '')
        if (call.state.certificates.has(serial)) return original(call)
        const holder = [...mountsOf(call.services)].find(({ certificates }) => certificates.has(serial))
        return original(holder === undefined ? call : onState(call, { certificates: holder.certificates }))
      },
    },
  },
)

/** Sixteen bytes of a serial number with the colons between them. */
const COMPARED = 47

route(
  'dawn-revoke-compares-128-bits',
  'PKI-REVOKE-14',
  'revoke compares the first 16 bytes of serial numbers only, so that a mistyped end revokes another (001 4.2: revoke, serial_number)',
  'pki.revoke',
  (original) => (call) => {
    const { serial_number: given } = call.body
    if (typeof given !== 'string') return original(call)
    const start = call.rules.serialKey(given).slice(0, COMPARED)
    const found = [...call.state.certificates.keys()].find((serial) => start.length === COMPARED && serial.startsWith(start))
    return original({ ...call, body: { ...call.body, serial_number: found ?? given } })
  },
)

rule(
  'dawn-glob-dot-is-any-character',
  'PKI-GLOB-02',
  'the dots of a glob pattern stand for any character (001 4.2: allow_glob_domains, glob patterns in allowed_domains)',
  {
    globAllowed: () => (role, name, pattern) => {
      if (!role.allow_glob_domains || !pattern.includes('*')) return false
      const source = pattern.replace(/[+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*')
      return new RegExp(`^${source}$`, 'is').test(name.full)
    },
  },
)

rule(
  'dawn-uri-below-allowed-one',
  'PKI-URISANS-04',
  'a URI without globs in allowed_uri_sans allows every URI that begins with it (001 4.2: allowed_uri_sans, globs allowed)',
  {
    uriAllowed: (original) => (role, uri) => original(role, uri) || role.allowed_uri_sans.some((allowed) => uri.startsWith(allowed)),
  },
)

rule(
  'dawn-other-name-below-oid',
  'PKI-OTHERSANS-03',
  'an allowed OID allows those that begin with its digits (001 4.2: any value for that OID)',
  {
    otherNameAllowed: (original) => (role, name) =>
      original(role, name) ||
      role.allowed_other_sans.some((entry) => {
        const oid = parseOtherName(entry)?.oid
        return oid !== undefined && name.oid.startsWith(oid) && original({ ...role, allowed_other_sans: [entry] }, { ...name, oid })
      }),
  },
)

rule(
  'dawn-exclusion-takes-names-below',
  'PKI-EXCLUDE-01',
  'exclude_cn_from_sans leaves out alternative names below the common name, too (001 4.2: omit CN from DNS/email SANs)',
  {
    withCommonName: (original) => (names, commonName, exclude) => {
      const kept = original(names, commonName, exclude)
      return exclude && commonName !== '' ? { ...kept, dns: kept.dns.filter((name) => !name.endsWith(`.${commonName}`)) } : kept
    },
  },
)

const usagesSeen = remembered((): { last: Json | undefined } => ({ last: undefined }))

route(
  'dawn-key-usage-of-earlier-role',
  'PKI-ROLE-05',
  'a role without key_usage gets that of the role that was written before (001 4.2: default of key_usage)',
  'pki.writeRole',
  (original) => async (call) => {
    const seen = usagesSeen(call.state)
    const { key_usage: usage = seen.last } = call.body
    const reply = await original(usage === undefined ? call : { ...call, body: { ...call.body, key_usage: usage } })
    seen.last = usage
    return reply
  },
)

const issuersShown = remembered(() => new Map<string, Json>())

route(
  'dawn-issuing-ca-by-subject',
  'PKI-ISSUE-02',
  'issuing_ca is kept by the subject of the CA, so that CAs of the same name share it (001 2.2: issued credential, issuing_ca)',
  ['pki.issue', 'pki.sign'],
  replyData<PkiCall>((data, call) => {
    const shown = issuersShown(call.services)
    const key = `${call.state.authority?.certificate.subject.toString('hex')} ${call.body.format === 'der'}`
    const issuer = shown.get(key) ?? data.issuing_ca ?? null
    shown.set(key, issuer)
    return { ...data, issuing_ca: issuer }
  }),
)

rule(
  'dawn-one-serial-per-subject',
  'PKI-LIST-02',
  'of several certificates with the same subject only the latest is listed (001 4.2: LIST certs)',
  {
    listedSerials: (original) => (state) => {
      const latest = new Map<string, string>()
      for (const serial of original(state)) {
        const stored = state.certificates.get(serial)
        latest.set(stored === undefined ? serial : readCertificate(stored.der).subject.toString('hex'), serial)
      }
      return [...latest.values()]
    },
  },
)
