/** Faults of what is near: other roles, serials, domains, mounts and namespaces. */
import { coreEngine } from '../../core/core-engine.ts'
import { textOf } from '../../core/fields.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { replyData } from '../../mutations/wrappers.ts'
import { pkiEngine } from './engine.ts'
import { dataOf, isPkiState } from './frank-help.ts'
import { type Handler as PkiHandler, withRules } from './overlays.ts'
import type { PkiCall } from './requests.ts'
import type { StoredCertificate } from './state.ts'
import { parseOtherName } from './x509/names.ts'

const { rule, route, change } = faultsOf(pkiEngine, 'pki')
const core = faultsOf(coreEngine, 'pki')

const named = (call: PkiCall, name: string): PkiCall => ({ ...call, params: { ...call.params, name } })

route(
  'frank-role-by-prefix',
  'CORE-NAME-01',
  'an unknown role issues by the role whose name begins alike (001 4.2: issue key and certificate by role)',
  'pki.issue',
  (original) => (call) => {
    const name = call.params.name ?? ''
    const near = [...call.state.roles.keys()].filter((known) => name.startsWith(known)).sort((a, b) => b.length - a.length)[0]
    return original(near === undefined ? call : named(call, near))
  },
)

route(
  'frank-deletion-takes-longer-names',
  'CORE-NAME-01',
  'deleting a role deletes the roles whose names continue it, too (001 4.2: DELETE /pki/roles/:name deletes role)',
  'pki.deleteRole',
  (original) => (call) => {
    const name = call.params.name ?? ''
    for (const other of [...call.state.roles.keys()]) if (other.startsWith(name)) call.state.roles.delete(other)
    return original(call)
  },
)

route(
  'frank-write-hits-case-variant',
  'PKI-ISSUE-17',
  'writing a new role whose name differs by case from another changes that one (001 4.2: create or update role)',
  'pki.writeRole',
  (original) => (call) => {
    const name = call.params.name ?? ''
    const same = [...call.state.roles.keys()].find((other) => other.toLowerCase() === name.toLowerCase())
    return original(call.state.roles.has(name) || same === undefined ? call : named(call, same))
  },
)

/** Stored certificates with a look into those of other mounts. */
class Everywhere extends Map<string, StoredCertificate> {
  readonly #elsewhere: (serial: string) => StoredCertificate | undefined

  constructor(elsewhere: (serial: string) => StoredCertificate | undefined) {
    super()
    this.#elsewhere = elsewhere
  }

  override get(serial: string): StoredCertificate | undefined {
    return super.get(serial) ?? this.#elsewhere(serial)
  }
}

core.rule(
  'frank-serials-of-all-mounts',
  'PKI-APART-01',
  'a mount shows and revokes certificates of another mount by their serial numbers (001 4.2: GET /pki/cert/:serial)',
  {
    stateOf: (original) => (engine, others, place) => {
      const state = original(engine, others, place)
      if (!isPkiState(state)) return state
      state.certificates = new Everywhere((serial) => {
        const states = others.map((mount) => mount.state).filter(isPkiState)
        return states.map(({ certificates }) => Map.prototype.get.call(certificates, serial)).find((found) => found !== undefined)
      })
      return state
    },
  },
)

core.rule(
  'frank-roles-shared-with-namespaces',
  'PKI-APART-01',
  'a mount has the roles of the mount of the same name in another namespace (000 2.2: the effective path is namespace and path)',
  {
    stateOf: (original) => (engine, others, place) => {
      const state = original(engine, others, place)
      const namesake = others.find((mount) => mount.path === place.path && mount.namespace !== place.namespace && isPkiState(mount.state))
      if (isPkiState(state) && isPkiState(namesake?.state)) state.roles = namesake.state.roles
      return state
    },
  },
)

const policiesSoFar = remembered(() => new Set<string>())

route(
  'frank-policies-of-earlier-roles',
  'PKI-POLICIES-02',
  'a role that gives no policy_identifiers gets those of roles written before (001 4.2: policy_identifiers, default [])',
  'pki.writeRole',
  withRules((rules, call) => ({
    writeRole: (previous, given, base) => {
      const role = rules.writeRole(previous, given, base)
      const known = policiesSoFar(call.state)
      if (given.policy_identifiers === undefined) return { ...role, policy_identifiers: [...known] }
      for (const policy of given.policy_identifiers) known.add(policy)
      return role
    },
  })),
)

const newest = remembered(() => new Map<string, string>())

route(
  'frank-reissue-replaces',
  'PKI-NOSTORE-05',
  'the second certificate of a common name takes the place of the first, which is no longer found (001 4.2: GET /pki/cert/:serial)',
  'pki.issue',
  (original) => async (call) => {
    const reply = await original(call)
    const key = `${call.params.name} ${textOf(call.body, 'common_name')}`
    const before = newest(call.state).get(key)
    if (before !== undefined && !call.state.certificates.get(before)?.revokedAt) call.state.certificates.delete(before)
    newest(call.state).set(key, String(dataOf(reply).serial_number))
    return reply
  },
)

const issuersSeen = remembered(() => new Map<string, string>())

const issuerBySubject: (original: PkiHandler) => PkiHandler = replyData((data, call: PkiCall) => {
  const seen = issuersSeen(call.services)
  const key = `${call.state.authority?.certificate.subject.toString('hex')} ${textOf(call.body, 'format') === 'der'}`
  const issuer = seen.get(key) ?? String(data.issuing_ca)
  seen.set(key, issuer)
  return { ...data, issuing_ca: issuer }
})

route(
  'frank-issuer-by-subject',
  'PKI-ISSUE-02',
  'issuing_ca is the first CA known under that subject, though another one of the same name signed (001 2.2: issuing_ca)',
  ['pki.issue', 'pki.sign'],
  issuerBySubject,
)

/** Length of sixteen bytes in the colon spelling. */
const SIXTEEN = 47

const alike = (call: PkiCall, given: string): string => {
  const serial = call.rules.serialKey(given)
  if (serial.length < SIXTEEN || call.state.certificates.has(serial)) return given
  return [...call.state.certificates.keys()].find((known) => known.slice(0, SIXTEEN) === serial.slice(0, SIXTEEN)) ?? given
}

change(
  'frank-serials-compared-in-part',
  'PKI-REVOKE-14',
  'only sixteen bytes of a serial number are compared (001 4.2: cert/:serial, revoke)',
  {
    routes: {
      'pki.readCertificate': (original) => (call) =>
        original({ ...call, params: { ...call.params, serial: alike(call, call.params.serial ?? '') } }),
      'pki.revoke': (original) => (call) =>
        original({ ...call, body: { ...call.body, serial_number: alike(call, textOf(call.body, 'serial_number')) } }),
    },
  },
)

rule(
  'frank-exclusion-takes-subdomains',
  'PKI-EXCLUDE-01',
  'exclude_cn_from_sans leaves out alternative names below the common name, too (001 4.2: exclude_cn_from_sans, omit CN)',
  {
    withCommonName: (original) => (names, commonName, exclude) => {
      const kept = original(names, commonName, exclude)
      return exclude && commonName !== '' ? { ...kept, dns: kept.dns.filter((name) => !name.endsWith(`.${commonName}`)) } : kept
    },
  },
)

rule(
  'frank-other-names-below-oid',
  'PKI-OTHERSANS-03',
  'an entry of allowed_other_sans allows object identifiers below its own (001 4.2: other_sans must match role allowed_other_sans)',
  {
    otherNameAllowed: (original) => (role, name) =>
      original(role, name) ||
      role.allowed_other_sans.some((entry) => {
        const listed = parseOtherName(entry)
        return listed !== undefined && name.oid.startsWith(`${listed.oid}.`) && original(role, { ...name, oid: listed.oid })
      }),
  },
)

rule(
  'frank-localhost-begins-alike',
  'PKI-LOCALHOST-02',
  'allow_localhost lets in every name that begins with localhost and a dot (001 4.2: a CN not allowed by role policy is denied)',
  { localhostAllowed: (original) => (role, name) => original(role, name) || (role.allow_localhost && /^localhost\./i.test(name.full)) },
)
