/** A certificate authority and a server certificate; every listener gets new ones. */
import 'reflect-metadata'
import { webcrypto } from 'node:crypto'
import { isIP } from 'node:net'
import * as x509 from '@peculiar/x509'

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
const day = 86_400_000

/** PEM texts of the authority's certificate and of the server's certificate and key. */
export interface Certificate {
  caPem: string
  certPem: string
  keyPem: string
}

/** Makes a CA and a certificate for the loopback names and `host`; valid for 30 days. */
export const selfSigned = async (host: string): Promise<Certificate> => {
  const crypto = webcrypto as unknown as Crypto
  x509.cryptoProvider.set(crypto)
  const times = { notBefore: new Date(Date.now() - day), notAfter: new Date(Date.now() + 30 * day) }
  const caKeys = (await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])) as CryptoKeyPair
  const keys = (await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])) as CryptoKeyPair
  const authority = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: '01',
    name: 'CN=Reference server authority',
    ...times,
    keys: caKeys,
    signingAlgorithm: algorithm,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
      await x509.SubjectKeyIdentifierExtension.create(caKeys.publicKey),
    ],
  })
  const names = [...new Set(['localhost', '127.0.0.1', '::1', host])].filter((name) => name !== '0.0.0.0' && name !== '::')
  const certificate = await x509.X509CertificateGenerator.create({
    serialNumber: '02',
    subject: 'CN=Reference server',
    issuer: authority.subject,
    ...times,
    publicKey: keys.publicKey,
    signingKey: caKeys.privateKey,
    signingAlgorithm: algorithm,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.ExtendedKeyUsageExtension(['1.3.6.1.5.5.7.3.1']),
      new x509.SubjectAlternativeNameExtension(names.map((value) => ({ type: isIP(value) ? ('ip' as const) : ('dns' as const), value }))),
      await x509.AuthorityKeyIdentifierExtension.create(caKeys.publicKey),
    ],
  })
  const pkcs8 = await crypto.subtle.exportKey('pkcs8', keys.privateKey)
  return { caPem: authority.toString('pem'), certPem: certificate.toString('pem'), keyPem: x509.PemConverter.encode(pkcs8, 'PRIVATE KEY') }
}
