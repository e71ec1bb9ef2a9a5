/** The body of a request as it is sent: a large one in pieces, so that its bytes are not in memory all at once. */
import { Readable } from 'node:stream'

/** Characters above which a text is sent in pieces. */
const LARGE = 1024 * 1024
const PIECE = 64 * 1024

const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff

/** The bytes of a text, a piece at a time; a pair of surrogates stays whole. */
function* piecesOf(text: string): Generator<Uint8Array> {
  for (let at = 0; at < text.length; ) {
    const end = Math.min(at + PIECE, text.length)
    const whole = isHighSurrogate(text.charCodeAt(end - 1)) ? end + 1 : end
    yield Buffer.from(text.slice(at, whole))
    at = whole
  }
}

/** What a client sends of a body, and the header that its length needs: of a large text pieces, of anything else itself. */
export const sentBody = (body: string | Uint8Array | undefined) =>
  typeof body === 'string' && body.length > LARGE
    ? { body: Readable.from(piecesOf(body), { objectMode: false }), length: { 'content-length': String(Buffer.byteLength(body)) } }
    : { body: body ?? null, length: {} }
