/** Faults of certificates: key, signature, serial number, kind, algorithm. */
import { generateKeyPairSync } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { secret } from '../../core/envelope.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { insteadOfRefusal, isNested, refusalStatus, requestBody } from '../../mutations/wrappers.ts'
import { sshEngine } from './engine.ts'
import { type PublicKey, publicKeyLine, publicKeyOf } from './key-formats.ts'
import type { SshRules } from './rules.ts'
import { nameOf } from './wrappers.ts'

const { rule, route } = faultsOf(sshEngine)

const otherKey = (): PublicKey => publicKeyOf(generateKeyPairSync('ed25519').privateKey)

const hollow = (): ReturnType<typeof secret> => secret({ serial_number: '1', signed_key: '' })

rule('certificate-other-key', 'SSH-SIGN-05', 'another key is certified', { certificateKey: () => otherKey })
rule('certificate-other-signer', 'SSH-SIGN-06', 'another key signs', {
  signingPair: (original) => (state) => {
    const pair = original(state)
    const { privateKey } = generateKeyPairSync('ed25519')
    return pair && { ...pair, privateKey }
  },
})
rule('serial-shown-off', 'SSH-SIGN-07', 'the answer shows the next serial number', {
  serialShown: (original) => (serial) => original(serial + 1n),
})
rule('serial-by-time', 'SSH-SIGN-08', 'the serial number is the minute', {
  serial: () => () => BigInt(Math.floor(Date.now() / 60_000)),
})
route('serial-raced', 'SSH-SIGN-09', 'the serial number is counted without a lock', 'ssh.signKey', (original) => {
  let last = 0n
  return async (call) => {
    const serial = last + 1n
    await delay(20)
    last = serial
    return original({ ...call, rules: { ...call.rules, serial: () => serial } })
  }
})
route(
  'public-key-optional',
  'SSH-SIGN-10',
  'without a key one is made',
  'ssh.signKey',
  requestBody((body) => ({ public_key: publicKeyLine(otherKey()), ...body })),
)
route(
  'public-key-any-text',
  'SSH-SIGN-11',
  'a key that cannot be read gives an empty certificate',
  'ssh.signKey',
  insteadOfRefusal(hollow, ({ body }) => typeof body.public_key === 'string'),
)
route(
  'public-key-object',
  'SSH-SIGN-12',
  'an object gives an empty certificate',
  'ssh.signKey',
  insteadOfRefusal(hollow, ({ body }) => isNested(body.public_key)),
)
route('unknown-role-signs', 'SSH-SIGN-13', 'an unknown role is replaced by another', 'ssh.signKey', (original) => (call) => {
  if (call.state.roles.has(nameOf(call))) return original(call)
  return original({ ...call, params: { name: [...call.state.roles.keys()].at(-1) ?? '' } })
})
rule('any-role-signs', 'SSH-SIGN-41', 'roles of every kind sign', { signsFor: () => () => true })
rule('otp-role-signs', 'SSH-SIGN-14', 'roles for one-time passwords sign for anyone', {
  signsFor: () => () => true,
  typeAllowed: (original) => (role, type) => role.key_type === 'otp' || original(role, type),
  allowedUsers: (original) => (role, token) => (role.key_type === 'otp' ? ['*'] : original(role, token)),
})

/** What is signed as another type, whatever the role says. */
const typedAs = (change: (text: string) => string) => ({
  certificateType: (original: SshRules['certificateType']) => (text: string) => original(change(text)),
  typeAllowed: () => () => true,
  principalAllowed: () => () => true,
  hostAllowed: () => () => true,
})

rule(
  'type-default-host',
  'SSH-SIGN-22',
  'certificates are for hosts unless asked otherwise',
  typedAs((text) => text || 'host'),
)
rule(
  'type-host-ignored',
  'SSH-SIGN-23',
  'host certificates are user certificates',
  typedAs(() => 'user'),
)
rule('type-lenient', 'SSH-SIGN-24', 'unknown kinds of certificate are user certificates', {
  certificateType: (original) => (text) => original(text) ?? 'user',
})
rule('user-certificates-always', 'SSH-USERCERT-01', 'user certificates need no leave', {
  typeAllowed: (original) => (role, type) => type === 'user' || original(role, type),
})
rule('user-certificates-with-host', 'SSH-USERCERT-02', 'user certificates need both flags', {
  typeAllowed: (original) => (role, type) => original(role, type) && (type !== 'user' || role.allow_host_certificates),
})
rule('host-certificates-always', 'SSH-HOSTCERT-01', 'host certificates need no leave', {
  typeAllowed: (original) => (role, type) => type === 'host' || original(role, type),
})
rule('host-certificates-with-user', 'SSH-HOSTCERT-02', 'host certificates need both flags', {
  typeAllowed: (original) => (role, type) => original(role, type) && (type !== 'host' || role.allow_user_certificates),
})

const accepted: [clause: string, kind: string, bits: number][] = [
  ['SSH-SIGN-31', 'rsa', 2048],
  ['SSH-SIGN-32', 'ecdsa', 256],
  ['SSH-SIGN-33', 'ecdsa', 384],
  ['SSH-SIGN-34', 'ecdsa', 521],
  ['SSH-SIGN-35', 'ed25519', 256],
]

for (const [clause, kind, bits] of accepted)
  rule(`key-kind-${kind}-${bits}`, clause, `${kind} keys of ${bits} bits are refused`, {
    keyLengthAllowed: (original) => (lengths, key) => original(lengths, key) && !(key.kind === kind && key.bits === bits),
  })
rule('key-length-in-bytes', 'SSH-KEYLEN-01', 'key lengths are compared in bytes', {
  keyLengthAllowed: (original) => (lengths, key) => original(lengths, { ...key, bits: key.bits / 8 }),
})
rule('key-length-ignored', 'SSH-KEYLEN-02', 'the length of a listed kind does not matter', {
  keyLengthAllowed: (original) => (lengths, key) => original(Object.fromEntries(Object.keys(lengths).map((name) => [name, 0])), key),
})
rule('key-kind-unlisted', 'SSH-KEYLEN-03', 'kinds that are not listed are free', {
  keyLengthAllowed: (original) => (lengths, key) => original(lengths, key) || !Object.hasOwn(lengths, key.kind),
})
rule('key-length-default', 'SSH-KEYLEN-04', 'RSA keys need 3072 bits by default', {
  keyLengthAllowed: (original) => (lengths, key) =>
    original(lengths, key) && (Object.keys(lengths).length > 0 || key.kind !== 'rsa' || key.bits >= 3072),
})

for (const [clause, asked, given] of [
  ['SSH-ALGO-01', 'rsa-sha2-256', 'rsa-sha2-512'],
  ['SSH-ALGO-02', 'rsa-sha2-512', 'rsa-sha2-256'],
  ['SSH-ALGO-03', 'ssh-rsa', 'rsa-sha2-256'],
] as const)
  rule(`algorithm-${asked}`, clause, `${asked} is replaced by ${given}`, {
    signatureAlgorithm: (original) => (role) => (role.algorithm_signer === asked ? given : original(role)),
  })
rule('algorithm-any', 'SSH-ALGO-04', 'any name is an algorithm', { algorithmKnown: () => () => true })
route(
  'algorithm-misfit-500',
  'SSH-ALGO-08',
  'an algorithm that does not fit the CA is an internal error',
  'ssh.signKey',
  refusalStatus(500, ({ message }) => message.startsWith('algorithm_signer must be blank')),
)
rule('algorithm-ignored', 'SSH-ALGO-05', 'the algorithm is ignored where it does not fit', { algorithmFits: () => () => true })
