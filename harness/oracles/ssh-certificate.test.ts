/** The readers that are there on every machine, on what ssh-keygen once wrote. */
import { describe, expect, it } from 'vitest'
import { isSignedBy, readSshCertificate } from './ssh-certificate.ts'
import { readCertificateLine } from './ssh-certificate-reader.ts'
import { sshKeyFacts } from './ssh-keys.ts'
import { CA_ECDSA, CA_ED25519, CA_RSA, HOST_BY_ECDSA, USER_BY_ED25519, USER_BY_RSA } from './testing/ssh-certificates.ts'

const JANUARY = { 2026: Date.UTC(2026, 0) / 1000, 2027: Date.UTC(2027, 0) / 1000 }

describe('certificates of ssh-keygen', () => {
  it('are read with all their parts', async () => {
    expect(await readSshCertificate(USER_BY_RSA)).toEqual({
      type: 'user',
      keyId: 'the id',
      serial: 2n ** 64n - 1n,
      principals: ['a', 'b'],
      validAfter: JANUARY[2026],
      validBefore: JANUARY[2027],
      criticalOptions: { 'force-command': '/bin/true' },
      extensions: { 'permit-pty': '', 'x@y': 'z' },
      key: 'SHA256:aoHVuTeBzGB9K90/VP/8ir07scS+jGu7xA71+OY24CI',
      signer: sshKeyFacts(CA_RSA).fingerprint,
      signatureAlgorithm: 'rsa-sha2-512',
    })
  })
  it('of hosts, without end', async () => {
    expect(await readSshCertificate(HOST_BY_ECDSA)).toMatchObject({
      type: 'host',
      serial: 7n,
      principals: ['web.example.com'],
      validAfter: 0,
      validBefore: Number.POSITIVE_INFINITY,
      criticalOptions: {},
      extensions: {},
      signer: sshKeyFacts(CA_ECDSA).fingerprint,
    })
  })
  it('for nobody', async () => {
    expect(await readSshCertificate(USER_BY_ED25519)).toMatchObject({ type: 'user', principals: [], validBefore: JANUARY[2027] })
  })
  it.each([
    ['RSA', USER_BY_RSA, CA_RSA, CA_ED25519],
    ['ECDSA', HOST_BY_ECDSA, CA_ECDSA, CA_RSA],
    ['Ed25519', USER_BY_ED25519, CA_ED25519, CA_ECDSA],
  ])('are signed by their CA and no other: %s', async (_, line, ca, other) => {
    expect(await isSignedBy(line, ca)).toBe(true)
    expect(await isSignedBy(line, other)).toBe(false)
  })
})

describe('a bad certificate', () => {
  const changed = (line: string, change: (bytes: Buffer) => Buffer): string =>
    `${line.split(' ')[0]} ${change(Buffer.from(line.split(' ')[1]!, 'base64')).toString('base64')}`
  it.each([USER_BY_RSA, HOST_BY_ECDSA, USER_BY_ED25519])('is refused when a byte of its content changes', (line) => {
    const at = Buffer.from(line.split(' ')[1]!, 'base64').indexOf(Buffer.from([0, 0, 0, 1, 0, 0, 0])) + 3
    const forged = changed(line, (bytes) => Buffer.from(bytes.map((byte, index) => (index === at + 1 ? byte ^ 1 : byte))))
    expect(() => readCertificateLine(forged)).toThrow()
  })
  it('is refused when its signature changes, is cut short or is followed by more', () => {
    const signature = changed(USER_BY_RSA, (bytes) => Buffer.from(bytes.map((byte, at) => (at === bytes.length - 3 ? byte ^ 1 : byte))))
    expect(() => readCertificateLine(signature)).toThrow('its signature is wrong')
    expect(() => readCertificateLine(changed(USER_BY_RSA, (bytes) => bytes.subarray(0, -20)))).toThrow('too early')
    expect(() => readCertificateLine(changed(USER_BY_RSA, (bytes) => Buffer.concat([bytes, Buffer.alloc(4)])))).toThrow('follows')
  })
  it('is refused where it is a plain key, or nothing', async () => {
    expect(() => readCertificateLine(CA_RSA)).toThrow('not known')
    await expect(readSshCertificate('')).rejects.toMatchObject({ name: 'AssertionFailure' })
  })
})
