import { expect, test } from 'vitest'
import { SecretRegistry } from './secrets.ts'

const VALUE = 's.Tök"en/with+odd\ncharacters'

test('a value is replaced in all its spellings', () => {
  const secrets = new SecretRegistry()
  secrets.add(VALUE)
  const spellings = SecretRegistry.spellings(VALUE)
  expect(spellings.length).toBeGreaterThanOrEqual(6)
  for (const spelling of spellings) {
    expect(secrets.appearsIn(`x${spelling}y`)).toBe(true)
    expect(secrets.redact(`x${spelling}y`)).toBe('x[redacted]y')
  }
  expect(secrets.redact(JSON.stringify({ nested: JSON.stringify({ token: VALUE }) }))).not.toContain('odd')
})

test('a long value goes before a short one that it contains', () => {
  const secrets = new SecretRegistry()
  secrets.add('abcdefgh')
  secrets.add('abcdefgh-ijkl')
  expect(secrets.redact('abcdefgh-ijkl abcdefgh')).toBe('[redacted] [redacted]')
})

test('text too short to be a secret is left alone', () => {
  const secrets = new SecretRegistry()
  secrets.add('root')
  expect(secrets.redact('as root')).toBe('as root')
})
