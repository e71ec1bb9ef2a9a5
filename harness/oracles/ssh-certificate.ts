/** Reads OpenSSH certificates with two independent readers, sshpk and `ssh-keygen -L`, which must agree. */
import { AssertionFailure } from '../base/errors.ts'
import { runProgram } from './processes.ts'
import { sshpk } from './sshpk.ts'

export interface SshCertificate {
  type: 'user' | 'host'
  keyId: string
  serial: bigint
  principals: string[]
  /** Seconds since the epoch. */
  validAfter: number
  validBefore: number
  criticalOptions: Record<string, string>
  extensions: Record<string, string>
  /** SHA-256 fingerprint of the certified key, `SHA256:...`. */
  key: string
  /** The same of the key that signed. */
  signer: string
  /** e.g. `rsa-sha2-256`. */
  signatureAlgorithm: string
}

type Reading = Omit<SshCertificate, 'criticalOptions' | 'extensions' | 'signatureAlgorithm' | 'signer'> & {
  criticalOptions: string[]
  extensions: string[]
}

interface Section {
  [title: string]: string[]
}

/** Lines of `ssh-keygen -L` below their titles; a value on the title's own line comes first. */
const sectionsOf = (listing: string): Section => {
  const sections: Section = {}
  let title = ''
  for (const line of listing.split('\n').slice(1)) {
    const head = /^ {8}([A-Z][A-Za-z ]*):\s?(.*)$/.exec(line)
    if (head) {
      title = head[1] ?? ''
      sections[title] = head[2]?.trim() && head[2].trim() !== '(none)' ? [head[2].trim()] : []
    } else if (/^ {16}/.test(line)) sections[title]?.push(line.slice(16))
  }
  return sections
}

const seconds = (text: string): number => Date.parse(`${text}Z`) / 1000

/** From when to when a certificate holds: `from A to B`, `after A`, `before B` or `forever`, where an open end is the least or greatest number. */
const validity = (text: string): { validAfter: number; validBefore: number } => {
  const after = /^(?:from|after) (\S+)/.exec(text)?.[1]
  const before = /(?:to|before) (\S+)$/.exec(text)?.[1]
  return {
    validAfter: after === undefined ? 0 : seconds(after),
    validBefore: before === undefined ? Number.POSITIVE_INFINITY : seconds(before),
  }
}

const byKeygen = async (text: string): Promise<Reading & { signer: string; signatureAlgorithm: string }> => {
  const ended = await runProgram('ssh-keygen', ['-L', '-f', '-'], { input: `${text}\n` })
  if (ended.code !== 0) throw new AssertionFailure(`ssh-keygen does not read the certificate: ${(ended.stderr || ended.stdout).trim()}`)
  const sections = sectionsOf(ended.stdout)
  const one = (title: string): string => sections[title]?.[0] ?? ''
  const signing = /(SHA256:\S+) \(using (\S+)\)/.exec(one('Signing CA'))
  const names = (title: string) => (sections[title] ?? []).map((line) => line.split(' ')[0] ?? '').sort()
  return {
    type: one('Type').includes('host certificate') ? 'host' : 'user',
    keyId: one('Key ID').replace(/^"(.*)"$/s, '$1'),
    serial: BigInt(one('Serial') || '0'),
    principals: sections.Principals ?? [],
    ...validity(one('Valid')),
    criticalOptions: names('Critical Options'),
    extensions: names('Extensions'),
    key: /SHA256:\S+/.exec(one('Public key'))?.[0] ?? '',
    signer: signing?.[1] ?? '',
    signatureAlgorithm: signing?.[2] ?? '',
  }
}

interface Option {
  critical: boolean
  name: string
  data: Buffer
}

/** A value is a string within the option's bytes; no bytes mean no value. */
const optionValue = ({ data }: Option): string => (data.length < 4 ? '' : data.subarray(4).toString('utf8'))

const bySshpk = (text: string): Reading & { values: Pick<SshCertificate, 'criticalOptions' | 'extensions'> } => {
  let certificate: ReturnType<typeof sshpk.parseCertificate>
  try {
    certificate = sshpk.parseCertificate(text, 'openssh')
  } catch (error) {
    throw new AssertionFailure(`sshpk does not read the certificate: ${error instanceof Error ? error.message : error}`)
  }
  const { keyId, exts } = (certificate.signatures as unknown as { openssh: { keyId: string; exts: Option[] } }).openssh
  const chosen = (critical: boolean) =>
    Object.fromEntries(exts.filter((option) => option.critical === critical).map((option) => [option.name, optionValue(option)]))
  const values = { criticalOptions: chosen(true), extensions: chosen(false) }
  const subjects = certificate.subjects as unknown as { type: string; uid?: string; hostname?: string }[]
  const raw = Buffer.from(text.split(' ')[1] ?? '', 'base64')
  return {
    type: subjects.some((subject) => subject.type === 'host') ? 'host' : 'user',
    keyId,
    serial: BigInt(`0x0${(certificate.serial as unknown as Buffer).toString('hex')}`),
    principals: subjects.map((subject) => subject.uid ?? subject.hostname ?? '').filter((name) => name !== '' && raw.includes(name)),
    validAfter: certificate.validFrom.getTime() / 1000,
    validBefore: certificate.validUntil.getTime() / 1000,
    criticalOptions: Object.keys(values.criticalOptions).sort(),
    extensions: Object.keys(values.extensions).sort(),
    key: certificate.subjectKey.fingerprint('sha256').toString(),
    values,
  }
}

const COMPARED = ['type', 'keyId', 'serial', 'principals', 'validAfter', 'validBefore', 'criticalOptions', 'extensions', 'key'] as const

const text = (value: unknown): string =>
  JSON.stringify(value, (_, member: unknown) => (typeof member === 'bigint' ? String(member) : member))

/**
 * Reads a certificate such as `ssh-ed25519-cert-v01@openssh.com AAAA...`. `ssh-keygen` also verifies its signature.
 * @throws AssertionFailure where one of the readers refuses it, or they disagree
 */
export const readSshCertificate = async (line: string): Promise<SshCertificate> => {
  const [keygen, pk] = [await byKeygen(line.trim()), bySshpk(line.trim())]
  for (const field of COMPARED) {
    // Without a principal sshpk cannot tell a host from a user.
    if (field === 'type' && keygen.principals.length === 0) continue
    if (text(keygen[field]) !== text(pk[field]))
      throw new AssertionFailure(`two readers of the certificate disagree on ${field}`, text(keygen[field]), text(pk[field]))
  }
  return { ...keygen, ...pk.values }
}

/** Whether the signature of a certificate verifies under a public key, given as a line. sshpk judges; ssh-keygen names the same signer. */
export const isSignedBy = async (line: string, caPublicKey: string): Promise<boolean> => {
  const ca = sshpk.parseKey(caPublicKey.trim(), 'ssh')
  const { signer } = await byKeygen(line.trim())
  return sshpk.parseCertificate(line.trim(), 'openssh').isSignedByKey(ca) && signer === ca.fingerprint('sha256').toString()
}
