/** Looks for secrets in artefacts, independently of what hides them. */
import { createPrivateKey } from 'node:crypto'

const unpadded = (text: string): string => text.replaceAll('=', '')

/** What is searched for: base64 at all three places of a larger one without the characters at its rims, hexadecimal, and escapes. */
const spellings = (value: string): string[] => {
  const bytes = Buffer.from(value)
  const shifted = [1, 2].map((before) =>
    Buffer.concat([Buffer.alloc(before), bytes])
      .toString('base64')
      .slice(4, -4),
  )
  const json = JSON.stringify(value).slice(1, -1)
  return [
    value,
    json,
    JSON.stringify(json).slice(1, -1),
    encodeURIComponent(value),
    bytes.toString('hex'),
    unpadded(bytes.toString('base64')).slice(0, -1),
    ...shifted,
  ].filter((text) => text.length >= 8)
}

/** Two stretches of an exponent: at most one of them is broken by the end of a line. */
const STRETCHES = [0, 15]
const LENGTH = 15

/** Of a private key what is private of it: its exponent, as base64 at any place holds it. */
const privatePieces = (pem: string): string[] => {
  try {
    const key = createPrivateKey(pem.includes('-----') ? pem : { key: Buffer.from(pem, 'base64'), format: 'der', type: 'pkcs8' })
    const { d } = key.export({ format: 'jwk' })
    const bytes = Buffer.from(d!, 'base64url')
    return STRETCHES.flatMap((start) =>
      [0, 1, 2].map((skipped) => bytes.subarray(start + skipped, start + skipped + LENGTH).toString('base64')),
    )
  } catch {
    return []
  }
}

/**
 * Where values show up.
 *
 * @returns for each hit the beginning of the value and what stands around it.
 */
export const traces = (artefacts: Readonly<Record<string, string>>, values: readonly string[]): string[] => {
  const looked = values.flatMap((value) => {
    const pieces = value.length > 150 ? privatePieces(value) : []
    return pieces.length > 0 ? pieces : spellings(value)
  })
  const hits: string[] = []
  for (const [name, artefact] of Object.entries(artefacts)) {
    for (const text of new Set(looked)) {
      const at = artefact.indexOf(text)
      if (at !== -1) hits.push(`${name}, ${text.slice(0, 12)}: ${artefact.slice(Math.max(0, at - 300), at + text.length + 60)}`)
      if (hits.length === 20) return hits
    }
  }
  return hits
}
