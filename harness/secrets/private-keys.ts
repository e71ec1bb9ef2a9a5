/** The private parts of a private key. Its public half stands in certificates and answers as well, and is not a secret. */
import { createPrivateKey, type JsonWebKey, type KeyObject } from 'node:crypto'
import { sshpk } from '../oracles/sshpk.ts'

const BLOCK = /-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----[^-]*-----END [A-Z0-9 ]*PRIVATE KEY-----/g
const BASE64_DER = /^[A-Za-z0-9+/\s]{60,}(?:={1,2}\s*)?$/

/** Members of a JSON Web Key that only its owner has. */
const PRIVATE_MEMBERS = ['d', 'p', 'q', 'dp', 'dq', 'qi'] as const

const bytesOf = (text: string | undefined): string[] => (text === undefined ? [] : [Buffer.from(text, 'base64url').toString('latin1')])

const partsOfJwk = (jwk: JsonWebKey): string[] => PRIVATE_MEMBERS.flatMap((name) => bytesOf(jwk[name]))

const attempt = <T>(work: () => T): T | undefined => {
  try {
    return work()
  } catch {
    return undefined
  }
}

const partsOfKey = (key: KeyObject | undefined): string[] => (key === undefined ? [] : partsOfJwk(key.export({ format: 'jwk' })))

// node:crypto reads no OpenSSH files.
const OPENSSH_PARTS = new Set(['d', 'p', 'q', 'dmodp', 'dmodq', 'iqmp', 'k'])

const partsOfOpenSsh = (pem: string): string[] =>
  attempt(() => sshpk.parsePrivateKey(pem, 'auto') as unknown as { parts: { name: string; data: Buffer }[] })
    ?.parts.filter(({ name }) => OPENSSH_PARTS.has(name))
    // Numbers carry a leading zero where their first bit is set; a seed of Ed25519 is followed by the public half.
    .map(({ data }) => data.subarray(0, 32 * Math.ceil(data.length / 32)).toString('latin1')) ?? []

// Of a key that nobody here can read, all that follows what every such key begins with.
const FIXED_BEGINNING = 64
const restOf = (pem: string): string[] => [
  pem
    .split('-----')[2]!
    .replace(/^[A-Za-z-]+:.*$/gm, '')
    .replace(/\s+/g, '')
    .slice(FIXED_BEGINNING),
]

/** The characters of base64 that spell nothing but private numbers: in letters of the other case nobody can read the bytes. */
const spelledIn = (base64: string, parts: readonly string[]): string[] => {
  const bytes = Buffer.from(base64, 'base64')
  return parts.flatMap((part) => {
    const at = bytes.indexOf(part, 0, 'latin1')
    return at === -1 ? [] : [base64.slice(Math.ceil((at * 4) / 3), Math.floor(((at + part.length) * 4) / 3))]
  })
}

const withSpelling = (base64: string, parts: readonly string[]): string[] => [...parts, ...spelledIn(base64.replace(/\s+/g, ''), parts)]

const partsOfPem = (block: string): string[] => {
  // Within a text of JSON its lines end in escapes.
  const pem = block.replaceAll(/(?:\\r)?\\n/g, '\n')
  const parts = partsOfKey(attempt(() => createPrivateKey(pem)))
  const known = parts.length > 0 ? parts : partsOfOpenSsh(pem)
  return known.length > 0 ? withSpelling(pem.split('-----')[2]!, known) : restOf(pem)
}

const DER_TYPES = ['pkcs8', 'pkcs1', 'sec1'] as const

// A sequence whose length has up to four bytes, then a version of 0 or 1: what every private key begins with, and hardly anything else.
// Asking OpenSSL takes a millisecond for each form, and a run carries thousands of certificates and ciphertexts.
const PRIVATE_KEY_BEGINS = /^30(?:[0-7].|80|81..|82.{4}|83.{6})02010[01]/
const BEGINNING_BYTES = 8

const partsOfDer = (text: string): string[] => {
  if (!BASE64_DER.test(text)) return []
  const key = Buffer.from(text, 'base64')
  if (!PRIVATE_KEY_BEGINS.test(key.toString('hex', 0, BEGINNING_BYTES))) return []
  for (const type of DER_TYPES) {
    const parts = partsOfKey(attempt(() => createPrivateKey({ key, format: 'der', type })))
    if (parts.length > 0) return withSpelling(text, parts)
  }
  return []
}

/**
 * The private numbers of every private key in a text, as one character per byte and as its base64 spells them.
 *
 * @param text PEM blocks, among other text where need be, or the base64 of a key in DER.
 * @returns none where the text holds no private key, or none that can be read.
 */
export const privateParts = (text: string): string[] => {
  if (!text.includes('PRIVATE KEY')) return partsOfDer(text)
  return [...text.matchAll(BLOCK)].flatMap(([pem]) => partsOfPem(pem))
}
