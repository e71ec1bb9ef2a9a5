/** The forms in which a server may write a secret, each with what a search for pieces of it looks for. */

/** A way to write a text. */
export interface Form {
  write(text: string): string
  /** What a piece of the text looks like within a longer one that is written so; by default what `write` makes of it. */
  pieces?(piece: string): string[]
  /** Why the form is not hidden; docs/secrets.md names it under "What is not hidden". */
  limit?: string
}

const bytesOf = (text: string): number[] => [...Buffer.from(text, 'utf8')]
const hexOf = (byte: number): string => byte.toString(16).padStart(2, '0')
const mapped = (text: string, write: (code: number, character: string) => string): string =>
  [...text].map((character) => write(character.codePointAt(0)!, character)).join('')

/** Base64 of bytes that stand at each of the three places, without the characters that depend on their neighbours. */
const base64Pieces = (bytes: Buffer, encoding: 'base64' | 'base64url' = 'base64'): string[] =>
  [0, 1, 2].map((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes])
      .toString(encoding)
      .replaceAll('=', '')
    return text.slice(before === 0 ? 0 : before + 1, (before + bytes.length) % 3 === 0 ? undefined : -1)
  })

const utf16 = (text: string): Buffer => Buffer.from(text, 'utf16le')
const SPACE = '\u200b'

/** By name, as a table shows them. */
export const FORMS: Readonly<Record<string, Form>> = {
  raw: { write: (text) => text },
  'JSON escapes': { write: (text) => mapped(text, (code) => `\\u${code.toString(16).padStart(4, '0')}`) },
  'braced escapes': { write: (text) => mapped(text, (code) => `\\u{${code.toString(16)}}`) },
  'octal escapes': {
    write: (text) =>
      bytesOf(text)
        .map((byte) => `\\${byte.toString(8).padStart(3, '0')}`)
        .join(''),
  },
  'URL escapes': {
    write: (text) =>
      bytesOf(text)
        .map((byte) => `%${hexOf(byte).toUpperCase()}`)
        .join(''),
  },
  'quoted-printable': {
    write: (text) =>
      bytesOf(text)
        .map((byte) => `=${hexOf(byte).toUpperCase()}`)
        .join(''),
  },
  'decimal entities': { write: (text) => mapped(text, (code) => `&#${code};`) },
  'hexadecimal entities': { write: (text) => mapped(text, (code) => `&#x${code.toString(16)};`) },
  'zero-padded entities': { write: (text) => mapped(text, (code) => `&#${String(code).padStart(8, '0')};`) },
  base64: { write: (text) => Buffer.from(text).toString('base64'), pieces: (piece) => base64Pieces(Buffer.from(piece)) },
  'base64 for URLs': {
    write: (text) => Buffer.from(text).toString('base64url'),
    pieces: (piece) => base64Pieces(Buffer.from(piece), 'base64url'),
  },
  'base64 of UTF-16': { write: (text) => utf16(text).toString('base64'), pieces: (piece) => base64Pieces(utf16(piece)) },
  hexadecimal: { write: (text) => Buffer.from(text).toString('hex') },
  'hexadecimal in capitals': { write: (text) => Buffer.from(text).toString('hex').toUpperCase() },
  'hexadecimal with colons': { write: (text) => bytesOf(text).map(hexOf).join(':') },
  'hexadecimal with blanks': { write: (text) => bytesOf(text).map(hexOf).join(' ') },
  'list of decimal bytes': { write: (text) => bytesOf(text).join(' ') },
  'list of decimal bytes with commas': { write: (text) => bytesOf(text).join(', ') },
  'list of 0x bytes': {
    write: (text) =>
      bytesOf(text)
        .map((byte) => `0x${hexOf(byte)}`)
        .join(', '),
  },
  'upper case': { write: (text) => text.toUpperCase() },
  'lower case': { write: (text) => text.toLowerCase() },
  'list of decimal bytes with bars': { write: (text) => bytesOf(text).join('|') },
  'list of quoted bytes': {
    write: (text) =>
      bytesOf(text)
        .map((byte) => `"${byte}"`)
        .join(','),
  },
  'percent escapes of code points': { write: (text) => mapped(text, (code) => `%u${code.toString(16).padStart(4, '0')}`) },
  'named code points': { write: (text) => mapped(text, (code) => `U+${code.toString(16).padStart(4, '0')} `).trim() },
  'octal list': {
    write: (text) =>
      bytesOf(text)
        .map((byte) => byte.toString(8).padStart(3, '0'))
        .join(' '),
  },
  'control characters between': { write: (text) => mapped(text, (_, character) => `${character}\u0001`) },
  'combining marks between': { write: (text) => mapped(text, (_, character) => `${character}\u0301`) },
  'zero-width characters between': { write: (text) => mapped(text, (_, character) => `${character}${SPACE}`) },
}
