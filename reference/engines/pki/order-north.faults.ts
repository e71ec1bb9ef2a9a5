/** Faults of time and order: second calls, deletion and re-creation, updates, what is remembered too long. */
import type { KeyObject } from 'node:crypto'
import { secret } from '../../core/envelope.ts'
import { notFound } from '../../core/errors.ts'
import { textOf } from '../../core/fields.ts'
import type { Reply } from '../../core/reply.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { bySeenRole, emptiedListing, remembered } from '../../mutations/remembering.ts'
import { pkiEngine } from './engine.ts'
import { nameOf } from './north-help.ts'
import { onState, withRules } from './overlays.ts'
import type { Role } from './role.ts'
import type { PkiRules } from './rules.ts'
import type { Authority, PkiState } from './state.ts'
import { serialText } from './x509/certificate.ts'

const { rule, route, change } = faultsOf(pkiEngine, 'pki')

route(
  'north-domains-before-update',
  'PKI-ISSUE-17',
  'after an update the first issue goes by the old domains, too (001 4.2: POST /pki/roles/:name, create or update role; a CN not allowed by role policy is denied)',
  'pki.issue',
  bySeenRole<PkiState, PkiRules>((seen, current) =>
    seen && current ? { ...current, allowed_domains: [...seen.allowed_domains, ...current.allowed_domains] } : current,
  ),
)

const keysOfRoles = remembered(() => new Map<string, Promise<KeyObject>>())
route(
  'north-key-of-role-again',
  'PKI-ISSUE-14',
  'later certificates of a role come with the key of the first (001 4.2: POST /pki/issue/:name, issue key and certificate; the private key is not stored)',
  'pki.issue',
  withRules((rules, call) => ({
    newKey: (type, bits) => {
      const known = keysOfRoles(call.state)
      const kind = `${nameOf(call)} ${type} ${bits}`
      const key = known.get(kind) ?? rules.newKey(type, bits)
      known.set(kind, key)
      return key
    },
  })),
)

change(
  'north-deleted-root-forgotten',
  'PKI-DELETE-02',
  'deleting the root deletes its certificate everywhere (001 4.2: DELETE /pki/root, old certificate stays readable)',
  {
    rules: { afterDeletion: () => () => undefined },
    routes: {
      'pki.deleteRoot': (original) => (call) => {
        const { authority } = call.state
        if (authority !== undefined) call.state.certificates.delete(serialText(authority.certificate.serial))
        return original(call)
      },
    },
  },
)

route(
  'north-new-root-empties-store',
  'PKI-DELETE-02',
  'a root generated after a deletion takes away the certificates issued before (001 4.2: GET /pki/cert/:serial, LIST /pki/certs)',
  'pki.generateRoot',
  (original) => async (call) => {
    const before = [...call.state.certificates.keys()]
    const reply = await original(call)
    for (const serial of before) call.state.certificates.delete(serial)
    return reply
  },
)

rule(
  'north-supplied-key-survives-deletion',
  'PKI-DELETE-01',
  'the key of a CA that is no root itself stays when the CA is deleted, and signs on (001 4.2: DELETE /pki/root, deletes the CA key)',
  { afterDeletion: (original) => (authority) => (authority.certificate.selfIssued ? original(authority) : authority) },
)

const firstSigners = remembered((): { authority: Authority | undefined } => ({ authority: undefined }))
route(
  'north-issues-under-replaced-authority',
  'PKI-ISSUE-02',
  'what is issued after config/ca is still signed by the CA that issued before (001 4.2: POST /pki/config/ca, overrides existing CA)',
  'pki.issue',
  (original) => (call) => {
    const { authority } = call.state
    const first = firstSigners(call.state)
    // A CA whose key is deleted must not sign.
    first.authority = authority?.key === undefined ? undefined : (first.authority ?? authority)
    return original(first.authority === undefined ? call : onState(call, { authority: first.authority }))
  },
)

const shownFirst = remembered((): { reply: Reply | undefined } => ({ reply: undefined }))
route(
  'north-first-pem-shown-on',
  'PKI-CONFIG-02',
  'once read, ca/pem shows the same certificate after another CA was put in (001 4.2: GET /pki/ca/pem; config/ca overrides existing CA)',
  'pki.readCaPem',
  (original) => async (call) => {
    const kept = shownFirst(call.state)
    if (call.state.authority?.key === undefined) kept.reply = undefined
    const reply = kept.reply ?? (await original(call))
    if (call.state.authority?.key !== undefined) kept.reply = reply
    return reply
  },
)

route(
  'north-revoked-certificate-unreadable',
  'PKI-REVOKE-11',
  'a certificate cannot be read any more once it is revoked (001 4.2: GET /pki/cert/:serial, data.certificate)',
  'pki.readCertificate',
  (original) => (call) => {
    const found = call.state.certificates.get(call.rules.serialKey(call.params.serial ?? ''))
    if (found?.revokedAt !== undefined) throw notFound()
    return original(call)
  },
)

const deletedRoles = remembered(() => new Map<string, Role>())
change(
  'north-recreated-role-inherits',
  'PKI-ROLE-05',
  'a role created again has the settings of the deleted one where it names none (001 4.2 role parameters: defaults; DELETE deletes role)',
  {
    routes: {
      'pki.deleteRole': (original) => (call) => {
        const role = call.state.roles.get(nameOf(call))
        if (role) deletedRoles(call.state).set(nameOf(call), role)
        return original(call)
      },
      'pki.writeRole': withRules((rules, call) => ({
        writeRole: (previous, given, base) =>
          rules.writeRole(previous, given, (previous === undefined ? deletedRoles(call.state).get(nameOf(call)) : undefined) ?? base),
      })),
    },
  },
)

route(
  'north-emptied-roles-listed',
  'PKI-ROLE-04',
  'after the last role is deleted the listing is an empty one, not refused (000 1.5: an empty listing returns 404)',
  'pki.listRoles',
  emptiedListing<PkiState, PkiRules>(() => secret({ keys: [] })),
)

const signedBefore = remembered(() => new Map<string, Reply>())
route(
  'north-same-request-same-certificate',
  'PKI-ISSUE-10',
  'the same request signed twice by a role gives the first certificate again (001 4.2: POST /pki/sign/:name, sign a CSR; 2.2: serial_number)',
  'pki.sign',
  (original) => async (call) => {
    const known = signedBefore(call.state)
    const asked = JSON.stringify([nameOf(call), call.body])
    const reply = call.state.roles.has(nameOf(call)) ? (known.get(asked) ?? (await original(call))) : await original(call)
    known.set(asked, reply)
    return reply
  },
)

route(
  'north-refused-bundle-drops-key',
  'PKI-CONFIG-06',
  'a bundle that is refused leaves the mount without its CA key (001 4.2: POST /pki/config/ca, private key and certificate; 000 7: 400, invalid data)',
  'pki.writeCa',
  (original) => (call) => {
    const { authority } = call.state
    if (textOf(call.body, 'pem_bundle') !== '' && authority !== undefined) call.state.authority = { ...authority, key: undefined }
    return original(call)
  },
)
