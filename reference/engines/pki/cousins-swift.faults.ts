/** Cousins of the faults that lived through a blind round: the same slips with another signer, role or origin of a CA. */
import { invalid } from '../../core/errors.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { pkiEngine } from './engine.ts'
import { type Handler, onState, withRules } from './overlays.ts'
import type { Role } from './role.ts'
import type { Authority, PkiState } from './state.ts'

const { route, change } = faultsOf(pkiEngine)

const bySubject = () => {
  const signers = remembered(() => new Map<string, Authority>())
  return (original: Handler): Handler =>
    (call) => {
      const { authority } = call.state
      if (authority?.key === undefined) return original(call)
      const id = authority.certificate.subject.toString('hex')
      const known = signers(call.services).get(id) ?? authority
      signers(call.services).set(id, known)
      return original(onState(call, { authority: known }))
    }
}

route(
  'cousin-sign-by-subject',
  ['PKI-SIGN-02', 'PKI-SIGN-12'],
  'sign keeps CAs by their subject (4.2, sign/:name: `issuing_ca`)',
  'pki.sign',
  bySubject(),
)
route(
  'cousin-intermediate-by-subject',
  ['PKI-INTER-01'],
  'sign-intermediate keeps CAs by their subject (4.2, root/sign-intermediate)',
  'pki.signIntermediate',
  bySubject(),
)
route(
  'cousin-self-issued-by-subject',
  ['PKI-SELF-01', 'PKI-SELF-02'],
  'sign-self-issued keeps CAs by their subject (4.2, root/sign-self-issued)',
  'pki.signSelfIssued',
  bySubject(),
)

/** By another role than the one that is named. */
const byRole =
  (find: (names: string[], name: string) => string | undefined) =>
  (original: Handler): Handler =>
  (call) => {
    const name = call.params.name ?? ''
    return original({ ...call, params: { ...call.params, name: find([...call.state.roles.keys()], name) ?? name } })
  }

route(
  'cousin-sign-first-prefix',
  ['PKI-ISSUE-17'],
  'sign takes the first role whose name begins with the one asked for (4.2, sign/:name: "per role")',
  'pki.sign',
  byRole((names, name) => (names.includes(name) ? names.find((one) => one.startsWith(name)) : undefined)),
)
route(
  'cousin-roles-any-case',
  ['PKI-ISSUE-17'],
  'issue and sign take the first role of the name in any case (4.2, roles/:name)',
  ['pki.issue', 'pki.sign'],
  byRole((names, name) => names.find((one) => one.toLowerCase() === name.toLowerCase())),
)
route(
  'cousin-unknown-role-near',
  ['PKI-ISSUE-11', 'PKI-SIGN-10'],
  'where no role has the name, one that begins with it issues and signs (4.2, issue/:name: "by role")',
  ['pki.issue', 'pki.sign'],
  byRole((names, name) => (names.includes(name) ? undefined : names.find((one) => one.startsWith(name)))),
)
route(
  'cousin-role-name-cut',
  ['PKI-ISSUE-17'],
  'issue knows roles by the first 48 letters of their names (4.2, roles/:name)',
  'pki.issue',
  byRole((names, name) => names.find((one) => one.slice(0, 48) === name.slice(0, 48))),
)

const mountsOf = remembered(() => new Set<PkiState>())

const joining =
  (original: Handler): Handler =>
  (call) => {
    mountsOf(call.services).add(call.state)
    return original(call)
  }

change(
  'cousin-same-ca-deleted',
  ['PKI-APART-01'],
  'deleting a root deletes the key of the same CA in other mounts (4.2, DELETE /pki/root)',
  {
    routes: {
      'pki.generateRoot': joining,
      'pki.writeCa': joining,
      'pki.deleteRoot': (original) => (call) => {
        const own = call.state.authority?.certificate.der
        for (const state of mountsOf(call.services)) {
          const { authority } = state
          if (own !== undefined && authority?.certificate.der.equals(own) === true) state.authority = { ...authority, key: undefined }
        }
        return original(call)
      },
    },
  },
)

/** A role with something of the others of the mount. */
const withOthers = (mixed: (role: Role, others: Role[]) => Partial<Role>) =>
  withRules((rules, call) => {
    const of = (role: Role): Role => ({ ...role, ...mixed(role, [...call.state.roles.values()]) })
    return {
      lifetime: (role, requested, limits) => rules.lifetime(of(role), requested, limits),
      leased: (role) => rules.leased(of(role)),
      stored: (role) => rules.stored(of(role)),
      flagUsages: (role) => rules.flagUsages(of(role)),
      validFrom: (role, now) => rules.validFrom(of(role), now),
      subject: (role, commonName) => rules.subject(of(role), commonName),
    }
  })

for (const [id, what, mixed] of [
  [
    'smallest-max-ttl',
    'the smallest `max_ttl` of all roles of the mount holds',
    (role, others) => ({ max_ttl: Math.min(...[role, ...others].map(({ max_ttl }) => max_ttl)) }),
  ],
  ['first-ttl', 'the `ttl` of the first role of the mount holds', (role, [first]) => ({ ttl: first?.ttl ?? role.ttl })],
  [
    'any-lease',
    'one role with `generate_lease` has those of all leased',
    (_role, others) => ({ generate_lease: others.some((one) => one.generate_lease) }),
  ],
  [
    'any-no-store',
    'one role with `no_store` has nothing of any stored',
    (_role, others) => ({ no_store: others.some((one) => one.no_store) }),
  ],
  [
    'any-code-signing',
    'one role with `code_signing_flag` has it for all',
    (_role, others) => ({ code_signing_flag: others.some((one) => one.code_signing_flag) }),
  ],
  ['last-ou', 'the `ou` of the last role of the mount is in all certificates', (role, others) => ({ ou: others.at(-1)?.ou ?? role.ou })],
  [
    'longest-not-before',
    'the longest `not_before_duration` of the mount holds',
    (_role, others) => ({ not_before_duration: Math.max(...others.map((one) => one.not_before_duration)) }),
  ],
] as [string, string, (role: Role, others: Role[]) => Partial<Role>][])
  route(`cousin-${id}`, ['PKI-APART-01'], `${what} (4.2, role parameters)`, ['pki.issue', 'pki.sign'], withOthers(mixed))

const lingering = remembered(() => ({ leased: false }))

route(
  'cousin-lease-lingers',
  ['PKI-APART-01'],
  'what a role without `generate_lease` signs after one with it is leased (4.2, role: `generate_lease` false)',
  'pki.sign',
  withRules((rules, call) => ({
    leased: (role) => {
      const { leased } = lingering(call.state)
      lingering(call.state).leased = rules.leased(role)
      return rules.leased(role) || leased
    },
  })),
)

const noStoreBefore = remembered(() => ({ stored: true }))

route(
  'cousin-no-store-lingers-signing',
  ['PKI-NOSTORE-05'],
  'what is signed after a certificate that was issued without being stored is not stored either (4.2, role: `no_store` false)',
  ['pki.issue', 'pki.sign'],
  withRules((rules, call) => ({
    stored: (role) => {
      const before = noStoreBefore(call.state).stored
      noStoreBefore(call.state).stored = rules.stored(role)
      return rules.stored(role) && (before || call.body.csr === undefined)
    },
  })),
)

const from = new WeakMap<PkiState, string>()

const coming =
  (how: string) =>
  (original: Handler): Handler =>
  async (call) => {
    const reply = await original(call)
    from.set(call.state, how)
    return reply
  }

const over = (how: string) =>
  withRules((rules) => ({
    mayGenerate: (state) => from.get(state) === how || rules.mayGenerate(state),
    stillMayGenerate: (state) => from.get(state) === how || rules.stillMayGenerate(state),
  }))

change(
  'cousin-root-over-signed',
  ['PKI-ROOT-06'],
  'root/generate replaces a signed intermediate (4.2: "refuses to overwrite an existing CA")',
  {
    routes: { 'pki.setSigned': coming('signed'), 'pki.generateRoot': over('signed') },
  },
)
change('cousin-no-root-after-supplied', ['PKI-DELETE-04'], 'no root is generated once a supplied CA was deleted (4.2: "delete first")', {
  routes: {
    'pki.writeCa': coming('supplied'),
    'pki.generateRoot': withRules((rules) => ({ mayGenerate: (state) => from.get(state) !== 'supplied' && rules.mayGenerate(state) })),
  },
})
change(
  'cousin-supplied-stays',
  ['PKI-DELETE-01'],
  'the key of a supplied CA is not deleted (4.2, DELETE /pki/root: "deletes the CA key")',
  {
    routes: {
      'pki.writeCa': coming('supplied'),
      'pki.generateRoot': coming('generated'),
      'pki.deleteRoot': withRules((rules, call) => ({
        afterDeletion: (authority) => (from.get(call.state) === 'supplied' ? authority : rules.afterDeletion(authority)),
      })),
    },
  },
)

const early = new WeakSet<Role>()

change(
  'cousin-early-role-signs-not',
  ['PKI-SIGN-01'],
  'a role written before its mount had a CA never signs (4.2, sign/:name: "sign a CSR per role")',
  {
    routes: {
      'pki.writeRole': (original) => async (call) => {
        const reply = await original(call)
        const role = call.state.roles.get(call.params.name ?? '')
        if (role !== undefined && call.state.authority?.key === undefined) early.add(role)
        return reply
      },
      'pki.sign': (original) => (call) => {
        const role = call.state.roles.get(call.params.name ?? '')
        if (role !== undefined && early.has(role)) throw invalid('the role has no issuer')
        return original(call)
      },
    },
  },
)
