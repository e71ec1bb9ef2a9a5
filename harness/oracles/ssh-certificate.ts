/**
 * Judges OpenSSH certificates by independent readers, which must agree: one of the wire format and sshpk on every machine, and
 * `ssh-keygen -L` where it is installed.
 */
import { AssertionFailure } from '../base/errors.ts'
import { readCertificateLine, type SshCertificate, type SshReading } from './ssh-certificate-reader.ts'
import { hasKeygen, keygenReading } from './ssh-keygen.ts'
import { sshpk } from './sshpk.ts'

interface Option {
  critical: boolean
  name: string
}

/** What sshpk writes if a certificate has no principals. */
const NOBODY = '*'

/** What sshpk reads. It cannot tell a certificate without principals from one for `*`: then `principals` stands, as the first reader found them. */
const sshpkReading = (text: string, principals: string[]): SshReading => {
  const certificate = sshpk.parseCertificate(text, 'openssh')
  const { keyId, exts } = (certificate.signatures as unknown as { openssh: { keyId: string; exts: Option[] } }).openssh
  const chosen = (critical: boolean) => exts.filter((option) => option.critical === critical).map(({ name }) => name)
  const subjects = certificate.subjects as unknown as { type: string; uid?: string; hostname?: string }[]
  const named = subjects.map((subject) => subject.uid ?? subject.hostname ?? '')
  return {
    type: subjects.some((subject) => subject.type === 'host') ? 'host' : 'user',
    keyId,
    serial: BigInt(`0x0${(certificate.serial as unknown as Buffer).toString('hex')}`),
    principals: named.length === 1 && named[0] === NOBODY && principals.length <= 1 ? principals : named,
    validAfter: certificate.validFrom.getTime() / 1000,
    validBefore: certificate.validUntil.getTime() / 1000,
    criticalOptions: chosen(true).sort(),
    extensions: chosen(false).sort(),
    key: certificate.subjectKey.fingerprint('sha256').toString(),
  }
}

const read = async <T>(reader: string, reading: () => T | Promise<T>): Promise<T> => {
  try {
    return await reading()
  } catch (error) {
    throw new AssertionFailure(`${reader} does not read the certificate: ${error instanceof Error ? error.message : error}`)
  }
}

const COMPARED = ['type', 'keyId', 'serial', 'principals', 'validAfter', 'validBefore', 'criticalOptions', 'extensions', 'key'] as const

const text = (value: unknown): string =>
  JSON.stringify(value, (_, member: unknown) => (typeof member === 'bigint' ? String(member) : member))

const compare = (ours: SshReading, theirs: SshReading, reader: string): void => {
  for (const field of COMPARED) {
    // Without a principal sshpk cannot tell a host from a user.
    if (field === 'type' && ours.principals.length === 0 && reader === 'sshpk') continue
    if (text(ours[field]) !== text(theirs[field]))
      throw new AssertionFailure(
        `two readers of the certificate, one of them ${reader}, disagree on ${field}`,
        text(ours[field]),
        text(theirs[field]),
      )
  }
}

/**
 * Reads a certificate such as `ssh-ed25519-cert-v01@openssh.com AAAA...`, its signature included.
 * @throws AssertionFailure where one of the readers refuses it, or they disagree
 */
export const readSshCertificate = async (line: string): Promise<SshCertificate> => {
  const trimmed = line.trim()
  const certificate = await read('the reader of the wire format', () => readCertificateLine(trimmed))
  const names = (options: Record<string, string>): string[] => Object.keys(options).sort()
  const ours: SshReading = {
    ...certificate,
    criticalOptions: names(certificate.criticalOptions),
    extensions: names(certificate.extensions),
  }
  compare(ours, await read('sshpk', () => sshpkReading(trimmed, ours.principals)), 'sshpk')
  if (hasKeygen()) compare(ours, await read('ssh-keygen', () => keygenReading(trimmed)), 'ssh-keygen')
  return certificate
}

/** Whether the signature of a certificate verifies under a public key, given as a line. sshpk judges; the other readers name the same signer. */
export const isSignedBy = async (line: string, caPublicKey: string): Promise<boolean> => {
  const ca = sshpk.parseKey(caPublicKey.trim(), 'ssh')
  const { signer } = await readSshCertificate(line)
  return sshpk.parseCertificate(line.trim(), 'openssh').isSignedByKey(ca) && signer === ca.fingerprint('sha256').toString()
}
