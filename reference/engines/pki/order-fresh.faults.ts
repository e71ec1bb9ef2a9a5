/** Faults by time and order: what earlier requests to the PKI engine leave behind. */
import { createHash, type KeyObject } from 'node:crypto'
import { empty } from '../../core/envelope.ts'
import { invalid } from '../../core/errors.ts'
import type { Reply } from '../../core/reply.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { pkiEngine } from './engine.ts'
import { noting, onState, withRules } from './overlays.ts'
import type { Authority } from './state.ts'
import { serialText } from './x509/certificate.ts'

const { route, change } = faultsOf(pkiEngine, 'pki')

const domainsEver = remembered(() => new Map<string, Set<string>>())
const byDomainsEver = withRules((rules, call) => ({
  refusal: (all, role, commonName, names, request) => {
    const ever = domainsEver(call.state).get(call.params.name!) ?? []
    return rules.refusal(all, { ...role, allowed_domains: [...new Set([...role.allowed_domains, ...ever])] }, commonName, names, request)
  },
}))
change(
  'fresh-removed-domain-stays',
  ['PKI-ISSUE-17'],
  'a domain that an update removes from a role stays allowed (001 4.2: create or update role)',
  {
    routes: {
      'pki.writeRole': (original) => async (call) => {
        const reply = await original(call)
        const name = call.params.name!
        const known = domainsEver(call.state)
        known.set(name, new Set([...(known.get(name) ?? []), ...(call.state.roles.get(name)?.allowed_domains ?? [])]))
        return reply
      },
      'pki.deleteRole': (original) => (call) => {
        domainsEver(call.state).delete(call.params.name!)
        return original(call)
      },
      'pki.issue': byDomainsEver,
      'pki.sign': byDomainsEver,
    },
  },
)

route(
  'fresh-refused-signed-drops-key',
  ['PKI-SIGNED-01'],
  'a refused set-signed throws the key of the intermediate away, so the right one is refused, too (001 4.2: set-signed)',
  'pki.setSigned',
  (original) => async (call) => {
    try {
      return await original(call)
    } catch (cause) {
      call.state.pendingKey = undefined
      throw cause
    }
  },
)

const firstChain = remembered(() => ({ reply: undefined as Reply | undefined }))
route(
  'fresh-chain-as-first-read',
  ['PKI-CHAIN-01'],
  'ca_chain answers for ever as at its first read, whatever CA there is (001 4.2: PEM chain including the CA)',
  'pki.readCaChain',
  (original) => async (call) => {
    const kept = firstChain(call.state)
    const reply = kept.reply ?? (await original(call))
    if (reply.status === 200) kept.reply = reply
    return reply
  },
)

const deleted = remembered(() => ({ authority: undefined as Authority | undefined }))
change(
  'fresh-deleted-key-signs-authorities',
  ['PKI-DELETE-01'],
  'after DELETE root sign-intermediate uses the old key (001 4.2: deletes the key)',
  {
    routes: {
      'pki.deleteRoot': (original) => (call) => {
        if (call.state.authority?.key !== undefined) deleted(call.state).authority = call.state.authority
        return original(call)
      },
      'pki.signIntermediate': (original) => (call) => {
        const { authority } = deleted(call.state)
        return original(call.state.authority?.key === undefined && authority ? onState(call, { authority }) : call)
      },
    },
  },
)

route(
  'fresh-second-delete-removes-certificate',
  ['PKI-DELETE-02'],
  'a second DELETE root removes the certificate of the CA as well (001 4.2: old certificate stays readable)',
  'pki.deleteRoot',
  (original) => (call) => {
    const { authority, certificates } = call.state
    if (authority === undefined || authority.key !== undefined) return original(call)
    certificates.delete(serialText(authority.certificate.serial))
    call.state.authority = undefined
    return empty()
  },
)

const generating = remembered(() => ({ started: false }))
route(
  'fresh-refused-generate-stays-busy',
  ['PKI-ROOT-01'],
  'after a refused root/generate the mount says for ever that one is under way (001 4.2: root/generate)',
  'pki.generateRoot',
  (original) => async (call) => {
    if (call.state.authority !== undefined) return original(call)
    const work = generating(call.state)
    if (work.started) throw invalid('a CA is being generated')
    work.started = true
    const reply = await original(call)
    work.started = false
    return reply
  },
)

route(
  'fresh-serial-by-request',
  ['PKI-ISSUE-10'],
  'signing the same CSR again gives the same serial number, which is no longer unique (001 2.2: serial_number)',
  'pki.sign',
  withRules((_rules, call) => ({
    serialNumber: () => {
      const digest = createHash('sha1').update(String(call.body.csr)).digest()
      digest[0] = (digest[0]! & 0x3f) | 0x40
      return digest
    },
  })),
)

route(
  'fresh-override-drops-issued',
  ['PKI-APART-01'],
  'overriding the CA forgets what the earlier one issued: gone from certs and cert/:serial (001 4.2: LIST certs, cert/:serial)',
  'pki.writeCa',
  (original) => async (call) => {
    const { authority: before, certificates } = call.state
    const reply = await original(call)
    const { authority } = call.state
    if (before === undefined || authority === undefined) return reply
    const own = serialText(authority.certificate.serial)
    for (const serial of [...certificates.keys()]) if (serial !== own) certificates.delete(serial)
    return reply
  },
)

const made = noting((call) => call.params.name!)
change('fresh-revoke-needs-role', ['PKI-REVOKE-01'], 'certificates of a deleted role cannot be revoked (001 4.2: POST /pki/revoke)', {
  routes: {
    'pki.issue': made.noted,
    'pki.sign': made.noted,
    'pki.revoke': (original) => (call) => {
      const role = made.notes(call.state).get(call.rules.serialKey(String(call.body.serial_number ?? '')))
      if (role !== undefined && !call.state.roles.has(role)) throw invalid('unknown role')
      return original(call)
    },
  },
})

const keysByName = remembered(() => new Map<string, KeyObject>())
route(
  'fresh-same-key-for-name',
  ['PKI-ISSUE-14'],
  'a second issue for a common name returns the key of the first one again (001 4.2: the private key is not stored)',
  'pki.issue',
  withRules((rules, call) => ({
    newKey: async (type, bits) => {
      const known = keysByName(call.state)
      const id = [call.params.name, String(call.body.common_name ?? ''), type, bits].join(' ')
      const key = known.get(id) ?? (await rules.newKey(type, bits))
      known.set(id, key)
      return key
    },
  })),
)

const sizeBefore = remembered(() => new Map<string, number>())
route(
  'fresh-key-size-of-last-issue',
  ['PKI-KEYBITS-02'],
  'a key made in advance has the size of the last issue of its type, though another role asks for another (001 4.2: key_bits)',
  'pki.issue',
  withRules((rules, call) => ({
    newKey: (type, bits) => {
      const before = sizeBefore(call.state).get(type) ?? bits
      sizeBefore(call.state).set(type, bits)
      return rules.newKey(type, before)
    },
  })),
)
