/** Faults that reach something beside what was asked for: other roles, certificates, names, namespaces. */
import { coreEngine } from '../../core/core-engine.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { replyData } from '../../mutations/wrappers.ts'
import { certificatePem } from './answers.ts'
import { BY_ROLE, kindOf } from './brief-help.ts'
import { pkiEngine } from './engine.ts'
import { noting } from './overlays.ts'
import { serialText } from './x509/certificate.ts'
import { parseOtherName } from './x509/names.ts'

const { rule, route, change } = faultsOf(pkiEngine, 'pki')
const core = faultsOf(coreEngine, 'pki')

route(
  'brief-role-deletion-takes-prefix',
  'CORE-NAME-01',
  'deleting a role also deletes every role whose name begins with its name (001 4.2: DELETE /pki/roles/:name, deletes role)',
  'pki.deleteRole',
  (original) => (call) => {
    const { roles } = call.state
    for (const name of [...roles.keys()]) if (name.startsWith(call.params.name!)) roles.delete(name)
    return original(call)
  },
)

core.rule(
  'brief-one-state-per-mount-path',
  'PKI-APART-01',
  'a mount shares CA, roles and certificates with the mount of the same path in another namespace (000 2.2: effective path)',
  {
    stateOf: (original) => (engine, others, place) => {
      const namesake = engine.type === 'pki' ? others.find((mount) => mount.engine.type === 'pki' && mount.path === place.path) : undefined
      return namesake?.state ?? original(engine, others, place)
    },
  },
)

route(
  'brief-root-deletion-empties-store',
  'PKI-APART-01',
  'deleting the root forgets the certificates issued so far, too (001 4.2: DELETE /pki/root deletes the CA key)',
  'pki.deleteRoot',
  (original) => (call) => {
    const { authority, certificates } = call.state
    const own = authority === undefined ? '' : serialText(authority.certificate.serial)
    for (const serial of [...certificates.keys()]) if (serial !== own) certificates.delete(serial)
    return original(call)
  },
)

const beginsLike = (pattern: string, text: string): boolean => {
  const parts = pattern.split('*').map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${parts.join('.*')}`, 'is').test(text)
}

rule(
  'brief-glob-open-at-end',
  'PKI-GLOB-02',
  'a glob domain also admits names that go on after what it matches (001 4.2: allow_glob_domains; a CN not allowed by policy is denied)',
  {
    globAllowed: (original) => (role, name, pattern) =>
      original(role, name, pattern) || (role.allow_glob_domains && pattern.includes('*') && beginsLike(pattern, name.full)),
  },
)

rule(
  'brief-other-name-of-neighbour',
  'PKI-OTHERSANS-05',
  'an other name passes with the identifier of one allowed entry and the value of another (001 4.2: allowed_other_sans)',
  {
    otherNameAllowed: (original) => (role, name) => {
      const entries = role.allowed_other_sans.flatMap((entry) => parseOtherName(entry) ?? [])
      const known = entries.some((entry) => entry.oid === name.oid)
      return original(role, name) || (known && entries.some((entry) => entry.value === '*' || entry.value === name.value))
    },
  },
)

rule(
  'brief-localhost-as-first-label',
  'PKI-LOCALHOST-02',
  'allow_localhost admits every name that begins with the label localhost (001 4.2: allow_localhost; a CN not allowed by policy is denied)',
  { localhostAllowed: () => (role, name) => role.allow_localhost && name.full.toLowerCase().split('.')[0] === 'localhost' },
)

const latestOfKind = remembered(() => new Map<string, string>())

route(
  'brief-one-certificate-per-name',
  'PKI-NOSTORE-05',
  'a new certificate for the same role and common name takes the stored place of the one before (001 4.2: LIST /pki/certs, GET /pki/cert)',
  BY_ROLE,
  (original) => async (call) => {
    const given = await original(call)
    const { data } = given.body as { data: { serial_number: string } }
    const latest = latestOfKind(call.state)
    const before = latest.get(kindOf(call))
    if (before !== undefined) call.state.certificates.delete(before)
    latest.set(kindOf(call), data.serial_number)
    return given
  },
)

route(
  'brief-issuing-ca-is-the-top',
  'PKI-SIGNED-01',
  'issuing_ca is the last of the appended CA certificates instead of the CA that issued (001 2.2: issued credential, issuing_ca)',
  BY_ROLE,
  replyData((data, call) => {
    const top = call.state.authority?.above.at(-1)
    if (top === undefined) return data
    return { ...data, issuing_ca: call.body.format === 'der' ? top.toString('base64') : certificatePem(top) }
  }),
)

const sharedPolicies = remembered((): string[] => [])

route(
  'brief-shared-default-list',
  'PKI-POLICIES-02',
  'policy identifiers of a role are appended to the default that all later roles share (001 4.2: policy_identifiers, default [])',
  'pki.writeRole',
  (original) => async (call) => {
    const shared = sharedPolicies(call.state)
    const given = call.body.policy_identifiers
    const isGiven = given !== undefined && given !== null
    const reply = await original(
      isGiven || shared.length === 0 ? call : { ...call, body: { ...call.body, policy_identifiers: [...shared] } },
    )
    if (isGiven) shared.push(...(call.state.roles.get(call.params.name!)?.policy_identifiers ?? []))
    return reply
  },
)

rule(
  'brief-code-signing-stands-alone',
  'PKI-FLAGS-01',
  'code_signing_flag takes away the usages of server_flag and client_flag (001 4.2: the flags are additive)',
  {
    flagUsages: (original) => (role) => original(role.code_signing_flag ? { ...role, server_flag: false, client_flag: false } : role),
  },
)

const issuedBy = noting((call) => call.params.name!)

change(
  'brief-role-takes-certificates-along',
  'PKI-ROLE-06',
  'certificates of a deleted role cannot be read any more (001 4.2: DELETE /pki/roles/:name, previously issued certificates stay valid)',
  {
    routes: {
      'pki.issue': issuedBy.noted,
      'pki.sign': issuedBy.noted,
      'pki.deleteRole': (original) => (call) => {
        for (const [serial, role] of issuedBy.notes(call.state)) if (role === call.params.name) call.state.certificates.delete(serial)
        return original(call)
      },
    },
  },
)
