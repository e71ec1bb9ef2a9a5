/** Faults of time and order: second calls, updates, deletions, and what comes again under the same name. */
import { createHash, type KeyObject } from 'node:crypto'
import { remembered } from '../../mutations/remembering.ts'
import { replyData } from '../../mutations/wrappers.ts'
import { BY_ROLE, nameOf, pki, withRole } from './gale-help.ts'
import { type Handler, onState, withRules } from './overlays.ts'
import { type Role, secondsOf } from './role.ts'

const everAllowed = remembered(() => new Map<string, Set<string>>())
const byAllDomains = (original: Handler): Handler => {
  return (call) =>
    original(
      withRole(call, (role) => ({ allowed_domains: [...(everAllowed(call.state).get(nameOf(call)) ?? []), ...role.allowed_domains] })),
    )
}
pki.change(
  'gale-domains-stay-allowed',
  'PKI-ISSUE-17',
  'domains that an update takes out of allowed_domains stay allowed (001, 4.2 POST roles: create or update; a name not allowed is denied)',
  {
    routes: {
      'pki.writeRole': (original) => async (call) => {
        const reply = await original(call)
        const known = everAllowed(call.state)
        const domains = call.state.roles.get(nameOf(call))?.allowed_domains ?? []
        known.set(nameOf(call), new Set([...(known.get(nameOf(call)) ?? []), ...domains]))
        return reply
      },
      'pki.deleteRole': (original) => (call) => {
        everAllowed(call.state).delete(nameOf(call))
        return original(call)
      },
      'pki.issue': byAllDomains,
      'pki.sign': byAllDomains,
    },
  },
)

const firstIssuer = remembered(() => new Map<string, string>())
pki.route(
  'gale-issuer-of-first-answer',
  'PKI-ISSUE-02',
  'issuing_ca stays that of the first certificate although the CA is another by now (001, 4.2 issue and sign: the issuing CA)',
  BY_ROLE,
  replyData((data, call) => {
    const known = firstIssuer(call.state)
    const form = call.body.format === 'der' ? 'der' : 'pem'
    const first = known.get(form) ?? String(data.issuing_ca)
    known.set(form, first)
    return { ...data, issuing_ca: first }
  }),
)

const firstChain = remembered((): { bytes?: Uint8Array } => ({}))
pki.route(
  'gale-chain-read-once',
  'PKI-CHAIN-03',
  'ca_chain shows for ever what it showed first, also after the CA was replaced (001, 4.2 GET ca_chain: including the CA)',
  'pki.readCaChain',
  (original) => async (call) => {
    const reply = await original(call)
    if (reply.raw === undefined) return reply
    const first = firstChain(call.state)
    first.bytes ??= reply.raw.bytes
    return { ...reply, raw: { ...reply.raw, bytes: first.bytes } }
  },
)

const buried = remembered(() => new Map<string, Role>())
pki.change(
  'gale-role-rises',
  'PKI-ROLE-05',
  'a role that is created again after its deletion starts from its old values (001, 4.2 DELETE roles deletes the role; role parameters: defaults)',
  {
    routes: {
      'pki.deleteRole': (original) => (call) => {
        const role = call.state.roles.get(nameOf(call))
        if (role !== undefined) buried(call.state).set(nameOf(call), role)
        return original(call)
      },
      'pki.writeRole': (original) => (call) => {
        const old = call.state.roles.has(nameOf(call)) ? undefined : buried(call.state).get(nameOf(call))
        return withRules((rules) => ({ roleDefaults: () => ({ ...rules.roleDefaults(), ...old }) }))(original)(call)
      },
    },
  },
)

pki.route(
  'gale-serial-of-request',
  'PKI-ISSUE-10',
  'signing one request twice gives both certificates one serial number (001, 4.2 sign and cert/:serial: a serial number names one certificate)',
  'pki.sign',
  withRules((_rules, { body }) => ({
    serialNumber: () => {
      const serial = createHash('sha256').update(String(body.csr)).digest().subarray(0, 20)
      serial[0] = (serial[0]! & 0x3f) | 0x40
      return serial
    },
  })),
)

const leasedAtFirst = remembered(() => new Map<string, boolean>())
pki.route(
  'gale-lease-as-at-first',
  'PKI-ROLE-02',
  'whether a role gives leases is settled by its first certificate; a later generate_lease changes nothing (001, 4.2: generate_lease; issue is leased)',
  BY_ROLE,
  withRules((rules, call) => ({
    leased: (role) => {
      const known = leasedAtFirst(call.state)
      const first = known.get(nameOf(call)) ?? rules.leased(role)
      known.set(nameOf(call), first)
      return first && rules.stored(role)
    },
  })),
)

const deletedNames = remembered(() => new Set<string>())
pki.change(
  'gale-list-without-risen',
  'CORE-LIST-01',
  'a role that was deleted and created again is missing in the listing (001, 4.2 LIST roles: the names of the roles)',
  {
    routes: {
      'pki.deleteRole': (original) => (call) => {
        deletedNames(call.state).add(nameOf(call))
        return original(call)
      },
      'pki.listRoles': (original) => (call) => {
        const left = [...call.state.roles].filter(([name]) => !deletedNames(call.state).has(name))
        return original(onState(call, { roles: new Map(left) }))
      },
    },
  },
)

const refusals = remembered(() => ({ once: false }))
pki.route(
  'gale-root-refused-once',
  'PKI-ROOT-06',
  'an existing CA is kept the first time that another is asked for and overwritten the second time (001, 4.2 root/generate: refuses to overwrite)',
  'pki.generateRoot',
  (original) => async (call) => {
    const exists = call.state.authority?.key !== undefined
    const refused = refusals(call.state)
    const insisting = exists && refused.once
    const rules = insisting ? { ...call.rules, mayGenerate: () => true, stillMayGenerate: () => true } : call.rules
    try {
      return await original({ ...call, rules })
    } catch (cause) {
      refused.once ||= exists
      throw cause
    }
  },
)

const keysOf = remembered(() => new Map<string, KeyObject>())
pki.route(
  'gale-key-of-role',
  'PKI-ISSUE-14',
  'a role issues the same private key with each of its certificates (001, 4.2 issue: issues a key, which is not stored)',
  'pki.issue',
  withRules((rules, call) => ({
    newKey: async (type, bits) => {
      const id = `${nameOf(call)}/${type}/${bits}`
      const key = keysOf(call.state).get(id) ?? (await rules.newKey(type, bits))
      keysOf(call.state).set(id, key)
      return key
    },
  })),
)

pki.route(
  'gale-ttl-left-in-role',
  'PKI-APART-01',
  'the ttl of a request becomes that of the role for requests without one (001, 4.2 ttl: the default is the ttl of the role)',
  BY_ROLE,
  (original) => async (call) => {
    const reply = await original(call)
    const role = call.state.roles.get(nameOf(call))
    if (role !== undefined) role.ttl = secondsOf(call.body, 'ttl') || role.ttl
    return reply
  },
)
