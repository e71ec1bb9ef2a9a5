/** A throw-away certificate authority, and a certificate for every host that a client asks for. Its key never leaves the process. */
import 'reflect-metadata'
import { webcrypto } from 'node:crypto'
import { createSecureContext, type SecureContext } from 'node:tls'
import * as x509 from '@peculiar/x509'

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
const DAY = 86_400_000
const subtle = webcrypto.subtle as unknown as SubtleCrypto

export interface Authority {
  caPem: string
  /** What a server of this host presents. */
  contextFor(host: string): Promise<SecureContext>
}

/** Makes the authority; certificates are made once per host. */
export const createAuthority = async (): Promise<Authority> => {
  const crypto = webcrypto as unknown as Crypto
  x509.cryptoProvider.set(crypto)
  const times = { notBefore: new Date(Date.now() - DAY), notAfter: new Date(Date.now() + 30 * DAY) }
  const caKeys = (await subtle.generateKey(algorithm, true, ['sign', 'verify'])) as CryptoKeyPair
  const hostKeys = (await subtle.generateKey(algorithm, true, ['sign', 'verify'])) as CryptoKeyPair
  const authority = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: '01',
    name: 'CN=Cloud gateway authority',
    ...times,
    keys: caKeys,
    signingAlgorithm: algorithm,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
      await x509.SubjectKeyIdentifierExtension.create(caKeys.publicKey),
    ],
  })
  const key = x509.PemConverter.encode(await subtle.exportKey('pkcs8', hostKeys.privateKey), 'PRIVATE KEY')
  const contexts = new Map<string, Promise<SecureContext>>()
  let serial = 1
  const make = async (host: string): Promise<SecureContext> => {
    serial += 1
    const certificate = await x509.X509CertificateGenerator.create({
      serialNumber: serial.toString(16).padStart(4, '0'),
      subject: 'CN=Cloud gateway',
      issuer: authority.subject,
      ...times,
      publicKey: hostKeys.publicKey,
      signingKey: caKeys.privateKey,
      signingAlgorithm: algorithm,
      extensions: [
        new x509.BasicConstraintsExtension(false, undefined, true),
        new x509.ExtendedKeyUsageExtension(['1.3.6.1.5.5.7.3.1']),
        new x509.SubjectAlternativeNameExtension([{ type: 'dns', value: host }]),
        await x509.AuthorityKeyIdentifierExtension.create(caKeys.publicKey),
      ],
    })
    return createSecureContext({ cert: certificate.toString('pem'), key })
  }
  return {
    caPem: authority.toString('pem'),
    contextFor(host) {
      const known = contexts.get(host) ?? make(host)
      contexts.set(host, known)
      return known
    },
  }
}
