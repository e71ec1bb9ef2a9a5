/** Faults of time and order: second calls, and what comes after deletions, refusals and changes. */
import { createHash } from 'node:crypto'
import { invalid } from '../../core/errors.ts'
import { textOf } from '../../core/fields.ts'
import type { JsonObject } from '../../core/json.ts'
import type { Reply } from '../../core/reply.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { afterwards } from './anew-help.ts'
import { pkiEngine } from './engine.ts'
import { noting, onState, withRules } from './overlays.ts'
import type { PkiCall } from './requests.ts'
import { givenFields, type Role } from './role.ts'
import type { Authority } from './state.ts'
import type { Handle } from './wrappers.ts'

const { rule, route, change } = faultsOf(pkiEngine, 'pki')

const nameOf = (call: PkiCall): string => call.params.name ?? ''

const KEPT_BACK = ['key_type', 'key_bits', 'key_usage', 'ext_key_usage', 'ext_key_usage_oids', 'policy_identifiers']

const readable = (body: JsonObject): Partial<Role> => {
  try {
    return Object.fromEntries(Object.entries(givenFields(body)).filter(([field]) => !KEPT_BACK.includes(field)))
  } catch {
    return {}
  }
}

route(
  'anew-refused-role-update-holds',
  ['PKI-KEYTYPE-05'],
  'a refused update of a role changes its lifetimes, names and flags (000 7: 400 invalid request; a refusal changes nothing)',
  'pki.writeRole',
  (original) => async (call) => {
    try {
      return await original(call)
    } catch (cause) {
      const role = call.state.roles.get(nameOf(call))
      if (role !== undefined) Object.assign(role, readable(call.body))
      throw cause
    }
  },
)

rule(
  'anew-no-root-after-deletion',
  ['PKI-ROOT-17'],
  'once the root is deleted no other can be generated, as the old certificate counts (001 4.2 root/generate: delete first)',
  {
    mayGenerate: (original) => (state) => original(state) && state.authority === undefined,
  },
)

const signers = remembered((): { last?: Authority } => ({}))

route(
  'anew-deleted-root-signs-intermediates',
  ['PKI-DELETE-01'],
  'a root that signed an intermediate before goes on doing so after its deletion (001 4.2 DELETE root: deletes the CA key)',
  'pki.signIntermediate',
  (original) => async (call) => {
    const { authority } = call.state
    const known = signers(call.state)
    if (authority?.key === undefined && known.last !== undefined) return original(onState(call, { authority: known.last }))
    const reply = await original(call)
    if (authority !== undefined) known.last = authority
    return reply
  },
)

const firstAuthorities = remembered(() => new Map<string, Authority>())

route(
  'anew-role-keeps-first-ca',
  ['PKI-ISSUE-02'],
  'a role goes on issuing under the CA that it issued under first when another is supplied (001 4.2 config/ca: overrides existing CA)',
  'pki.issue',
  (original) => async (call) => {
    const { authority } = call.state
    const known = firstAuthorities(call.state)
    const first = known.get(nameOf(call))
    if (authority?.key === undefined) return original(call)
    if (first !== undefined) return original(onState(call, { authority: first }))
    const reply = await original(call)
    known.set(nameOf(call), authority)
    return reply
  },
)

const chains = remembered((): { reply?: Reply } => ({}))
const chainForgotten = afterwards(({ state }) => {
  delete chains(state).reply
})

change(
  'anew-chain-cached-over-new-ca',
  ['PKI-CHAIN-01'],
  'ca_chain that was read once stays the same when config/ca supplies another CA (001 4.2 ca_chain: chain including the CA)',
  {
    routes: {
      'pki.readCaChain': (original) => async (call) => {
        const cached = chains(call.state)
        if (cached.reply !== undefined) return cached.reply
        const reply = await original(call)
        if (call.state.authority !== undefined) cached.reply = reply
        return reply
      },
      'pki.generateRoot': chainForgotten,
      'pki.setSigned': chainForgotten,
      'pki.deleteRoot': chainForgotten,
    },
  },
)

const { notes: rolesOf, noted: roleNoted } = noting(nameOf)

change(
  'anew-no-revocation-after-role',
  ['PKI-REVOKE-01'],
  'certificates of a role cannot be revoked once it is deleted (001 4.2 revoke: serial_number; DELETE roles: stay valid)',
  {
    routes: {
      'pki.issue': roleNoted,
      'pki.sign': roleNoted,
      'pki.revoke': (original) => (call) => {
        const role = rolesOf(call.state).get(call.rules.serialKey(textOf(call.body, 'serial_number')))
        if (role !== undefined && !call.state.roles.has(role)) throw invalid('unknown role')
        return original(call)
      },
    },
  },
)

route(
  'anew-refused-bundle-drops-ca',
  ['PKI-CONFIG-07'],
  'a bundle that is refused leaves the mount without the CA that it had (001 4.2 config/ca; 000 7: a refusal changes nothing)',
  'pki.writeCa',
  (original) => (call) => {
    call.state.authority = undefined
    return original(call)
  },
)

route(
  'anew-same-request-same-serial',
  ['PKI-ISSUE-10'],
  'a request that is signed a second time gets the serial number of the first time (001 2.2: serial_number; revoke and cert go by it)',
  'pki.sign',
  withRules((_rules, call) => ({
    serialNumber: () => {
      const digest = createHash('sha1').update(textOf(call.body, 'csr')).digest()
      digest[0] = (digest[0]! & 0x3f) | 0x40
      return digest
    },
  })),
)

const withoutCa = remembered(() => new Set<string>())

change(
  'anew-missing-ca-remembered',
  ['PKI-ISSUE-01'],
  'a role that was asked before there was a CA goes on refusing until it is written anew (001 4.2 issue/:name; root/generate)',
  {
    routes: {
      'pki.issue': (original) => (call) => {
        const known = withoutCa(call.state)
        if (call.state.authority?.key === undefined && call.state.roles.has(nameOf(call))) known.add(nameOf(call))
        if (known.has(nameOf(call))) throw invalid('no CA is configured on this mount')
        return original(call)
      },
      'pki.writeRole': afterwards((call) => {
        withoutCa(call.state).delete(nameOf(call))
      }),
    },
  },
)

const lastFormats = remembered(() => new Map<string, JsonObject>())

route(
  'anew-format-sticks',
  ['PKI-KEYFORMAT-01'],
  'the formats of a request are the defaults of the next by the same role (001 4.2 format: default pem; private_key_format: der)',
  'pki.issue',
  (original) => async (call) => {
    const body = { ...lastFormats(call.state).get(nameOf(call)), ...call.body }
    const reply = await original({ ...call, body })
    const kept = Object.entries(body).filter(([field]) => field === 'format' || field === 'private_key_format')
    lastFormats(call.state).set(nameOf(call), Object.fromEntries(kept))
    return reply
  },
)

const unstored = remembered(() => new Set<string>())

const stillUnstored =
  (original: Handle): Handle =>
  (call) => {
    const known = unstored(call.state)
    if (call.state.roles.get(nameOf(call))?.no_store) known.add(nameOf(call))
    const { rules } = call
    return original({ ...call, rules: { ...rules, stored: (role) => rules.stored(role) && !known.has(nameOf(call)) } })
  }

route(
  'anew-no-store-outlives-update',
  ['PKI-ROLE-02'],
  'a role that issued with no_store goes on so after an update to false (001 4.2 no_store: cannot be listed or revoked; certs)',
  ['pki.issue', 'pki.sign'],
  stillUnstored,
)
