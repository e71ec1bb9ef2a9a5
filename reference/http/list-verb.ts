/**
 * Makes Node's HTTP/1 server accept the verb LIST, which its parser refuses. The bytes `LIST` at the start of a message become
 * the equally long verb `LINK`, which the parser knows, before the parser sees them; `takeVerb` says afterwards which it was.
 * Messages are framed here as well, so that bodies which begin with `LIST /x` stay as they are.
 */
import type { Socket } from 'node:net'

const CR_LF_CR_LF = '\r\n\r\n'
const verbs = new WeakMap<Socket, boolean[]>()

/** Rewrites what arrives on `socket` from now on. Call it after the HTTP server has attached its own listeners. */
export const acceptList = (socket: Socket): void => {
  const queue: boolean[] = []
  verbs.set(socket, queue)
  const frame = framer((isList) => queue.push(isList))
  socket.prependListener('data', (chunk: Buffer) => frame(chunk))
}

/** The verb that the client sent, for a request in the order of arrival. */
export const takeVerb = (socket: Socket, parsed: string): string => {
  const isList = verbs.get(socket)?.shift() ?? false
  return isList ? 'LIST' : parsed
}

/** Follows message boundaries over chunks and rewrites verbs in place; tells for each message whether it was a LIST. */
const framer = (onMessage: (isList: boolean) => void): ((chunk: Buffer) => void) => {
  let state: 'verb' | 'head' | 'body' | 'size' | 'chunk' | 'trailer' = 'verb'
  let seen = ''
  let left = 0

  const begin = (): void => {
    state = 'verb'
    seen = ''
    left = 0
  }
  const afterHead = (): void => {
    const head = seen.toLowerCase()
    seen = ''
    if (/\r\ntransfer-encoding:[^\r]*chunked/.test(head)) {
      state = 'size'
      return
    }
    left = Number(/\r\ncontent-length:[ \t]*(\d+)/.exec(head)?.[1] ?? 0)
    if (left > 0) state = 'body'
    else begin()
  }
  const rewriteVerb = (chunk: Buffer, at: number): void => {
    const character = String.fromCharCode(chunk[at] ?? 0)
    if (seen === '' && (character === '\r' || character === '\n')) return
    if (seen === 'LI' && character === 'S') chunk[at] = 'N'.charCodeAt(0)
    if (seen === 'LIS' && character === 'T') chunk[at] = 'K'.charCodeAt(0)
    seen += character
    if (seen.length === 4) {
      onMessage(seen === 'LIST')
      state = 'head'
    }
  }
  /** Takes a head as far as it goes; gives where what follows begins. */
  const takeHead = (chunk: Buffer, at: number): number => {
    const before = seen.length
    seen += chunk.toString('latin1', at)
    const end = seen.indexOf(CR_LF_CR_LF)
    if (end < 0) return chunk.length
    seen = seen.slice(0, end + CR_LF_CR_LF.length)
    const taken = seen.length - before
    afterHead()
    return at + taken
  }
  /** Takes one byte of a part that ends with a known text. */
  const line = (chunk: Buffer, at: number): void => {
    seen += String.fromCharCode(chunk[at] ?? 0)
    if (state === 'size' && seen.endsWith('\r\n')) {
      left = Number.parseInt(seen, 16) + 2
      state = left === 2 ? 'trailer' : 'chunk'
      seen = left === 2 ? '\r\n' : ''
    } else if (state === 'trailer' && seen.endsWith(CR_LF_CR_LF)) begin()
  }

  return (chunk) => {
    for (let at = 0; at < chunk.length; ) {
      if (state === 'body' || state === 'chunk') {
        const step = Math.min(left, chunk.length - at)
        left -= step
        at += step
        if (left > 0) continue
        if (state === 'body') begin()
        else state = 'size'
        continue
      }
      if (state === 'head') {
        at = takeHead(chunk, at)
        continue
      }
      if (state === 'verb') rewriteVerb(chunk, at)
      else line(chunk, at)
      at += 1
    }
  }
}
