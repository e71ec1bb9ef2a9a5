import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { Harmless } from './harmless.ts'
import { SecretRegistry } from './secrets.ts'

const ODD = 's.Tök"en/with+odd\ncharacters'
const PASSWORD = 'Zk3mPq9LwX71vBtR'

const registry = (...values: string[]): SecretRegistry => {
  const secrets = new SecretRegistry(new Harmless(new Set(['database', 'certificate', 'password', 'credentials'])))
  for (const value of values) secrets.add(value)
  return secrets
}

const FORMS: Record<string, (value: string) => string> = {
  'as it stands': (value) => value,
  'escaped for JSON': (value) => JSON.stringify(value).slice(1, -1),
  'escaped for JSON twice': (value) => JSON.stringify(JSON.stringify(value)),
  'escaped by code points': (value) => [...value].map((one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`).join(''),
  'escaped for URLs': encodeURIComponent,
  'escaped for HTML': (value) => value.replaceAll('"', '&quot;'),
  base64: (value) => Buffer.from(value).toString('base64'),
  'base64 for URLs': (value) => Buffer.from(value).toString('base64url'),
  'base64 of base64': (value) => Buffer.from(Buffer.from(value).toString('base64')).toString('base64'),
  'a larger base64, first alignment': (value) => Buffer.from(`{"a":${JSON.stringify(value)}}`).toString('base64'),
  'a larger base64, second alignment': (value) => Buffer.from(`{"ab":${JSON.stringify(value)}}`).toString('base64'),
  'a larger base64, third alignment': (value) => Buffer.from(`{"abc":${JSON.stringify(value)}}`).toString('base64'),
  hexadecimal: (value) => Buffer.from(value).toString('hex'),
  'hexadecimal in capitals': (value) => Buffer.from(value).toString('hex').toUpperCase(),
  'hexadecimal with colons': (value) => Buffer.from(value).toString('hex').match(/../g)!.join(':'),
}

describe('a value is hidden', () => {
  for (const [form, spell] of Object.entries(FORMS)) {
    test.each([ODD, PASSWORD])(`${form}: %j`, (value) => {
      const secrets = registry(value)
      const text = `before, ${spell(value)} after`
      const shown = secrets.redact(text)
      expect(secrets.appearsIn(text)).toBe(true)
      expect(shown).toContain('[redacted]')
      expect(shown).toMatch(/^before, .* after$/)
      // What is left of it is less than a piece.
      expect(secrets.appearsIn(shown)).toBe(false)
    })
  }

  test('a piece of twelve characters, and one of the same length in base64', () => {
    const secrets = registry(PASSWORD)
    expect(secrets.redact(`x ${PASSWORD.slice(2, 14)} y`)).toBe('x [redacted] y')
    expect(secrets.redact(`x ${PASSWORD.slice(2, 13)} y`)).toContain(PASSWORD.slice(2, 13))
    const encoded = Buffer.from(PASSWORD).toString('base64')
    for (let start = 0; start + 12 <= encoded.length - 2; start += 1)
      expect(secrets.appearsIn(` ${encoded.slice(start, start + 12)} `), `from ${start}`).toBe(true)
  })

  test('what a cut has left of its beginning', () => {
    expect(registry(PASSWORD).redact(`otp ${PASSWORD.slice(0, 7)}… (400 characters)`)).toBe('otp [redacted]… (400 characters)')
  })

  test('a long value with a short one that it contains', () => {
    expect(registry('abcdefgh', 'abcdefgh-ijkl').redact('abcdefgh-ijkl abcdefgh')).toBe('[redacted] [redacted]')
  })
})

describe('private keys', () => {
  const pairs = {
    'RSA in PKCS#1': generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ type: 'pkcs1', format: 'pem' }),
    'EC in SEC1': generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ type: 'sec1', format: 'pem' }),
    'Ed25519 in PKCS#8': generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }),
  }
  for (const [name, pem] of Object.entries(pairs) as [string, string][]) {
    test(`${name}: the block is hidden wherever it stands, unregistered too, and cut short too`, () => {
      for (const text of [pem, JSON.stringify({ any: pem }), JSON.stringify(JSON.stringify([pem])), encodeURIComponent(pem)]) {
        const body = pem.split('\n').slice(1, -2).join('')
        for (const piece of [text, text.slice(0, Math.floor(text.length * 0.8))]) {
          const shown = registry().redact(piece)
          for (let start = 0; start + 24 <= body.length; start += 24) expect(shown).not.toContain(body.slice(start, start + 24))
        }
      }
    })
  }

  test('without its frame the private part is known in any wrapping, and the public part stays readable', () => {
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }) as string
    const open = publicKey.export({ type: 'spki', format: 'pem' }) as string
    const secrets = registry(pem)
    const { d } = privateKey.export({ format: 'jwk' })
    const bytes = Buffer.from(d!, 'base64url')
    for (const skipped of [0, 1, 2]) expect(secrets.appearsIn(bytes.subarray(skipped, skipped + 40).toString('base64'))).toBe(true)
    expect(secrets.appearsIn(bytes.toString('hex').replaceAll(/(..)(?=.)/g, '$1:'))).toBe(true)
    const der = privateKey
      .export({ type: 'pkcs1', format: 'der' })
      .toString('base64')
      .replaceAll(/(.{50})/g, '$1\n')
    expect(secrets.redact(der).length).toBeLessThan(der.length / 2)
    for (const harmless of [open, JSON.stringify({ public_key: open }), publicKey.export({ type: 'pkcs1', format: 'der' }).toString('hex')])
      expect(secrets.redact(harmless)).toBe(harmless)
  })

  test('the base64 of a key in DER is one as well', () => {
    const key = generateKeyPairSync('ec', { namedCurve: 'P-384' }).privateKey
    const secrets = registry(key.export({ type: 'sec1', format: 'der' }).toString('base64'))
    expect(secrets.appearsIn(key.export({ type: 'pkcs8', format: 'pem' }).toString().split('\n')[2]!)).toBe(true)
  })
})

test('a member that is named like a secret is shown by the shape of its value', () => {
  const secrets = registry()
  expect(secrets.redact('{"password":"p4ss","user":"u"}')).toBe('{"password":"[string, 4 characters]","user":"u"}')
  expect(secrets.redact('body={"db_password": "p4ss\\"word", "token": null} -> 200')).toBe(
    'body={"db_password": "[string, 10 characters]", "token": null} -> 200',
  )
  expect(secrets.redact('{"clientSecret":"x","private_key":"y","otp":"z"}')).not.toMatch(/"[xyz]"/)
  expect(secrets.redact(JSON.stringify({ nested: JSON.stringify({ token: 'opaque-word' }) }))).not.toContain('opaque-word')
})

describe('what is harmless stays readable', () => {
  const run = 'assay-k3x9a1-00c'
  const secrets = registry(
    `${run}-pw-1-${PASSWORD}`,
    'database credentials aX91',
    '-----BEGIN RSA PRIVATE KEY-----\nnothing\n-----END RSA PRIVATE KEY-----',
  )

  test.each([
    `${run}-role-4`,
    'DATABASE-CREDS-03: the password is that of the database user, with its credentials',
    '-----BEGIN RSA PRIVATE KEY-----',
    '-----BEGIN CERTIFICATE-----\nMIIBszCCAVmgAwIBAgIUQ29t\n-----END CERTIFICATE-----',
    '{"key_type":"otp","token_ttl":"1h","password_policy":"plain","lease_id":"database/creds/a/b"}',
    '2026-11-21T22:00:00Z',
    '=============== ----------------',
  ])('%j', (text) => expect(secrets.redact(text)).toBe(text))

  test('text too short to be a secret, or a word of the documents, is not taken', () => {
    expect(registry('root', 'password', 'aaaaaaaaaaaa').redact('root password aaaaaaaaaaaa')).toBe('root password aaaaaaaaaaaa')
  })
})

test('a registry of 20,000 values goes through a report in one pass', () => {
  const secrets = registry(...Array.from({ length: 20_000 }, () => randomBytes(15).toString('base64url')))
  const last = randomBytes(15).toString('base64url')
  secrets.add(last)
  const line = '{"data":{"keys":["assay-k3x9a1-00c-role-1"],"lease_id":"database/creds/x"},"warnings":null} '
  const report = `${line.repeat(5_000)}${last}`
  const shown = secrets.redact(report)
  expect(shown).toBe(`${line.repeat(5_000)}[redacted]`)
})
