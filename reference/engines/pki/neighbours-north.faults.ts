/** Faults of effects on neighbours: other roles, names, mounts and certificates. */
import { coreEngine } from '../../core/core-engine.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { replyData } from '../../mutations/wrappers.ts'
import { pkiEngine } from './engine.ts'
import { about, nameOf } from './north-help.ts'
import { noting, withRules } from './overlays.ts'
import type { PkiCall } from './requests.ts'
import type { PkiState } from './state.ts'
import { parseOtherName } from './x509/names.ts'

const { rule, route, change } = faultsOf(pkiEngine, 'pki')
const core = faultsOf(coreEngine, 'pki')

route(
  'north-role-of-other-case-overwritten',
  'PKI-ISSUE-17',
  'writing a role overwrites one whose name differs by case only (001 4.2: POST /pki/roles/:name, create or update role)',
  'pki.writeRole',
  (original) => (call) => {
    const name = nameOf(call)
    const known = [...call.state.roles.keys()].find((other) => other.toLowerCase() === name.toLowerCase())
    return original(about(call, known ?? name))
  },
)

route(
  'north-deletion-takes-suffixed-roles',
  'PKI-ROLE-05',
  'deleting a role deletes those whose names go on after it with a hyphen (001 4.2: DELETE /pki/roles/:name, deletes role)',
  'pki.deleteRole',
  (original) => (call) => {
    for (const name of [...call.state.roles.keys()]) if (name.startsWith(`${nameOf(call)}-`)) call.state.roles.delete(name)
    return original(call)
  },
)

const makers = noting(nameOf)
change(
  'north-deleted-role-takes-certificates',
  'PKI-ROLE-06',
  'certificates vanish with the role that issued them (001 4.2: DELETE /pki/roles/:name, previously issued certificates stay valid)',
  {
    routes: {
      'pki.issue': makers.noted,
      'pki.sign': makers.noted,
      'pki.deleteRole': (original) => (call) => {
        for (const [serial, name] of makers.notes(call.state)) if (name === nameOf(call)) call.state.certificates.delete(serial)
        return original(call)
      },
    },
  },
)

core.rule(
  'north-certificates-shared-by-mounts',
  'PKI-APART-01',
  'a further mount of the engine shows and lists the certificates of the first (001 4.2: LIST /pki/certs; 000: engines can be mounted at any path)',
  {
    stateOf: (original) => (engine, others, place) => {
      const state = original(engine, others, place)
      const first = others.find((mount) => engine.type === 'pki' && mount.engine.type === 'pki')
      return first === undefined ? state : Object.assign(state as PkiState, { certificates: (first.state as PkiState).certificates })
    },
  },
)

const domainsBefore = remembered(() => ({ list: [] as string[] }))
route(
  'north-domains-of-role-before',
  'PKI-ROLE-05',
  'a role without allowed_domains gets those of the role written before it (001 4.2 role parameters: allowed_domains, default [])',
  'pki.writeRole',
  withRules((rules, call) => ({
    writeRole: (previous, given, base) => {
      const before = domainsBefore(call.state)
      const role = rules.writeRole(previous, given, { ...base, allowed_domains: before.list })
      before.list = role.allowed_domains
      return role
    },
  })),
)

const upToPeriod = ({ params }: PkiCall): string => (params.name ?? '').replace(/\..*$/, '')
route(
  'north-role-name-ends-at-period',
  'PKI-ROLE-04',
  'what follows a period in a role name is cut off, so that two such roles are one (001 4.2: /pki/roles/:name; 000 2.1: only a period at the end is refused)',
  ['pki.writeRole', 'pki.readRole', 'pki.deleteRole', 'pki.issue', 'pki.sign'],
  (original) => (call) => original(about(call, upToPeriod(call) || nameOf(call))),
)

rule(
  'north-domain-by-mere-ending',
  'PKI-DOMAINS-02',
  'any host name that ends in the letters of an allowed domain counts as its subdomain (001 4.2: allow_subdomains; a CN not allowed by role policy is denied)',
  {
    subdomainAllowed: (original) => (role, name, domain) =>
      original(role, name, domain) || (role.allow_subdomains && name.domain !== domain && name.domain.endsWith(domain)),
  },
)

rule(
  'north-other-name-of-oid-below',
  'PKI-OTHERSANS-03',
  'an other name is allowed for the identifiers below the one listed (001 4.2: allowed_other_sans, `*` allows any value for that OID)',
  {
    otherNameAllowed: (original) => (role, name) =>
      original(role, name) ||
      role.allowed_other_sans.some((entry) => {
        const listed = parseOtherName(entry)
        return listed !== undefined && name.oid.startsWith(`${listed.oid}.`) && original(role, { ...name, oid: listed.oid })
      }),
  },
)

const hostOf = (uri: string): string => (URL.canParse(uri) ? new URL(uri).host : '')
rule(
  'north-uri-of-same-host',
  'PKI-URISANS-04',
  'a URI is allowed as soon as its host is that of a listed one (001 4.2: allowed_uri_sans, comma-delimited, globs allowed; uri_sans)',
  {
    uriAllowed: (original) => (role, uri) =>
      original(role, uri) || role.allowed_uri_sans.some((listed) => hostOf(listed) !== '' && hostOf(listed) === hostOf(uri)),
  },
)

route(
  'north-issuer-is-top-of-chain',
  'PKI-ISSUE-02',
  'issuing_ca is the topmost CA of the chain where extra ones were supplied (001 4.2: issue and sign return issuing_ca)',
  ['pki.issue', 'pki.sign'],
  replyData((data, call) => {
    const chain = Array.isArray(data.ca_chain) ? data.ca_chain : []
    return chain.length > 1 && call.body.format !== 'der' ? { ...data, issuing_ca: chain.at(-1)! } : data
  }),
)

rule(
  'north-code-signing-instead-of-others',
  'PKI-FLAGS-01',
  'code_signing_flag puts its usage in the place of those of server_flag and client_flag (001 4.2: server_flag, client_flag, code_signing_flag are additive)',
  { flagUsages: (original) => (role) => original(role.code_signing_flag ? { ...role, server_flag: false, client_flag: false } : role) },
)
