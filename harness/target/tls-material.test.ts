import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { temporaryFolder } from '../../tests/support/cli.ts'
import { type TlsOptions, tlsMaterial } from './tls-material.ts'

const folder = temporaryFolder()
const file = (name: string): string => join(folder, name)

const openssl = (...words: string[]): void => void execFileSync('openssl', words, { cwd: folder, stdio: 'ignore' })

const keyPair = (name: string): void =>
  openssl('req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-subj', `/CN=${name}`, '-keyout', `${name}.key`, '-out', `${name}.pem`)

beforeAll(() => {
  keyPair('one')
  keyPair('two')
  openssl('x509', '-in', 'one.pem', '-outform', 'DER', '-out', 'one.der')
  openssl('x509', '-in', 'one.pem', '-trustout', '-out', 'trusted.pem')
  openssl('ecparam', '-name', 'prime256v1', '-genkey', '-out', 'curve.key')
  openssl('req', '-x509', '-key', 'curve.key', '-subj', '/CN=curve', '-out', 'curve.pem')
  openssl('rsa', '-in', 'one.key', '-aes256', '-passout', 'pass:x', '-out', 'locked.key')
  writeFileSync(file('bundle.pem'), ['one.key', 'two.pem', 'one.pem'].map((name) => readFileSync(file(name), 'utf8')).join('a comment\n'))
  writeFileSync(file('broken.pem'), '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n')
  writeFileSync(file('text'), 'no such thing\n')
})

const of = (tls: TlsOptions) => tlsMaterial(Object.fromEntries(Object.entries(tls).map(([key, name]) => [key, file(String(name))])))

test.each<TlsOptions>([
  { caCert: 'one.pem' },
  { caCert: 'bundle.pem' },
  { caCert: 'trusted.pem' },
  { clientCert: 'one.pem', clientKey: 'one.key' },
  { clientCert: 'curve.pem', clientKey: 'curve.key' },
])('%j can be used', (tls) => {
  expect(() => of(tls)).not.toThrow()
})

test.each<[TlsOptions, RegExp]>([
  [{ caCert: 'none' }, /^--ca-cert: cannot read .*none$/],
  [{ caCert: 'text' }, /^--ca-cert: .*text holds no certificate in PEM form$/],
  [{ caCert: 'one.der' }, /^--ca-cert: .*holds no certificate in PEM form$/],
  [{ caCert: 'one.key' }, /^--ca-cert: .*one\.key holds no usable certificate: /],
  [{ caCert: 'broken.pem' }, /^--ca-cert: .*holds no usable certificate: /],
  [{ clientCert: 'text', clientKey: 'one.key' }, /^--client-cert: .*text holds no certificate/],
  [{ clientCert: 'one.pem', clientKey: 'text' }, /^--client-key: .*text holds no private key/],
  [{ clientCert: 'one.pem', clientKey: 'one.pem' }, /^--client-key: .*one\.pem holds no usable private key: /],
  [{ clientCert: 'one.pem', clientKey: 'locked.key' }, /^--client-key: .*locked\.key holds no usable private key: /],
  [{ clientCert: 'one.pem', clientKey: 'two.key' }, /^--client-cert and --client-key do not belong together: /],
])('%j is refused by name', (tls, says) => {
  expect(() => of(tls)).toThrow(says)
})
