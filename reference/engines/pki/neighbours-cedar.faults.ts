/** Faults of the certificate authority: effects on what stands beside the thing that a request is about. */
import { coreEngine } from '../../core/core-engine.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { afterwards, ISSUING } from './cedar-help.ts'
import { pkiEngine } from './engine.ts'
import { withRules } from './overlays.ts'
import type { PkiState } from './state.ts'
import type { AlternativeNames } from './x509/names.ts'

const { rule, route, change } = faultsOf(pkiEngine, 'pki')
const core = faultsOf(coreEngine, 'pki')

route(
  'cedar-delete-takes-longer-names',
  'CORE-NAME-01',
  'deleting a role also deletes the roles whose names begin with its name (document 001, 4.2: DELETE `roles/:name` deletes that role)',
  'pki.deleteRole',
  afterwards(({ state, params }) => () => {
    for (const name of [...state.roles.keys()]) if (name.startsWith(params.name ?? '')) state.roles.delete(name)
  }),
)

const known = new Set<PkiState>()
change(
  'cedar-delete-in-every-mount',
  'PKI-APART-01',
  'deleting a role deletes the roles of that name in all other mounts (document 001, head: mounts can be elsewhere; 4.2: the role of `/pki/roles/:name` is deleted)',
  {
    routes: {
      'pki.writeRole': afterwards(
        ({ state }) =>
          () =>
            void known.add(state),
      ),
      'pki.deleteRole': afterwards(({ params }) => () => {
        for (const state of known) state.roles.delete(params.name ?? '')
      }),
    },
  },
)

route(
  'cedar-root-deletion-takes-roles',
  'PKI-DELETE-04',
  'deleting the root deletes the roles of the mount, too (document 001, 4.2: DELETE `root` deletes the CA key)',
  'pki.deleteRoot',
  afterwards(
    ({ state }) =>
      () =>
        state.roles.clear(),
  ),
)

const hidden = remembered(() => new Set<string>())
change(
  'cedar-revocation-unlists-the-next',
  'PKI-ISSUE-17',
  'after a revocation the certificate that was made next is missing in the list (document 001, 4.2: LIST `certs` returns the serial numbers)',
  {
    rules: {
      listedSerials: (original) => (state) => original(state).filter((serial) => !hidden(state).has(serial)),
    },
    routes: {
      'pki.revoke': afterwards(({ state, rules, body }) => () => {
        const all = [...state.certificates.keys()]
        const next = all[all.indexOf(rules.serialKey(String(body.serial_number))) + 1]
        if (next !== undefined) hidden(state).add(next)
      }),
    },
  },
)

const issuing = new Set<PkiState>()
change(
  'cedar-reads-from-other-mounts',
  'PKI-APART-01',
  'a certificate is read through every mount of the type, not only through its own (document 000, 7: 404 for an invalid path; document 001, 4.2: `cert/:serial` below the mount)',
  {
    routes: {
      'pki.issue': afterwards(
        ({ state }) =>
          () =>
            void issuing.add(state),
      ),
      'pki.sign': afterwards(
        ({ state }) =>
          () =>
            void issuing.add(state),
      ),
      'pki.readCertificate': (original) => (call) => {
        const serial = call.rules.serialKey(call.params.serial ?? '')
        const other = [...issuing].find((state) => state.certificates.has(serial))
        return original(other && !call.state.certificates.has(serial) ? { ...call, state: other } : call)
      },
    },
  },
)

const storing = remembered(() => ({ off: false }))
route(
  'cedar-no-store-sticks',
  'PKI-NOSTORE-05',
  'the certificate made after one of a role with `no_store` is not stored either, whatever its role says (document 001, 4.2: `no_store` is a role parameter, default false)',
  ISSUING,
  withRules((rules, { state }) => ({
    stored: (role) => {
      const last = storing(state)
      const own = rules.stored(role)
      const stored = own && !last.off
      last.off = !own
      return stored
    },
  })),
)

const written = remembered(() => ({ seconds: undefined as number | undefined }))
change(
  'cedar-not-before-of-the-last-written-role',
  'PKI-APART-01',
  'certificates begin as early as the role written last says, not their own role (document 001, 4.2: `not_before_duration` is a role parameter)',
  {
    routes: Object.fromEntries([
      [
        'pki.writeRole',
        afterwards(({ state, params }) => () => {
          written(state).seconds = state.roles.get(params.name ?? '')?.not_before_duration
        }),
      ],
      ...ISSUING.map((id) => [
        id,
        withRules((rules, { state }) => ({
          validFrom: (role, now) =>
            rules.validFrom({ ...role, not_before_duration: written(state).seconds ?? role.not_before_duration }, now),
        })),
      ]),
    ]),
  },
)

const sizes = remembered(() => new Map<string, number>())
route(
  'cedar-key-size-of-another-role',
  'PKI-KEYBITS-02',
  'keys have the size of the first role of their type that was used in the mount (document 001, 4.2: `key_bits` is a role parameter)',
  'pki.issue',
  withRules((rules, { state }) => ({
    keyToIssue: (role) => {
      const wanted = rules.keyToIssue(role)
      const bits = sizes(state).get(wanted.type) ?? wanted.bits
      sizes(state).set(wanted.type, bits)
      return { ...wanted, bits }
    },
  })),
)

const namesBefore = remembered(() => new Map<string, AlternativeNames>())
route(
  'cedar-names-of-the-previous-request',
  'PKI-CN-03',
  'a certificate with alternative host names also has those of the previous certificate of its role (document 001, 4.2: `alt_names` are the names of the request)',
  'pki.issue',
  (original) => async (call) => {
    const name = call.params.name ?? ''
    const before = namesBefore(call.state).get(name)?.dns ?? []
    let own: AlternativeNames | undefined
    const alternativeNames: typeof call.rules.alternativeNames = (role, requested, request) => {
      own = call.rules.alternativeNames(role, requested, request)
      return own.dns.length === 0 ? own : { ...own, dns: [...new Set([...own.dns, ...before])] }
    }
    const reply = await original({ ...call, rules: { ...call.rules, alternativeNames } })
    if (own) namesBefore(call.state).set(name, own)
    return reply
  },
)

rule(
  'cedar-exclusion-takes-subdomains',
  'PKI-EXCLUDE-01',
  'with `exclude_cn_from_sans` names that end in the common name are left out as well (document 001, 4.2: it omits the CN)',
  {
    withCommonName: (original) => (names, commonName, excluded) => {
      const left = original(names, commonName, excluded)
      return excluded && commonName !== '' ? { ...left, dns: left.dns.filter((name) => !name.endsWith(`.${commonName}`)) } : left
    },
  },
)

core.rule(
  'cedar-roles-of-the-same-path-elsewhere',
  'PKI-APART-01',
  'mounts at the same path of two namespaces share their roles (document 000, 2.2: the namespace is part of the effective path)',
  {
    stateOf: (original) => (engine, others, place) => {
      const state = original(engine, others, place)
      const same = others.find((mount) => mount.engine.type === 'pki' && mount.path === place.path && mount.namespace !== place.namespace)
      return engine.type === 'pki' && same ? Object.assign(state as PkiState, { roles: (same.state as PkiState).roles }) : state
    },
  },
)

const identifiers = remembered(() => ({ last: [] as string[] }))
route(
  'cedar-policy-identifiers-of-another-role',
  'PKI-ROLE-05',
  'a role written without `policy_identifiers` has those of the role that was written with some before (document 001, 4.2: default [])',
  'pki.writeRole',
  (original) => async (call) => {
    const kept = identifiers(call.state)
    const roleDefaults = () => ({ ...call.rules.roleDefaults(), policy_identifiers: kept.last })
    const reply = await original({ ...call, rules: { ...call.rules, roleDefaults } })
    kept.last = call.state.roles.get(call.params.name ?? '')?.policy_identifiers ?? []
    return reply
  },
)
