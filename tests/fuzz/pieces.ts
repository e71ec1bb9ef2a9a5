/** The pieces of a secret that are searched for: all of a short one, stretches of a long one, and of a private key only its private numbers. */
import { createPrivateKey, type JsonWebKey } from 'node:crypto'

/** Characters of a piece. Those of twelve and more are hidden; a few more leave room for what is cut at the rims of an encoding. */
const PIECE = 16
const MOST = 8

/** Certificates and requests for them are public, wherever a bundle has them, and so is what every block begins with. */
const PUBLIC = /-----BEGIN (?![A-Z0-9 ]*PRIVATE KEY)[A-Z0-9 ]+-----[^-]*(?:-----END [A-Z0-9 ]+-----)?|-----(?:BEGIN|END) [A-Z0-9 ]+-----/g

const KEY = /-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----([A-Za-z0-9+/=\s]+)-----END/

const numbersOf = ({ d, p, q, dp, dq, qi, k }: JsonWebKey): Buffer[] =>
  [d, p, q, dp, dq, qi, k].flatMap((number) => (typeof number === 'string' ? [Buffer.from(number, 'base64url')] : []))

const keyIn = (text: string): JsonWebKey | undefined => {
  try {
    return createPrivateKey(text.includes('-----') ? text : { key: Buffer.from(text, 'base64'), format: 'der', type: 'pkcs8' }).export({
      format: 'jwk',
    })
  } catch {
    return undefined
  }
}

/** Stretches of a text of base64 that hold nothing but a private number. */
const privateStretches = (base64: string, numbers: readonly Buffer[]): string[] => {
  const bytes = Buffer.from(base64, 'base64')
  return numbers.flatMap((number) => {
    const at = bytes.indexOf(number)
    return at === -1 ? [] : [base64.slice(Math.ceil((at * 4) / 3) + 1, Math.floor(((at + number.length) * 4) / 3) - 1)]
  })
}

/** Of a file of credentials the private key: what else is in it is public. */
const privateMember = (text: string): string | undefined => {
  if (!text.startsWith('{')) return undefined
  try {
    const { private_key: key } = JSON.parse(text) as { private_key?: unknown }
    return typeof key === 'string' ? key : undefined
  } catch {
    return undefined
  }
}

const stretchesOf = (given: string): string[] => {
  const secret = privateMember(given) ?? given
  const block = KEY.exec(secret)?.[1]
  const key = block === undefined && secret.length < 100 ? undefined : keyIn(secret)
  if (key !== undefined) {
    const base64 = (block ?? secret).replaceAll(/\s/g, '')
    // In a block each line is a stretch, since a form may write its end in any way.
    const lines = block?.split(/\s+/) ?? [base64]
    const hidden = privateStretches(base64, numbersOf(key))
    return hidden.flatMap((stretch) => lines.flatMap((line) => commonStretch(line, stretch, base64)))
  }
  // Of a key that Node cannot read the end is private.
  if (block !== undefined) return block.trim().split(/\s+/).slice(-4, -1)
  return secret.replaceAll(PUBLIC, '\n').split(/[\r\n]+/)
}

/** What a line and a stretch of the same text have in common. */
const commonStretch = (line: string, stretch: string, whole: string): string[] => {
  const [from, begin] = [whole.indexOf(stretch), whole.indexOf(line)]
  const common = whole.slice(Math.max(from, begin), Math.min(from + stretch.length, begin + line.length))
  return common.length >= PIECE ? [common] : []
}

const cutUp = (stretch: string): string[] => {
  if (stretch.length <= PIECE) return [stretch]
  const count = Math.ceil(stretch.length / PIECE)
  return Array.from({ length: count }, (_, index) => {
    const start = Math.min(index * PIECE, stretch.length - PIECE)
    return stretch.slice(start, start + PIECE)
  })
}

/** Pieces that any part of the secret in an artefact would have. @returns at most eight, spread over it. */
export const piecesOf = (secret: string): string[] => {
  const pieces = stretchesOf(secret)
    .flatMap(cutUp)
    .filter((piece) => piece.length >= 8 && new Set(piece).size >= 6)
  return pieces.length <= MOST ? pieces : Array.from({ length: MOST }, (_, index) => pieces[Math.floor((index * pieces.length) / MOST)]!)
}
