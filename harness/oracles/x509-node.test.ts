/** The judges that are there on every machine, without openssl's help. */
import 'reflect-metadata'
import { webcrypto } from 'node:crypto'
import * as x509 from '@peculiar/x509'
import { expect, test } from 'vitest'
import { crlFactsOf } from './x509.ts'
import { nodeFacts } from './x509-node.ts'
import { nodeCrl, nodePathProblem } from './x509-node-trust.ts'
import { type OwnAuthority, ownCertificate } from './x509-requests.ts'

test('a certificate with every kind of name is read whole', async () => {
  const { certificate } = await ownCertificate({
    commonName: 'www.example.com',
    dns: ['www.example.com', '*.example.com'],
    email: ['someone@example.com'],
    ip: ['10.1.2.3', '2001:db8::1'],
    uri: ['spiffe://example.com/a,b'],
    principal: ['x, DNS:evil.example.com'],
    ca: true,
    keyUsage: ['keyCertSign', 'decipherOnly'],
    extendedKeyUsage: ['1.3.6.1.5.5.7.3.1', '1.3.6.1.5.5.7.3.2'],
    serial: '0080ff',
  })
  expect(nodeFacts(certificate)).toMatchObject({
    serial: '80ff',
    dns: ['www.example.com', '*.example.com'],
    email: ['someone@example.com'],
    ip: ['10.1.2.3', '2001:db8::1'],
    uri: ['spiffe://example.com/a,b'],
    otherNames: 1,
    basicConstraints: { ca: true, pathLength: undefined },
    keyUsage: ['keyCertSign', 'decipherOnly'],
    extendedKeyUsages: 2,
  })
})

const LIMITED = '30060101ff020100'

test('a path holds for the right issuers only', async () => {
  const root = await ownCertificate({ commonName: 'Root', ca: true })
  const stranger = await ownCertificate({ commonName: 'Root', ca: true })
  const between = await ownCertificate({ commonName: 'Between', ca: true, issuer: root })
  const plain = await ownCertificate({ commonName: 'Plain', issuer: root })
  const leaf = (issuer: OwnAuthority) => ownCertificate({ commonName: 'a.example.com', dns: ['a.example.com'], issuer })
  const chain = [between.certificate, root.certificate]
  const good = (await leaf(between)).certificate
  expect(nodePathProblem(good, chain)).toBeUndefined()
  expect(nodePathProblem(root.certificate, [root.certificate])).toBeUndefined()
  expect(nodePathProblem(good, [between.certificate, stranger.certificate])).toBeTypeOf('string')
  expect(nodePathProblem(good, [root.certificate])).toContain('did not issue')
  expect(nodePathProblem((await leaf(plain)).certificate, [plain.certificate, root.certificate])).toContain('is not a CA')
})

test('a path is no longer and holds no other names than a CA allows', async () => {
  const limited = await ownCertificate({
    commonName: 'Limited',
    extension: { oid: '2.5.29.19', value: LIMITED },
    keyUsage: ['keyCertSign'],
  })
  const below = await ownCertificate({ commonName: 'Below', ca: true, issuer: limited })
  const leaf = (issuer: OwnAuthority, dns: string) => ownCertificate({ commonName: dns, dns: [dns], issuer })
  expect(nodePathProblem((await leaf(limited, 'a.example.com')).certificate, [limited.certificate])).toBeUndefined()
  expect(nodePathProblem((await leaf(below, 'a.example.com')).certificate, [below.certificate, limited.certificate])).toContain('more CAs')
  // Permitted: names of example.com.
  const value = `300fa00d300b8209${Buffer.from('example.c').toString('hex')}`
  const narrow = await ownCertificate({ commonName: 'Narrow', ca: true, extension: { oid: '2.5.29.30', value } })
  expect(nodePathProblem((await leaf(narrow, 'a.example.c')).certificate, [narrow.certificate])).toBeUndefined()
  expect(nodePathProblem((await leaf(narrow, 'a.example.d')).certificate, [narrow.certificate])).toContain('a.example.d')
})

test('a CRL is read with its entries, and its signature is that of its CA', async () => {
  const [root, stranger] = [await ownCertificate({ commonName: 'Root', ca: true }), await ownCertificate({ commonName: 'Root', ca: true })]
  const signing = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
  const pkcs8 = x509.PemConverter.decodeFirst(root.privateKey)
  const signingKey = await webcrypto.subtle.importKey('pkcs8', pkcs8, signing, true, ['sign'])
  const issuer = new x509.X509Certificate(root.certificate).subject
  const crlWith = async (...serialNumbers: string[]): Promise<string> => {
    const entries = serialNumbers.map((serialNumber) => ({ serialNumber, revocationDate: new Date() }))
    const nextUpdate = new Date(Date.now() + 3_600_000)
    const crl = await x509.X509CrlGenerator.create({
      issuer,
      entries,
      nextUpdate,
      signingKey: signingKey as never,
      signingAlgorithm: signing,
    })
    return crl.toString('pem')
  }
  const two = await crlWith('00a1', '7f')
  expect(nodeCrl(two, root.certificate)).toEqual({ serials: ['a1', '7f'], verified: true })
  expect(nodeCrl(await crlWith(), root.certificate)).toEqual({ serials: [], verified: true })
  expect(nodeCrl(two, stranger.certificate).verified).toBe(false)
  expect((await crlFactsOf(two, root.certificate)).serials).toEqual(['a1', '7f'])
})
