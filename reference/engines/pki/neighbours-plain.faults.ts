/** Faults whose effect falls on a neighbour: other roles, names, mounts, certificates. */
import { secret } from '../../core/envelope.ts'
import { ApiError } from '../../core/errors.ts'
import { integerOf } from '../../core/fields.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { certificatePem } from './answers.ts'
import { pkiEngine } from './engine.ts'
import { withRules } from './overlays.ts'
import { knownMounts } from './plain-help.ts'
import { signedBy } from './x509/certificate.ts'
import { parseOtherName } from './x509/names.ts'

const { rule, route, change } = faultsOf(pkiEngine, 'pki')

route(
  'plain-delete-role-by-prefix',
  'CORE-NAME-01',
  'deleting a role deletes the roles whose names begin with its name (001 4.2: DELETE roles/:name deletes role)',
  'pki.deleteRole',
  (original) => (call) => {
    const longer = [...call.state.roles.keys()].filter((name) => name.startsWith(call.params.name!))
    for (const name of longer) call.state.roles.delete(name)
    return original(call)
  },
)

const usagesSeen = remembered(() => new Set<string>())
route(
  'plain-usages-of-other-roles',
  'PKI-ROLE-05',
  'the default list of extended usages is shared, a role gets those of roles written before (001 4.2: ext_key_usage default [])',
  'pki.writeRole',
  (original) => async (call) => {
    const reply = await original(call)
    const role = call.state.roles.get(call.params.name!)
    if (role === undefined) return reply
    const shared = usagesSeen(call.state)
    if (role.ext_key_usage.length === 0) role.ext_key_usage = [...shared]
    else for (const usage of role.ext_key_usage) shared.add(usage)
    return reply
  },
)

const readable = knownMounts()
change(
  'plain-certificate-of-another-mount',
  'PKI-APART-01',
  'cert/:serial finds the certificates of all mounts (001 4.2: GET cert/:serial; 000 7: 404)',
  {
    routes: {
      'pki.generateRoot': readable.noted,
      'pki.issue': readable.noted,
      'pki.sign': readable.noted,
      'pki.readCertificate': (original) => async (call) => {
        try {
          return await original(call)
        } catch (cause) {
          const serial = call.rules.serialKey(call.params.serial!)
          const found = [...readable.known(call.services)].find(({ certificates }) => certificates.has(serial))?.certificates.get(serial)
          if (!(cause instanceof ApiError) || found === undefined) throw cause
          return secret({ certificate: certificatePem(found.der) })
        }
      },
    },
  },
)

const related = knownMounts()
change(
  'plain-delete-root-and-children',
  'PKI-APART-01',
  'DELETE root takes the keys of CAs below it on other mounts, too (001 4.2: deletes the CA key)',
  {
    routes: {
      'pki.writeCa': related.noted,
      'pki.setSigned': related.noted,
      'pki.deleteRoot': (original) => (call) => {
        const parent = call.state.authority?.certificate
        for (const state of related.known(call.services)) {
          const child = state.authority
          if (state === call.state || parent === undefined || child === undefined) continue
          if (signedBy(child.certificate.der, parent.publicKey)) state.authority = { ...child, key: undefined }
        }
        return original(call)
      },
    },
  },
)

rule(
  'plain-cn-within-alt-name',
  'PKI-CN-03',
  'the common name is left out of the SANs where an alternative name contains it (001 4.2: exclude_cn_from_sans default false)',
  {
    withCommonName: (original) => (names, commonName, exclude) =>
      !exclude && commonName !== '' && names.dns.some((name) => name.includes(commonName)) ? names : original(names, commonName, exclude),
  },
)

rule(
  'plain-subdomain-without-dot',
  'PKI-DOMAINS-02',
  'a name that ends like an allowed domain passes for its subdomain (001 4.2: allow_subdomains)',
  {
    subdomainAllowed: (original) => (role, name, domain) =>
      original(role, name, domain) || (role.allow_subdomains && name.domain !== domain && name.domain.endsWith(domain)),
  },
)

rule(
  'plain-uri-below-allowed',
  'PKI-URISANS-04',
  'an allowed URI without glob lets all URIs through that begin with it (001 4.2: allowed_uri_sans)',
  {
    uriAllowed: (original) => (role, uri) =>
      original(role, uri) || role.allowed_uri_sans.some((pattern) => !pattern.includes('*') && uri.startsWith(pattern)),
  },
)

rule(
  'plain-other-name-oid-prefix',
  'PKI-OTHERSANS-03',
  'an allowed OID covers OIDs that begin with it (001 4.2: allowed_other_sans, any value for that OID)',
  {
    otherNameAllowed: (original) => (role, name) =>
      original(role, name) ||
      role.allowed_other_sans.some((entry) => {
        const allowed = parseOtherName(entry)
        return allowed !== undefined && name.oid.startsWith(allowed.oid) && ['*', name.value].includes(allowed.value)
      }),
  },
)

rule(
  'plain-localhost-anywhere',
  'PKI-LOCALHOST-02',
  'allow_localhost allows every name that has localhost in it (001 4.2: a CN not allowed by role policy is denied)',
  {
    localhostAllowed: (original) => (role, name) =>
      original(role, name) || (role.allow_localhost && name.full.toLowerCase().includes('localhost')),
  },
)

const childLimit = remembered(() => ({ length: -1 }))
route(
  'plain-sibling-path-length',
  'PKI-INTER-07',
  'the path length of one intermediate limits those that the same CA signs later (001 4.2: max_path_length, default -1 = no limit)',
  'pki.signIntermediate',
  (original) => async (call) => {
    const limit = childLimit(call.state.authority ?? call.state)
    const limited = withRules((rules) => ({
      pathLength: (requested, signer) =>
        rules.pathLength(requested, limit.length >= 0 && (signer < 0 || signer > limit.length) ? limit.length + 1 : signer),
    }))
    const reply = await limited(original)(call)
    const asked = integerOf(call.body, 'max_path_length', -1)
    if (asked >= 0) limit.length = asked
    return reply
  },
)

rule(
  'plain-bare-covers-wildcard',
  'PKI-BARE-03',
  'a bare domain lets its wildcard through (001 4.2: allow_subdomains includes wildcard subdomains, default false)',
  {
    bareAllowed: (original) => (role, name, domain) =>
      original(role, name, domain) || (role.allow_bare_domains && name.wildcard && name.domain === domain),
  },
)

route(
  'plain-ca-shows-last-appended',
  'PKI-CA-05',
  'ca in DER is the last of the appended CA certificates, not the CA itself (001 4.2: GET ca, CA certificate as raw DER)',
  'pki.readCa',
  (original) => async (call) => {
    const reply = await original(call)
    const last = call.state.authority?.above.at(-1)
    return reply.raw === undefined || last === undefined ? reply : { ...reply, raw: { ...reply.raw, bytes: last } }
  },
)
