/** Faults of revocations, of the root, and of who may touch it, that a hurried change would leave behind. */
import { coreEngine } from '../../core/core-engine.ts'
import { invalid } from '../../core/errors.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { requestBody } from '../../mutations/wrappers.ts'
import { pkiEngine } from './engine.ts'
import type { PkiCall } from './wrappers.ts'
import { readCertificate } from './x509/certificate.ts'

const { route } = faultsOf(pkiEngine)
const { rule: coreRule } = faultsOf(coreEngine, 'pki')

const askedSerial = ({ body, rules }: PkiCall): string => rules.serialKey(typeof body.serial_number === 'string' ? body.serial_number : '')

// Neighbours.
route(
  'overlooked-serial-of-former-ca',
  ['PKI-REVOKE-15'],
  'certificates of a CA that was replaced cannot be revoked',
  'pki.revoke',
  (original) => (call) => {
    const found = call.state.certificates.get(askedSerial(call))
    const subject = call.state.authority?.certificate.subject
    if (found && subject && !readCertificate(found.der).issuer.equals(subject)) throw invalid('the certificate is not of this CA')
    return original(call)
  },
)

// Boundaries.
route(
  'overlooked-beginning-of-serial',
  ['PKI-REVOKE-14'],
  'the first bytes of a serial number revoke the certificate that begins with them',
  'pki.revoke',
  requestBody<PkiCall>((body, call) => {
    const asked = askedSerial(call)
    const whole = asked.length < 11 ? undefined : [...call.state.certificates.keys()].find((serial) => serial.startsWith(asked))
    return whole === undefined ? body : { ...body, serial_number: whole }
  }),
)

// Time and order.
const exportedBefore = remembered(() => ({ once: false }))
route(
  'overlooked-export-remembered',
  ['PKI-ROOT-05'],
  'an internal root after a deleted exported one shows its key',
  'pki.generateRoot',
  (original) => async (call) => {
    const before = exportedBefore(call.state)
    const isInternal = call.params.type === 'internal'
    const given = await original(isInternal && before.once ? { ...call, params: { ...call.params, type: 'exported' } } : call)
    if (!isInternal) before.once = true
    return given
  },
)

// Identity and access.
coreRule('overlooked-writer-as-sudo', ['PKI-SELF-05'], 'whoever may create and update may sign a self-issued certificate without sudo', {
  capabilityGranted: (original) => (granted, needed, call) =>
    original(granted, needed, call) ||
    (needed === 'sudo' &&
      call?.path.endsWith('/root/sign-self-issued') === true &&
      original(granted, 'create', call) &&
      original(granted, 'update', call)),
})
const sudoSeen = remembered(() => ({ once: false }))
coreRule('overlooked-sudo-remembered', ['PKI-DELETE-03'], 'once a token with sudo has deleted a root, tokens without may', {
  capabilityGranted: (original) => (granted, needed, call) => {
    const isSudo = original(granted, needed, call)
    if (needed !== 'sudo' || call?.method !== 'DELETE' || !call.path.endsWith('/root')) return isSudo
    const seen = sudoSeen(call.state as object)
    seen.once ||= isSudo
    return isSudo || (seen.once && !granted.has('deny'))
  },
})
