/** Generators of the string formats: for each name a valid text as a server would meet it. */
import fc, { type Arbitrary } from 'fast-check'

const count = (max: number): Arbitrary<number> => fc.integer({ min: 1, max })
const octet = fc.integer({ min: 0, max: 255 })
const ipv4 = fc.tuple(fc.integer({ min: 1, max: 223 }), octet, octet, octet).map((parts) => parts.join('.'))

const cidr = fc.tuple(octet, octet, fc.constantFrom(8, 16, 24, 32)).map(([second, third, bits]) => {
  const address = [10, bits > 8 ? second : 0, bits > 16 ? third : 0, bits > 24 ? 1 : 0]
  return `${address.join('.')}/${bits}`
})

const duration = fc.oneof(
  count(86_400).map((seconds) => `${seconds}s`),
  count(600).map((minutes) => `${minutes}m`),
  count(24).map((hours) => `${hours}h`),
  fc.tuple(count(23), count(59)).map(([hours, minutes]) => `${hours}h${minutes}m`),
  count(86_400).map(String),
)

const word = fc.stringMatching(/^[a-z][a-z0-9-]{0,8}[a-z0-9]$/)
const list = (item: Arbitrary<string>): Arbitrary<string> => fc.array(item, { minLength: 1, maxLength: 3 }).map((all) => all.join(','))
const base64 = fc.uint8Array({ maxLength: 24 }).map((bytes) => Buffer.from(bytes).toString('base64'))

const block = (label: string, bytes: Uint8Array): string => {
  const lines =
    Buffer.from(bytes)
      .toString('base64')
      .match(/.{1,64}/g) ?? []
  return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ''].join('\n')
}

const pem = fc
  .tuple(fc.constantFrom('CERTIFICATE', 'PRIVATE KEY', 'CERTIFICATE REQUEST'), fc.uint8Array({ minLength: 48, maxLength: 96 }))
  .map(([label, bytes]) => block(label, bytes))

const sshPublicKey = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => {
  const name = Buffer.from('ssh-ed25519')
  const blob = Buffer.concat([Buffer.from([0, 0, 0, name.length]), name, Buffer.from([0, 0, 0, 32]), Buffer.from(bytes)])
  return `ssh-ed25519 ${blob.toString('base64')}`
})

const instant = fc
  .date({ min: new Date('2000-01-01T00:00:00Z'), max: new Date('2099-12-31T23:59:59Z'), noInvalidDate: true })
  .map((date) => date.toISOString())

const hexPair = fc.integer({ min: 0, max: 255 }).map((byte) => byte.toString(16).padStart(2, '0'))

/** Arbitraries by name of `format` or `x-format`; `texts` that are valid and usual, never the exotic corner of a format. */
export const formatArbitraries: Record<string, Arbitrary<string>> = {
  'go-duration': duration,
  cidr,
  'cidr-list': list(cidr),
  ip: fc.oneof({ arbitrary: ipv4, weight: 4 }, { arbitrary: fc.constant('2001:db8::1'), weight: 1 }),
  'ip-list': list(ipv4),
  pem,
  base64,
  'json-text': fc.dictionary(word, fc.oneof(word, fc.integer(), fc.boolean()), { maxKeys: 3 }).map((value) => JSON.stringify(value)),
  'comma-list': list(word),
  'ssh-public-key': sshPublicKey,
  serial: fc.array(hexPair, { minLength: 4, maxLength: 20 }).map((pairs) => pairs.join(':')),
  rfc3339: instant,
  'date-time': instant,
  date: instant.map((text) => text.slice(0, 10)),
  time: instant.map((text) => `${text.slice(11, 19)}Z`),
  uuid: fc.uuid(),
  uri: word.map((path) => `https://example.test/${path}`),
  hostname: fc.tuple(word, fc.constantFrom('example.test', 'internal.test')).map((parts) => parts.join('.')),
  email: word.map((name) => `${name}@example.test`),
  ipv4,
  ipv6: hexPair.map((pair) => `2001:db8::${pair}`),
  regex: fc.constantFrom('^[a-z]+$', '[0-9]{3}', '.*'),
}
