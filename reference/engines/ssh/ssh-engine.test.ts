import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { lacksProgram } from '../../../tests/support/needs.ts'
import { createReference, type Reference } from '../../index.ts'
import { sshEngine } from './engine.ts'
import { parsePrivateKey, parsePublicKey, publicKeyLine, publicKeyOf } from './key-formats.ts'
import { blockContains, parseBlock } from './networks.ts'

const folder = mkdtempSync(join(tmpdir(), 'ssh-test-'))
let reference: Reference

const keyPair = (...options: string[]): { privateKey: string; publicKey: string } => {
  const file = join(folder, `key-${options.join('-')}-${Math.random()}`)
  execFileSync('ssh-keygen', ['-q', '-N', '', '-C', '', '-f', file, ...options])
  return { privateKey: readFileSync(file, 'utf8'), publicKey: readFileSync(`${file}.pub`, 'utf8').trim() }
}

const call = async (method: string, path: string, body?: object) => {
  const answer = await fetch(`${reference.url}/v1/ssh/${path}`, {
    method,
    headers: { 'X-Service-Token': reference.rootToken },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  const text = await answer.text()
  return { status: answer.status, text, data: text.startsWith('{') ? JSON.parse(text).data : undefined }
}

beforeAll(async () => {
  reference = await createReference({ engines: [sshEngine], mounts: { 'ssh/': 'ssh' }, tls: false }).listen()
})
afterAll(async () => {
  await reference.close()
  rmSync(folder, { recursive: true })
})

const kinds = [
  ['-t', 'rsa', '-b', '2048'],
  ['-t', 'ecdsa', '-b', '256'],
  ['-t', 'ecdsa', '-b', '384'],
  ['-t', 'ecdsa', '-b', '521'],
  ['-t', 'ed25519'],
]

const noKeygen = lacksProgram('ssh-keygen')

describe.skipIf(noKeygen)('keys', () => {
  it.each(kinds)('reads what ssh-keygen writes: %s %s %s %s', (...options) => {
    const pair = keyPair(...options)
    expect(publicKeyLine(parsePublicKey(pair.publicKey, 'key'))).toBe(pair.publicKey.trim())
    expect(publicKeyLine(publicKeyOf(parsePrivateKey(pair.privateKey, 'key')))).toBe(pair.publicKey.trim())
  })
})

describe('networks', () => {
  it.each([
    ['10.1.2.0/23', '10.1.3.255', true],
    ['10.1.2.0/23', '10.1.4.0', false],
    ['0.0.0.0/0', '255.255.255.255', true],
    ['0.0.0.0/0', '::1', false],
    ['2001:db8::/33', '2001:db8:7fff::1', true],
    ['2001:db8::/33', '2001:db8:8000::1', false],
  ])('%s and %s: %s', (block, address, inside) => expect(blockContains(parseBlock(block)!, address)).toBe(inside))
  it.each(['10.0.0.0/33', '10.0.0/8', '::/129', '10.0.0.0', 'x/8', '10.0.0.0/-1'])('%s is not a block', (text) =>
    expect(parseBlock(text)).toBeUndefined(),
  )
})

describe.skipIf(noKeygen)('certificates', () => {
  it.each(kinds)('by a CA of the kind %s %s %s %s are read by ssh-keygen', async (...options) => {
    const ca = keyPair(...options)
    const written = await call('POST', 'config/ca', { private_key: ca.privateKey, public_key: ca.publicKey, generate_signing_key: false })
    expect(written.status).toBe(204)
    await call('POST', 'roles/r', { key_type: 'ca', allowed_users: '*', allow_user_certificates: true, allowed_extensions: '*' })
    for (const kind of kinds) {
      const user = keyPair(...kind)
      const signed = await call('POST', 'sign/r', { public_key: user.publicKey, valid_principals: 'a,b', extensions: { 'permit-pty': '' } })
      expect(signed.status, signed.text).toBe(200)
      const file = join(folder, 'cert.pub')
      writeFileSync(file, signed.data.signed_key)
      const listing = execFileSync('ssh-keygen', ['-L', '-f', file], { encoding: 'utf8' })
      expect(listing).toMatch(/user certificate[\s\S]*Principals:\s+a\s+b\s+Critical Options: \(none\)\s+Extensions:\s+permit-pty/)
      expect(listing).toContain(`Serial: ${BigInt(`0x${signed.data.serial_number}`)}`)
    }
  })
})

describe('one-time passwords', () => {
  it('work once', async () => {
    await call('POST', 'roles/o', { key_type: 'otp', default_user: 'u', cidr_list: '10.0.0.0/8' })
    const { data } = await call('POST', 'creds/o', { ip: '10.1.1.1' })
    expect(data).toMatchObject({ ip: '10.1.1.1', key_type: 'otp', port: 22, username: 'u' })
    expect((await call('POST', 'verify', { otp: data.key })).data).toEqual({ ip: '10.1.1.1', username: 'u' })
    expect((await call('POST', 'verify', { otp: data.key })).status).toBe(400)
  })
})

describe('bad input', () => {
  const role = { key_type: 'otp', default_user: 'u', cidr_list: '10.0.0.0/8' }
  it.each([
    ['keys/bad', { key: 'nonsense' }],
    ['roles/bad', { ...role, cidr_list: '10.0.0.0/99' }],
    ['roles/bad', { ...role, ttl: '-1h' }],
    ['roles/bad', { ...role, key_type: 'other' }],
    [`roles/${'x'.repeat(300)}`, role],
    ['creds/nobody', { ip: '10.0.0.1' }],
    ['config/ca', { generate_signing_key: false, private_key: 'x', public_key: 'y' }],
    ['sign/r', { public_key: 'ssh-rsa AAAA' }],
  ])('%s %j is refused', async (path, body) => {
    const before = (await call('LIST', 'roles')).text
    const refused = await call('POST', path, body)
    expect(refused.status).toBe(400)
    expect(JSON.parse(refused.text).errors).toHaveLength(1)
    expect(JSON.parse((await call('LIST', 'roles')).text).data).toEqual(JSON.parse(before).data)
  })
})
