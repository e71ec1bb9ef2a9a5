/** Text of bytes, and texts shortened for people to read. */

/** What stands where text was left out; a piece of a secret right before it is still known for one. */
const CUT_MARK = '…'

/** Beyond this a text is worth a copy of the piece that is kept: a piece holds on to the whole of what it was cut from. */
const WORTH_A_COPY = 64 * 1024

/** The first `length` characters of a text, without holding on to the rest. */
export const beginningOf = (text: string, length: number): string =>
  text.length > Math.max(length, WORTH_A_COPY) ? Buffer.from(text.slice(0, length), 'utf16le').toString('utf16le') : text.slice(0, length)

/** The beginning of a text with its length; the text itself where it is no longer than `length` characters. */
export const cut = (text: string, length = 200): string =>
  text.length > length ? `${beginningOf(text, length)}${CUT_MARK} (${text.length} characters)` : text

/** The same bytes with the means of a Buffer. */
const bufferOf = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer => Buffer.from(buffer, byteOffset, byteLength)

/** Bytes read as UTF-8. */
export const textOf = (bytes: Uint8Array): string => bufferOf(bytes).toString('utf8')

/** A text as one component of a URL. Half a character, for which URLs have no spelling, becomes U+FFFD. */
export const uriComponent = (text: string): string => encodeURIComponent(text.replace(/\p{Cs}/gu, '\ufffd'))

/** Whether a text is the beginning of a longer one, as {@link cut} leaves it. */
export const isCut = (text: string): boolean => /… ?\(\d+ characters\)$/.test(text)

/** The first of some items, and how many there are beyond them: `a; b and 99,998 more`. */
export const someOf = (items: readonly unknown[], most = 10, between = '; '): string => {
  const shown = items
    .slice(0, most)
    .map((item) => cut(String(item)))
    .join(between)
  return items.length > most ? `${shown} and ${(items.length - most).toLocaleString('en-US')} more` : shown
}
