/** Faults of certificates: key, signature, serial number, kind, algorithm. */

import { generateKeyPairSync } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { secret } from '../../core/envelope.ts'
import { invalid } from '../../core/errors.ts'
import type { JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../faults/declare.ts'
import { insteadOfRefusal, isNested, refusalStatus, replyData, requestBody } from '../../faults/wrappers.ts'
import { sshEngine } from './engine.ts'
import { type PublicKey, publicKeyLine, publicKeyOf } from './key-formats.ts'
import type { SshRules } from './rules.ts'
import { nameOf } from './wrappers.ts'

const { rule, route, change, declared } = faultsOf(sshEngine)

rule('first-key-length', 'SSH-KEYLEN-01', 'only the first entry of allowed_user_key_lengths counts', {
  keyLengthAllowed: (original) => (lengths, key) => original(Object.fromEntries(Object.entries(lengths).slice(0, 1)), key),
})
rule('either-type', 'SSH-USERCERT-01', 'a role that signs for hosts signs for users too', {
  typeAllowed: (original) => (role, type) => original(role, type) || (type === 'user' && role.allow_host_certificates),
})
const otherKey = (): PublicKey => publicKeyOf(generateKeyPairSync('ed25519').privateKey)
rule('certificate-other-key', 'SSH-SIGN-05', 'another key is certified', { certificateKey: () => otherKey })
rule('certificate-other-signer', 'SSH-SIGN-06', 'another key signs', {
  signingPair: (original) => (state) => {
    const pair = original(state)
    const { privateKey } = generateKeyPairSync('ed25519')
    return pair && { ...pair, privateKey }
  },
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
change('public-key-optional', 'SSH-SIGN-10', 'without a key one is made', {
  routes: { 'ssh.signKey': requestBody((body) => ({ public_key: publicKeyLine(otherKey()), ...body })) },
})
const hollow = (): ReturnType<typeof secret> => secret({ serial_number: '1', signed_key: '' })
change('public-key-any-text', 'SSH-SIGN-11', 'a key that cannot be read gives an empty certificate', {
  routes: { 'ssh.signKey': insteadOfRefusal(hollow, ({ body }) => typeof body.public_key === 'string') },
})
change('public-key-object', 'SSH-SIGN-12', 'an object gives an empty certificate', {
  routes: { 'ssh.signKey': insteadOfRefusal(hollow, ({ body }) => isNested(body.public_key)) },
})
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
rule('user-certificates-with-host', 'SSH-USERCERT-02', 'user certificates need both flags', {
  typeAllowed: (original) => (role, type) => original(role, type) && (type !== 'user' || role.allow_host_certificates),
})
rule('host-certificates-always', 'SSH-HOSTCERT-01', 'host certificates need no leave', {
  typeAllowed: (original) => (role, type) => type === 'host' || original(role, type),
})
rule('hosts-where-nothing-is-said', 'SSH-HOSTCERT-01', 'a role that permits neither kind of certificates signs for hosts', {
  typeAllowed: (original) => (role, type) => original(role, type) || (type === 'host' && !role.allow_user_certificates),
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
change('algorithm-misfit-500', 'SSH-ALGO-08', 'an algorithm that does not fit the CA is an internal error', {
  routes: { 'ssh.signKey': refusalStatus(500, ({ message }) => message.startsWith('algorithm_signer must be blank')) },
})
rule('algorithm-ignored', 'SSH-ALGO-05', 'the algorithm is ignored where it does not fit', { algorithmFits: () => () => true })
rule('lengths-as-minimum', 'SSH-KEYLEN-02', 'the permitted length of a key is the least one', {
  keyLengthAllowed: (original) => (lengths, key) =>
    original(lengths, key) || (lengths[key.kind] !== undefined && key.bits >= (lengths[key.kind] ?? 0)),
})
rule('serial-by-second', 'SSH-SIGN-08', 'serial numbers are the second of the signature', {
  serial: () => () => BigInt(Math.floor(Date.now() / 1000)),
})
route('key-comment', 'SSH-SIGN-31', 'a public key with a comment is refused', 'ssh.signKey', (original) => (call) => {
  const line = call.body.public_key
  if (typeof line === 'string' && line.trim().split(/\s+/).length > 2) throw invalid('public_key is not an SSH public key')
  return original(call)
})
route('key-newline', 'SSH-SIGN-38', 'a public key that ends in a line end is refused', 'ssh.signKey', (original) => (call) => {
  if (typeof call.body.public_key === 'string' && call.body.public_key.endsWith('\n')) throw invalid('public_key is not an SSH public key')
  return original(call)
})
rule('serial-rounded', 'SSH-SIGN-07', 'serial_number is rounded to a double and is not that of the certificate', {
  serialShown: () => (serial) => BigInt(Number(serial)).toString(16),
})
rule('lengths-apart', 'SSH-KEYLEN-02', 'a key is signed whose kind stands in one entry of the lengths and whose size in another', {
  keyLengthAllowed: (original) => (lengths, key) => {
    const names = [key.kind, key.algorithm, ...(key.kind === 'ecdsa' ? ['ec'] : [])]
    const isListed = names.some((name) => Object.hasOwn(lengths, name)) && Object.values(lengths).includes(key.bits)
    return isListed || original(lengths, key)
  },
})
change('sign-without-lease-duration', 'SSH-SIGN-04', 'the answer to sign lacks lease_duration', {
  routes: {
    'ssh.signKey': (original) => async (call) => {
      const given = await original(call)
      const { lease_duration: _, ...body } = given.body as JsonObject
      return { ...given, body }
    },
  },
})
change('serial-as-number', 'SSH-SIGN-01', 'serial_number is a number', {
  routes: { 'ssh.signKey': replyData((data) => ({ ...data, serial_number: Number.parseInt(String(data.serial_number), 16) })) },
})

export const faults = declared
