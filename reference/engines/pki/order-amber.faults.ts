/** Faults of time and order: second calls, what comes after a deletion, a replacement, a refusal or an update that narrows. */
import { createHash } from 'node:crypto'
import { ApiError, invalid } from '../../core/errors.ts'
import { textOf } from '../../core/fields.ts'
import type { JsonObject } from '../../core/json.ts'
import type { Reply } from '../../core/reply.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { bySeenRole, remembered } from '../../mutations/remembering.ts'
import { pkiEngine } from './engine.ts'
import { noting, onState } from './overlays.ts'
import type { Role } from './role.ts'
import type { PkiRules } from './rules.ts'
import type { Authority, PkiState } from './state.ts'
import { generateKey } from './x509/key-forms.ts'

const { rule, route, change } = faultsOf(pkiEngine, 'pki')

rule(
  'amber-no-root-after-deletion',
  'CORE-NS-02',
  'after DELETE root a new root is still refused (001 4.2: refuses to overwrite an existing CA, delete first)',
  {
    mayGenerate: () => (state) => state.authority === undefined,
  },
)

const signers = remembered(() => new Map<string, Authority>())
route(
  'amber-role-keeps-signer',
  'PKI-DELETE-01',
  'a role that issued before the root was deleted goes on issuing by the deleted key (001 4.2: DELETE root deletes the CA key)',
  'pki.issue',
  (original) => async (call) => {
    const { authority } = call.state
    const name = call.params.name ?? ''
    const known = signers(call.state)
    if (authority !== undefined && authority.key === undefined && known.has(name)) {
      return original(onState(call, { authority: known.get(name) }))
    }
    const reply = await original(call)
    if (authority !== undefined) known.set(name, authority)
    return reply
  },
)

const shownPem = remembered<{ reply: Reply | undefined }>(() => ({ reply: undefined }))
route(
  'amber-ca-pem-read-once',
  'PKI-DELETE-04',
  'ca/pem shows the certificate that it showed first, even after config/ca has replaced it (001 4.2: config/ca overrides existing CA)',
  'pki.readCaPem',
  (original) => async (call) => {
    const shown = shownPem(call.state)
    if (shown.reply !== undefined) return shown.reply
    const reply = await original(call)
    if (call.state.authority !== undefined) shown.reply = reply
    return reply
  },
)

rule(
  'amber-domains-only-grow',
  'PKI-ROLE-02',
  'an update that names fewer allowed_domains leaves the earlier ones in place (001 4.2: POST roles/:name, create or update role)',
  {
    writeRole: (original) => (previous, given, base) => {
      if (previous === undefined || given.allowed_domains === undefined) return original(previous, given, base)
      const domains = [...new Set([...previous.allowed_domains, ...given.allowed_domains])]
      return original(previous, { ...given, allowed_domains: domains }, base)
    },
  },
)

const buried = remembered(() => new Map<string, Role>())
change(
  'amber-role-rises-again',
  'PKI-ROLE-05',
  'a role written anew after deletion takes allow_ flags left out from the deleted one (001 4.2: deletes role; defaults)',
  {
    routes: {
      'pki.deleteRole': (original) => (call) => {
        const name = call.params.name ?? ''
        const role = call.state.roles.get(name)
        if (role !== undefined) buried(call.state).set(name, role)
        return original(call)
      },
      'pki.writeRole': (original) => async (call) => {
        const name = call.params.name ?? ''
        const old = call.state.roles.has(name) ? undefined : buried(call.state).get(name)
        const flags = Object.entries(old ?? {}).filter(([field]) => field.startsWith('allow_'))
        const reply = await original({ ...call, body: { ...(Object.fromEntries(flags) as JsonObject), ...call.body } })
        buried(call.state).delete(name)
        return reply
      },
    },
  },
)

const issuedBy = noting((call) => call.params.name ?? '')
change(
  'amber-revocation-asks-role',
  'PKI-REVOKE-01',
  'a certificate whose role is deleted cannot be revoked any more (001 4.2: revoke; deleting a role leaves its certificates)',
  {
    routes: {
      'pki.issue': issuedBy.noted,
      'pki.revoke': (original) => (call) => {
        const role = issuedBy.notes(call.state).get(call.rules.serialKey(textOf(call.body, 'serial_number')))
        if (role !== undefined && !call.state.roles.has(role)) throw invalid('unknown role')
        return original(call)
      },
    },
  },
)

rule(
  'amber-serial-by-clock',
  'PKI-ISSUE-10',
  'certificates made within the same tenth of a second have one serial number (001 2.2: serial_number; readings: unique)',
  {
    serialNumber: () => () => {
      const tick = String(Math.floor(Date.now() / 100))
      const bytes = createHash('sha256').update(tick).digest().subarray(0, 20)
      bytes[0] = (bytes[0]! & 0x3f) | 0x40
      return bytes
    },
  },
)

const signedBefore = remembered(() => new Map<string, Reply>())
route(
  'amber-request-signed-once',
  'PKI-ISSUE-10',
  'a role that signs a CSR again gives the first certificate, whatever ttl or names are asked now (001 4.2: sign/:name, ttl and alt_names)',
  'pki.sign',
  (original) => async (call) => {
    const name = call.params.name ?? ''
    const key = `${name} ${textOf(call.body, 'csr').trim()}`
    const before = call.state.roles.has(name) ? signedBefore(call.state).get(key) : undefined
    if (before !== undefined) return before
    const reply = await original(call)
    signedBefore(call.state).set(key, reply)
    return reply
  },
)

route(
  'amber-refused-root-leaves-its-key',
  'PKI-ROOT-06',
  'a refused second root/generate puts its new key in the place of that of the CA (001 4.2: refuses to overwrite an existing CA)',
  'pki.generateRoot',
  (original) => async (call) => {
    const { authority } = call.state
    if (authority?.key === undefined || !call.rules.generationTypeKnown(call.params.type ?? '')) return original(call)
    const key = await generateKey('ec', 256)
    try {
      return await original(call)
    } finally {
      call.state.authority = { ...authority, key }
    }
  },
)

route(
  'amber-bad-bundle-removes-ca',
  'PKI-CONFIG-07',
  'a refused config/ca has already removed the CA that was there (001 4.2: config/ca; readings: a refusal changes nothing)',
  'pki.writeCa',
  (original) => async (call) => {
    try {
      return await original(call)
    } catch (cause) {
      if (cause instanceof ApiError && textOf(call.body, 'pem_bundle') !== '') call.state.authority = undefined
      throw cause
    }
  },
)

route(
  'amber-deleted-role-signs',
  'PKI-ROLE-05',
  'a role that signed before signs on after it is deleted (001 4.2: DELETE roles/:name deletes role)',
  'pki.sign',
  bySeenRole<PkiState, PkiRules>((seen, current) => current ?? seen),
)
