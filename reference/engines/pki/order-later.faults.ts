/** Faults of time and order: second calls, deletions, refusals, and changes of what an operation depends on. */
import { textOf } from '../../core/fields.ts'
import type { Json } from '../../core/json.ts'
import type { Reply } from '../../core/reply.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { bySeenRole, remembered } from '../../mutations/remembering.ts'
import { replyData } from '../../mutations/wrappers.ts'
import { pkiEngine } from './engine.ts'
import { onRefusal, onSuccess, roleIn } from './later-help.ts'
import { onState, withRules } from './overlays.ts'
import { givenFields, type Role } from './role.ts'
import type { PkiRules } from './rules.ts'
import type { Authority, PkiState } from './state.ts'
import { failing } from './wrappers.ts'

const { rule, route, change } = faultsOf(pkiEngine, 'pki')

rule(
  'later-no-root-after-deletion',
  ['PKI-ROOT-17'],
  'no root can be generated once one was deleted, for its certificate is still there (001 4.2: existing CA, delete first)',
  { mayGenerate: () => (state) => state.authority === undefined },
)

route(
  'later-issue-by-deleted-role',
  ['PKI-ROLE-05'],
  'a role that was used goes on issuing after its deletion (001 4.2: DELETE roles/:name deletes role)',
  'pki.issue',
  bySeenRole<PkiState, PkiRules>((seen, current) => current ?? seen),
)

const deletedAuthorities = remembered((): { latest?: Authority } => ({}))

change(
  'later-intermediates-by-deleted-key',
  ['PKI-DELETE-01'],
  'intermediates are still signed after the root is deleted (001 4.2: DELETE root deletes the CA key)',
  {
    routes: {
      'pki.deleteRoot': (original) => (call) => {
        if (call.state.authority?.key !== undefined) deletedAuthorities(call.state).latest = call.state.authority
        return original(call)
      },
      'pki.signIntermediate': (original) => (call) => {
        const { latest } = deletedAuthorities(call.state)
        return original(call.state.authority?.key === undefined && latest ? onState(call, { authority: latest }) : call)
      },
    },
  },
)

const firstIssuers = remembered(() => new Map<string, Json>())

route(
  'later-issuing-ca-of-before',
  ['PKI-ISSUE-02'],
  'issuing_ca stays the first CA of the mount after another has taken its place (001 4.2: issuing_ca; config/ca overrides)',
  ['pki.issue', 'pki.sign'],
  replyData((data, call) => {
    const first = firstIssuers(call.state)
    const form = textOf(call.body, 'format') === 'der' ? 'der' : 'pem'
    if (!first.has(form)) first.set(form, data.issuing_ca ?? null)
    return { ...data, issuing_ca: first.get(form) ?? null }
  }),
)

rule(
  'later-lease-decided-at-creation',
  ['PKI-ROLE-02'],
  'generate_lease of an update has no effect (001 4.2: POST roles/:name creates or updates; generate_lease)',
  {
    writeRole: (original) => (previous, given, base) => {
      const role = original(previous, given, base)
      return previous === undefined ? role : { ...role, generate_lease: previous.generate_lease }
    },
  },
)

const fieldsOf = (body: Parameters<typeof givenFields>[0]): Partial<Role> => {
  try {
    const { key_type: _type, key_bits: _bits, key_usage: _usage, ...rest } = givenFields(body)
    return rest
  } catch {
    return {}
  }
}

route(
  'later-refused-update-stays',
  ['PKI-KEYTYPE-05'],
  'a refused update of a role changes it all the same, where its fields could be read (000 7: 400 is an invalid request; it has no effect)',
  'pki.writeRole',
  onRefusal((call) => {
    const role = roleIn(call)
    if (role !== undefined) Object.assign(role, fieldsOf(call.body))
  }),
)

route(
  'later-refused-ca-clears',
  ['PKI-CONFIG-07'],
  'a pem_bundle that is refused takes the existing CA away (001 4.2: config/ca needs private key and certificate; a refusal has no effect)',
  'pki.writeCa',
  onRefusal(({ body, state }) => {
    if (typeof body.pem_bundle === 'string' && body.pem_bundle.includes('-----BEGIN')) state.authority = undefined
  }),
)

route(
  'later-error-before-first-ca',
  ['PKI-ISSUE-21'],
  'issuing and signing by a role before there is a CA is 500 (000 7: 400 invalid request, 500 internal error)',
  ['pki.issue', 'pki.sign'],
  failing((call) => call.state.authority === undefined && roleIn(call) !== undefined),
)

const supplied = remembered((): { latest?: Authority | undefined } => ({}))
const noteSupplied = onSuccess((call) => {
  supplied(call.state).latest = call.state.authority
})

change(
  'later-root-over-supplied-ca',
  ['PKI-ROOT-06'],
  'root/generate replaces a CA that was supplied (001 4.2: refuses to overwrite an existing CA)',
  {
    routes: {
      'pki.writeCa': noteSupplied,
      'pki.setSigned': noteSupplied,
      'pki.generateRoot': (original) => (call) => {
        const { authority } = call.state
        const isOther = authority !== undefined && supplied(call.state).latest === authority
        return isOther ? withRules(() => ({ mayGenerate: () => true, stillMayGenerate: () => true }))(original)(call) : original(call)
      },
    },
  },
)

const writtenPem = remembered((): { first?: Reply } => ({}))

route(
  'later-ca-pem-kept',
  ['PKI-DELETE-04'],
  'ca/pem goes on showing the CA of its first read after another has taken its place (001 4.2: ca and ca/pem: the CA certificate)',
  'pki.readCaPem',
  (original) => async (call) => {
    const kept = writtenPem(call.state)
    const reply = kept.first ?? (await original(call))
    if (reply.status === 200) kept.first = reply
    return reply
  },
)

const listed = remembered((): { latest?: Reply | undefined } => ({}))
const relist = onSuccess((call) => {
  listed(call.state).latest = undefined
})

change(
  'later-deleted-role-stays-listed',
  ['PKI-ROLE-04'],
  'a listing of roles is kept until the next write, so that a deleted role stays in it (001 4.2: LIST roles; DELETE deletes role)',
  {
    routes: {
      'pki.writeRole': relist,
      'pki.listRoles': (original) => async (call) => {
        const kept = listed(call.state)
        kept.latest ??= await original(call)
        return kept.latest
      },
    },
  },
)
