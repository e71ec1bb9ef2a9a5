/** The engine over HTTP, judged by the openssl command and node's own X.509 reader. */
import { execFileSync } from 'node:child_process'
import { createPrivateKey, generateKeyPairSync, X509Certificate } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { lacksProgram } from '../../../tests/support/needs.ts'
import { createReference, type Reference } from '../../index.ts'
import { pkiEngine } from './engine.ts'
import { alternativeNames, basicConstraints } from './x509/extensions.ts'
import { noNames, writeSubject } from './x509/names.ts'
import { writePem } from './x509/pem.ts'
import { makeRequest } from './x509/request.ts'

let server: Reference
let folder: string
beforeAll(async () => {
  server = await createReference({ engines: [pkiEngine], tls: false, mounts: { 'pki/': 'pki', 'below/': 'pki' } }).listen()
  folder = mkdtempSync(join(tmpdir(), 'assay-pki-'))
  await post('pki/root/generate/internal', { common_name: 'Test Root', key_type: 'ec', key_bits: 256 })
  await post('pki/roles/web', {
    allowed_domains: ['example.com'],
    allow_subdomains: true,
    key_type: 'ec',
    key_bits: 256,
    ttl: '1h',
    allowed_uri_sans: 'spiffe://example.com/*',
    allowed_other_sans: '1.3.6.1.4.1.99999.2;UTF8:*',
    policy_identifiers: ['1.3.6.1.4.1.99999.1'],
    organization: 'One,Two',
  })
})
afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true, force: true })
})

interface Told {
  status: number
  data: Record<string, string & string[]>
  text: string
}
const send = async (method: string, path: string, body?: unknown): Promise<Told> => {
  const headers = { 'X-Service-Token': server.rootToken }
  const answer = await fetch(`${server.url}/v1/${path}`, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) })
  const text = await answer.text()
  const data = text.startsWith('{') ? ((JSON.parse(text) as { data?: Told['data'] }).data ?? {}) : {}
  return { status: answer.status, data, text }
}
const post = (path: string, body: unknown): Promise<Told> => send('POST', path, body)
const file = (name: string, text: string): string => {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}
const noOpenssl = lacksProgram('openssl')
const openssl = (...parameters: string[]): string =>
  execFileSync('openssl', parameters, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })

test.skipIf(noOpenssl)('an issued pair verifies under the root, with all kinds of names', async () => {
  const issued = await post('pki/issue/web', {
    common_name: 'www.example.com',
    alt_names: 'a.example.com,someone@b.example.com',
    ip_sans: '10.1.2.3,2001:db8::1',
    uri_sans: 'spiffe://example.com/a',
    other_sans: '1.3.6.1.4.1.99999.2;UTF8:someone',
  })
  expect(issued.status).toBe(200)
  const certificate = new X509Certificate(issued.data.certificate!)
  expect(certificate.checkPrivateKey(createPrivateKey(issued.data.private_key!))).toBe(true)
  expect(certificate.subjectAltName).toContain('IP Address:2001:DB8:0:0:0:0:0:1')
  expect(certificate.subject).toContain('O=One')
  const ca = file('ca.pem', issued.data.issuing_ca!)
  expect(openssl('verify', '-x509_strict', '-CAfile', ca, file('leaf.pem', issued.data.certificate!))).toContain('OK')
  const shown = openssl('x509', '-noout', '-text', '-in', join(folder, 'leaf.pem'))
  for (const part of [
    '1.3.6.1.4.1.99999.2',
    'email:someone@b.example.com',
    'URI:spiffe://example.com/a',
    'Policy: 1.3.6.1.4.1.99999.1',
    'O = One',
  ]) {
    expect(shown).toContain(part)
  }
})

test.skipIf(noOpenssl)('a revoked certificate is on a CRL that openssl verifies', async () => {
  const issued = await post('pki/issue/web', { common_name: 'www.example.com' })
  const revoked = await post('pki/revoke', { serial_number: issued.data.serial_number!.replaceAll(':', '-') })
  expect(revoked.data.revocation_time).toBeTypeOf('number')
  const crl = file('crl.pem', (await send('GET', 'pki/crl/pem')).text)
  const ca = file('ca.pem', issued.data.issuing_ca!)
  expect(openssl('crl', '-in', crl, '-CAfile', ca, '-noout', '-text')).toContain(
    issued.data.serial_number!.replaceAll(':', '').toUpperCase(),
  )
})

test.skipIf(noOpenssl)('a chain of three levels verifies', async () => {
  const request = await post('below/intermediate/generate/internal', { common_name: 'Test Intermediate', key_type: 'ec' })
  const signed = await post('pki/root/sign-intermediate', { csr: request.data.csr, common_name: 'Test Intermediate', max_path_length: 0 })
  const root = (await send('GET', 'pki/ca/pem')).text
  expect((await post('below/intermediate/set-signed', { certificate: `${signed.data.certificate}\n${root}` })).status).toBe(204)
  await post('below/roles/any', { allow_any_name: true, key_type: 'ec', ttl: '1h' })
  const issued = await post('below/issue/any', { common_name: 'deep.example.org' })
  expect(issued.data.ca_chain).toHaveLength(2)
  const leaf = file('deep.pem', issued.data.certificate!)
  expect(openssl('verify', '-CAfile', file('root.pem', root), '-untrusted', file('int.pem', signed.data.certificate!), leaf)).toContain(
    'OK',
  )
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const lower = writePem('CERTIFICATE REQUEST', makeRequest(privateKey, writeSubject({ common_name: 'Lower' }), [basicConstraints(true)]))
  expect((await post('below/root/sign-intermediate', { csr: lower, common_name: 'Lower' })).status).toBe(400)
})

test('names that come in a request are judged like those of the body', async () => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const names = { ...noNames(), dns: ['a.example.com', 'evil.org'] }
  const csr = writePem(
    'CERTIFICATE REQUEST',
    makeRequest(privateKey, writeSubject({ common_name: 'a.example.com' }), [alternativeNames(names)]),
  )
  expect((await post('pki/sign/web', { csr })).status).toBe(400)
  const good = writePem('CERTIFICATE REQUEST', makeRequest(privateKey, writeSubject({ common_name: 'a.example.com' }), []))
  expect((await post('pki/sign/web', { csr: good, common_name: 'ignored.org' })).status).toBe(200)
})

test.each([
  ['pki/config/ca', { pem_bundle: 'no PEM' }],
  ['pki/config/ca', { pem_bundle: '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----' }],
  ['pki/intermediate/set-signed', { certificate: 'no PEM' }],
  ['pki/sign/web', { csr: '-----BEGIN CERTIFICATE REQUEST-----\nMAA=\n-----END CERTIFICATE REQUEST-----' }],
  ['pki/root/sign-self-issued', { certificate: 'x' }],
  ['pki/issue/web', { common_name: 'www.example.com', ip_sans: '300.1.1.1' }],
  ['pki/issue/web', { common_name: 'www.example.com', other_sans: '9.9;UTF8:x' }],
  ['pki/issue/web', { common_name: 'www.example.com', uri_sans: 'not a uri' }],
  ['pki/issue/web', { common_name: 'www.example.com', alt_names: Array.from({ length: 60_000 }, (_, i) => `n${i}.example.org`).join(',') }],
  ['pki/roles/bad', { policy_identifiers: ['1.2.x'] }],
  ['pki/roles/bad', { key_type: 'dsa' }],
  ['pki/root/generate/internal', { common_name: 'Second' }],
])('%s refuses what is malformed', async (path, body) => {
  const before = (await send('GET', 'pki/ca/pem')).text
  const answer = await post(path, body)
  expect(answer.status).toBe(400)
  expect(JSON.parse(answer.text)).toMatchObject({ errors: [expect.any(String)] })
  expect((await send('GET', 'pki/ca/pem')).text).toBe(before)
})

test('concurrent generations make one root', async () => {
  const single = await createReference({ engines: [pkiEngine], tls: false, mounts: { 'pki/': 'pki' } }).listen()
  const headers = { 'X-Service-Token': single.rootToken }
  const body = JSON.stringify({ common_name: 'Root', key_type: 'ec' })
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => fetch(`${single.url}/v1/pki/root/generate/internal`, { method: 'POST', headers, body })),
  )
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  await single.close()
})
