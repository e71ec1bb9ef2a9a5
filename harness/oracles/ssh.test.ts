import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { backendJournal } from '../../tests/support/backend-journal.ts'
import { lacksBackend, lacksProgram } from '../../tests/support/needs.ts'
import type { Started } from '../backends/provider.ts'
import { sshd } from '../backends/sshd.ts'
import { serviceOf } from '../base/backend-handle.ts'
import { isSignedBy, readSshCertificate } from './ssh-certificate.ts'
import { sshKeyPair, sshKeyPairOf } from './ssh-keys.ts'
import { hostCertificateAccepted, onSshHost, sshLogin, trustCa } from './ssh-login.ts'

const folder = mkdtempSync(join(tmpdir(), 'ssh-oracle-'))
const ca = sshKeyPair('ed25519', randomBytes)
const user = sshKeyPair('ecdsa-384', randomBytes)
const noKeygen = lacksProgram('ssh-keygen')
const noSshd = noKeygen || (await lacksBackend('sshd', ['local']))

/** A certificate by ssh-keygen. */
const certify = (pair: { publicKey: string }, ...options: string[]): string => {
  const [key, caFile] = [join(folder, 'subject.pub'), join(folder, 'ca')]
  writeFileSync(key, `${pair.publicKey}\n`)
  writeFileSync(caFile, ca.privateKey, { mode: 0o600 })
  execFileSync('ssh-keygen', ['-q', '-s', caFile, '-I', 'the id', ...options, key])
  return readFileSync(join(folder, 'subject-cert.pub'), 'utf8').split(' ').slice(0, 2).join(' ')
}

afterAll(() => rmSync(folder, { recursive: true }))

describe.skipIf(noKeygen)('keys', () => {
  it.each(['ed25519', 'ecdsa-256', 'ecdsa-384', 'ecdsa-521'] as const)('%s pairs are read by ssh-keygen', (kind) => {
    const pair = sshKeyPair(kind, randomBytes)
    const file = join(folder, kind)
    writeFileSync(file, pair.privateKey, { mode: 0o600 })
    const line = execFileSync('ssh-keygen', ['-y', '-f', file], { encoding: 'utf8' })
    expect(line.split(' ').slice(0, 2).join(' ').trim()).toBe(pair.publicKey)
    expect(sshKeyPairOf(pair.privateKey).fingerprint).toBe(pair.fingerprint)
  })
})

describe.skipIf(noKeygen)('certificates', () => {
  it('are read with all their parts', async () => {
    const line = certify(
      user,
      '-n',
      'a,b',
      '-z',
      '18446744073709551615',
      '-V',
      '-1m:+1h',
      '-O',
      'clear',
      '-O',
      'force-command=/bin/true',
      '-O',
      'extension:x@y=z',
    )
    const read = await readSshCertificate(line)
    expect(read).toMatchObject({
      type: 'user',
      keyId: 'the id',
      serial: 2n ** 64n - 1n,
      principals: ['a', 'b'],
      key: user.fingerprint,
      signer: ca.fingerprint,
    })
    expect(read).toMatchObject({
      criticalOptions: { 'force-command': '/bin/true' },
      extensions: { 'x@y': 'z' },
      signatureAlgorithm: 'ssh-ed25519',
    })
    expect(read.validBefore - read.validAfter).toBe(3660)
    expect(await isSignedBy(line, ca.publicKey)).toBe(true)
    expect(await isSignedBy(line, user.publicKey)).toBe(false)
  })
  it.each([
    ['always:+1h', true, false],
    ['-1h:forever', false, true],
    ['always:forever', true, true],
  ])('are read where they hold %s', async (validity, always, forever) => {
    const read = await readSshCertificate(certify(user, '-n', 'a', '-V', validity))
    const now = Date.now() / 1000
    if (always) expect(read.validAfter).toBe(0)
    else expect(Math.abs(read.validAfter - (now - 3600))).toBeLessThan(120)
    if (forever) expect(read.validBefore).toBe(Number.POSITIVE_INFINITY)
    else expect(Math.abs(read.validBefore - (now + 3600))).toBeLessThan(120)
  })
  it('are refused when a byte of them changes', async () => {
    const line = certify(user, '-n', 'a', '-V', '+1h')
    const bytes = Buffer.from(line.split(' ')[1]!, 'base64')
    bytes[bytes.length - 3]! ^= 1
    await expect(readSshCertificate(`${line.split(' ')[0]} ${bytes.toString('base64')}`)).rejects.toThrow('its signature is wrong')
  })
})

describe.skipIf(noSshd)('a real host', () => {
  const journal = backendJournal()
  let started: Started
  beforeAll(async () => {
    const context = { journal, targetHost: undefined, signal: new AbortController().signal, onProgress() {} }
    started = await sshd.providers.local!.start(context)
  })
  afterAll(() => started?.stop())

  it('opens sessions by the trust in the CA, principal and time', async () => {
    const backend = serviceOf(started.handle)
    const login = (certificate: string, command?: string) =>
      sshLogin(backend, { privateKey: user.privateKey, certificate, ...(command === undefined ? {} : { command }) })
    const good = certify(user, '-n', 'deploy', '-V', '-1m:+1h')
    expect((await login(good)).accepted).toBe(false)
    const distrust = await trustCa(backend, ca.publicKey, ['deploy'])
    expect(await login(good)).toMatchObject({ accepted: true, output: 'assay-session\n' })
    expect((await login(certify(user, '-n', 'other', '-V', '-1m:+1h'))).accepted).toBe(false)
    expect((await login(certify(user, '-n', 'deploy', '-V', '-2h:-1h'))).accepted).toBe(false)
    expect((await login(certify(user, '-n', 'deploy', '-V', '+1h:+2h'))).accepted).toBe(false)
    const forced = certify(user, '-n', 'deploy', '-V', '-1m:+1h', '-O', 'force-command=echo forced')
    expect((await login(forced, 'echo mine')).output).toBe('forced\n')
    await distrust()
    expect((await login(good)).accepted).toBe(false)
  }, 30_000)
  it('has a home that is not the account’s own', async () => {
    expect((await onSshHost(serviceOf(started.handle), 'echo $HOME')).trim()).toMatch(/assay-sshd-.*\/home$|^\/home\/admin$/)
  })
  it('with a host certificate is accepted under its name by a client that trusts the CA', async () => {
    const host = sshKeyPair('ed25519', randomBytes)
    const certificate = certify(host, '-h', '-n', 'web.example.com', '-V', '-1m:+1h')
    const login = { privateKey: host.privateKey, certificate, ca: ca.publicKey }
    expect(await hostCertificateAccepted(serviceOf(started.handle), { ...login, hostName: 'web.example.com' })).toBe(true)
    expect(await hostCertificateAccepted(serviceOf(started.handle), { ...login, hostName: 'db.example.com' })).toBe(false)
    expect(await hostCertificateAccepted(serviceOf(started.handle), { ...login, ca: user.publicKey, hostName: 'web.example.com' })).toBe(
      false,
    )
  }, 30_000)
})
