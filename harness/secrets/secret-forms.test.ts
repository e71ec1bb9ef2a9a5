/** Spellings of a value beside the usual ones: as programs print bytes, as mails and pages escape text, in letters of the other case. */
import { generateKeyPairSync } from 'node:crypto'
import { expect, test } from 'vitest'
import { SecretRegistry } from './secrets.ts'

const VALUE = 's.Zk3mPq9LwX71_vBt'

const bytes = [...Buffer.from(VALUE)]
const code = (character: string): number => character.charCodeAt(0)
const each = (spell: (character: string) => string): string => [...VALUE].map(spell).join('')

const FORMS: Record<string, string> = {
  'in capitals': VALUE.toUpperCase(),
  'in small letters': VALUE.toLowerCase(),
  'bytes as Go prints them': `[${bytes.join(' ')}]`,
  'bytes as a JSON list': JSON.stringify(bytes),
  'bytes as Node prints a buffer': `<Buffer ${Buffer.from(VALUE).toString('hex').match(/../g)!.join(' ')}>`,
  'bytes as Node lists them': `Uint8Array(18) [\n  ${bytes.join(',\n  ')}\n]`,
  'bytes as Go writes them': `[]byte{${bytes.map((byte) => `0x${byte.toString(16)}`).join(', ')}}`,
  'bytes in octal': bytes.map((byte) => byte.toString(8).padStart(3, '0')).join(' '),
  'octal escapes': each((character) => `\\${code(character).toString(8).padStart(3, '0')}`),
  'hexadecimal with dashes': Buffer.from(VALUE).toString('hex').match(/../g)!.join('-').toUpperCase(),
  'quoted-printable': each((character) => `=${code(character).toString(16).toUpperCase()}`),
  'quoted-printable, broken over lines': `${VALUE.slice(0, 9)}=\r\n${VALUE.slice(9)}`,
  'code points in braces': each((character) => `\\u{${code(character).toString(16)}}`),
  'code points of eight digits': each((character) => `\\U${code(character).toString(16).padStart(8, '0')}`),
  'entities with zeros before': each((character) => `&#${String(code(character)).padStart(12, '0')};`),
  'hexadecimal entities with zeros before': each((character) => `&#x${code(character).toString(16).padStart(12, '0')};`),
  'entities without an end': each((character) => `&#${code(character)}`),
  'entities of punctuation': VALUE.replace('.', '&period;').replace('_', '&lowbar;'),
  'bytes by their places': JSON.stringify(Object.fromEntries(bytes.map((byte, at) => [at, byte]))),
  'bytes in quotes': bytes.map((byte) => `"${byte}"`).join(', '),
  'bytes between bars': bytes.join('|'),
  'bytes between dots': bytes.join('.'),
  'hexadecimal in quotes': bytes.map((byte) => `"${byte.toString(16)}"`).join(','),
  'hexadecimal between dots': bytes.map((byte) => byte.toString(16)).join('.'),
  'code points by name': each((character) => `U+${code(character).toString(16).padStart(4, '0')} `).trim(),
  'escapes of old scripts': each((character) => `%u${code(character).toString(16).padStart(4, '0')}`),
  'control characters between': each((character) => `${character}\u0001`),
  'commands of a terminal between': each((character) => `${character}\u001b[0m`),
  'combining marks between': each((character) => `${character}\u0301`),
  'zero-width characters between': each((character) => `${character}\u200b`),
  'bytes that are not text between': Buffer.concat(bytes.flatMap((byte) => [Buffer.from([byte]), Buffer.from([0xff])])).toString('utf8'),
  'base64 of UTF-16': Buffer.from(VALUE, 'utf16le').toString('base64'),
  'base64 of UTF-16, high bytes first': Buffer.from(VALUE, 'utf16le').swap16().toString('base64'),
  'hexadecimal of UTF-16': Buffer.from(VALUE, 'utf16le').toString('hex'),
}

test.each(Object.entries(FORMS))('a value is hidden %s', (_, spelled) => {
  const secrets = new SecretRegistry()
  secrets.add(VALUE)
  const shown = secrets.redact(`before, ${spelled} after`)
  expect(shown).toMatch(/^before, .*\[redacted\].*after$/s)
  expect(shown.length).toBeLessThan(60)
  expect(secrets.appearsIn(shown)).toBe(false)
})

test('a document of JSON is a secret beside the key that it holds', () => {
  const key = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' })
  const secrets = new SecretRegistry()
  secrets.add(JSON.stringify({ private_key_id: VALUE, private_key: key, client_email: 'made-up@project.example' }))
  expect(secrets.redact(`it is ${VALUE}`)).toBe('it is [redacted]')
  expect(secrets.redact(Buffer.from('"client_email":"made-up@project.example"').toString('hex'))).toContain('[redacted]')
})

test.each([
  ['RSA', generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey],
  ['Ed25519', generateKeyPairSync('ed25519').privateKey],
])('a private key of %s is hidden in letters of the other case, its lines broken or escaped', (_, key) => {
  const pem = String(key.export({ type: 'pkcs8', format: 'pem' }))
  const lines = pem.split('\n').slice(1, -2)
  const last = lines.at(-1)!
  for (const given of [pem, JSON.stringify({ private_key: pem }), key.export({ type: 'pkcs8', format: 'der' }).toString('base64')]) {
    const secrets = new SecretRegistry()
    secrets.add(given)
    for (const text of [pem, JSON.stringify(pem)])
      for (const shown of [secrets.redact(text.toLowerCase()), secrets.redact(text.toUpperCase().replaceAll('PRIVATE', ''))])
        expect(shown.toLowerCase(), given.slice(0, 30)).not.toContain(last.slice(-24, -8).toLowerCase())
  }
})

test.each([
  'sha256 of it is 9f:86:d0:81:88:4c:7d:65:9a:2f:ea:a0:c5:5a:d0:15',
  '{"sizes":[1, 2, 3, 40, 50, 60, 115],"at":"2026-11-29T11:08:24Z"}',
  'a=b&c=d&amp;e 100% \\n \\d{3} [1 2 3]',
])('what holds no value stays as it is: %s', (text) => {
  const secrets = new SecretRegistry()
  secrets.add(VALUE)
  expect(secrets.redact(text)).toBe(text)
})
