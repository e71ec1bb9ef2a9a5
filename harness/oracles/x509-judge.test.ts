import { generateKeyPairSync } from 'node:crypto'
import { expect, test } from 'vitest'
import { handshakeProblem } from './tls-handshake.ts'
import { factsOf } from './x509.ts'
import { judgeCertificate, pathProblem } from './x509-judge.ts'
import { certificateRequest, forgedRequest, ownCertificate, privateKeyForm, publicKeyOf, requestPublicKey } from './x509-requests.ts'

const counts = new Map<string, number>()
const bench = { count: (what: string, by = 1) => void counts.set(what, (counts.get(what) ?? 0) + by) }

test('both readers agree on a certificate with every kind of name', async () => {
  const { certificate } = await ownCertificate({
    commonName: 'www.example.com',
    subject: { O: 'Example', C: 'CH' },
    dns: ['www.example.com', '*.example.com'],
    email: ['someone@example.com'],
    ip: ['10.1.2.3', '2001:db8::1'],
    uri: ['spiffe://example.com/a'],
    principal: ['someone'],
    keyUsage: ['digitalSignature', 'decipherOnly'],
    extendedKeyUsage: ['1.3.6.1.5.5.7.3.1', '1.3.6.1.5.5.7.3.2'],
    serial: '0080ff',
  })
  const facts = await judgeCertificate(bench, certificate)
  expect(facts).toMatchObject({
    serial: '80ff',
    subject: { CN: ['www.example.com'], O: ['Example'], C: ['CH'] },
    dns: ['www.example.com', '*.example.com'],
    ip: ['10.1.2.3', '2001:db8::1'],
    other: [{ oid: '1.3.6.1.4.1.311.20.2.3', value: 'someone', utf8: true }],
    keyUsage: ['digitalSignature', 'decipherOnly'],
    key: { type: 'ec', bits: 256, curve: 'prime256v1' },
  })
})

test('a key on a curve that one reader does not know is judged by the others', async () => {
  // secp256k1, made by a server of this family.
  const certificate = [
    '-----BEGIN CERTIFICATE-----',
    'MIIBkTCCATegAwIBAgIUYktb8C1hC9MC1YVSBhmZHzttJuYwCgYIKoZIzj0EAwIw',
    'DzENMAsGA1UEAwwEUm9vdDAeFw0yNjExMjkyMDA2MDZaFw0yNzExMjkyMDA2MDZa',
    'MA8xDTALBgNVBAMMBFJvb3QwVjAQBgcqhkjOPQIBBgUrgQQACgNCAARa6SU2nznn',
    '5NQD5+/aoF+UuzKFHwZIyZy9jMkfRLlj7ci7coNObiQ7zGaLl2RPrpqzuTfrYlUa',
    'ZegXwYEHoo44o3QwcjAPBgNVHREECDAGggRSb290MA8GA1UdEwEB/wQFMAMBAf8w',
    'DgYDVR0PAQH/BAQDAgEGMB0GA1UdDgQWBBQLXEW9ncmqkMn5P8JYDKABeD8c3DAf',
    'BgNVHSMEGDAWgBQLXEW9ncmqkMn5P8JYDKABeD8c3DAKBggqhkjOPQQDAgNIADBF',
    'AiAdwoiAPlM+VKj+533juy2qEig+hLB6lj9IZ9F7wSJhUQIhALiwyUsGszwCvjb1',
    '/5M8CgssgHbG23eD7irLEd5NfUhZ',
    '-----END CERTIFICATE-----',
  ].join('\n')
  expect((await judgeCertificate(bench, certificate)).key).toEqual({ type: 'ec', bits: 256, curve: 'secp256k1' })
  expect(await pathProblem(bench, certificate, [certificate])).toBeUndefined()
  const { certificate: other } = await ownCertificate({ commonName: 'Root', ca: true })
  expect(await pathProblem(bench, certificate, [other])).toBeTypeOf('string')
})

test('many certificates at once are read by few processes', async () => {
  const certificates = await Promise.all(Array.from({ length: 20 }, (_, at) => ownCertificate({ commonName: `n${at}` })))
  const facts = await Promise.all(certificates.map(({ certificate }) => judgeCertificate(bench, certificate)))
  expect(facts.map(({ subject }) => subject.CN?.[0])).toEqual(certificates.map((_, at) => `n${at}`))
})

test('anything but a certificate fails the assertion', async () => {
  await expect(judgeCertificate(bench, 'nothing')).rejects.toMatchObject({ name: 'AssertionFailure' })
  const { certificate } = await ownCertificate({ commonName: 'cut' })
  await expect(judgeCertificate(bench, certificate.replace(/.{40}\n/, '\n'))).rejects.toMatchObject({ name: 'AssertionFailure' })
})

test('paths and handshakes hold for the right root and name only', async () => {
  const root = await ownCertificate({ commonName: 'Root A', ca: true, key: 'rsa2048' })
  const stranger = await ownCertificate({ commonName: 'Root A', ca: true })
  const between = await ownCertificate({ commonName: 'Between', ca: true, pathLength: 0, issuer: root })
  const leaf = await ownCertificate({ commonName: 'www.example.com', dns: ['www.example.com'], issuer: between })
  expect(
    [root, between].map(({ certificate }) => factsOf(certificate)).map(({ key, basicConstraints }) => [key.type, basicConstraints]),
  ).toEqual([
    ['rsa', { ca: true }],
    ['ec', { ca: true, pathLength: 0 }],
  ])
  expect(await pathProblem(bench, leaf.certificate, [between.certificate, root.certificate])).toBeUndefined()
  expect(await pathProblem(bench, leaf.certificate, [between.certificate, stranger.certificate])).toBeTypeOf('string')
  const pair = { certificates: [leaf.certificate, between.certificate], privateKey: leaf.privateKey, root: root.certificate }
  expect(await handshakeProblem(bench, { ...pair, serverName: 'www.example.com' })).toBeUndefined()
  expect(await handshakeProblem(bench, { ...pair, serverName: 'other.example.com' })).toContain('altnames')
  expect(await handshakeProblem(bench, { ...pair, root: stranger.certificate, serverName: 'www.example.com' })).toBeTypeOf('string')
})

test('an intermediate CA will do for a root', async () => {
  const root = await ownCertificate({ commonName: 'Root', ca: true })
  const between = await ownCertificate({ commonName: 'Between', ca: true, issuer: root })
  const stranger = await ownCertificate({ commonName: 'Between', ca: true, issuer: root })
  const leaf = await ownCertificate({ commonName: 'www.example.com', dns: ['www.example.com'], issuer: between })
  expect(await pathProblem(bench, leaf.certificate, [between.certificate])).toBeUndefined()
  expect(await pathProblem(bench, leaf.certificate, [stranger.certificate])).toBeTypeOf('string')
  const pair = { certificates: [leaf.certificate], privateKey: leaf.privateKey, serverName: 'www.example.com' }
  expect(await handshakeProblem(bench, { ...pair, root: between.certificate })).toBeUndefined()
  expect(await handshakeProblem(bench, { ...pair, root: stranger.certificate })).toBeTypeOf('string')
})

test('keys are recognised in every form', async () => {
  const { certificate, privateKey } = await ownCertificate({ commonName: 'a' })
  expect(publicKeyOf(privateKey)).toBe(factsOf(certificate).publicKey)
  expect(privateKeyForm(Buffer.from(privateKey.replace(/-----[A-Z ]+-----|\s/g, ''), 'base64'))).toBe('pkcs8')
  const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
  expect(privateKeyForm(ec.export({ type: 'sec1', format: 'der' }))).toBe('sec1')
  expect(privateKeyForm(rsa.export({ type: 'pkcs1', format: 'der' }))).toBe('pkcs1')
  expect(privateKeyForm(rsa.export({ type: 'pkcs8', format: 'der' }))).toBe('pkcs8')
  expect(privateKeyForm(Buffer.from('3003020100', 'hex'))).toBeUndefined()
})

test('a key with its optional parts keeps its form', () => {
  const plain = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
  const sec1 = plain.export({ type: 'sec1', format: 'der' })
  // PKCS#8 around the whole SEC 1 key, which names its curve once more.
  const algorithm = Buffer.from('301306072a8648ce3d020106082a8648ce3d030107', 'hex')
  const body = Buffer.concat([Buffer.from([0x02, 0x01, 0x00]), algorithm, Buffer.from([0x04, sec1.length]), sec1])
  expect(privateKeyForm(Buffer.concat([Buffer.from([0x30, 0x81, body.length]), body]))).toBe('pkcs8')
})

test('a forged request differs from a valid one in its signature only', async () => {
  const valid = await certificateRequest({ commonName: 'a', dns: ['a.example.com'] })
  const forged = await forgedRequest({ commonName: 'a', dns: ['a.example.com'] })
  expect(requestPublicKey(forged)).toBe(requestPublicKey(valid))
})
