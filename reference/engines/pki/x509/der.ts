/** The part of DER that certificates need: writing values, and reading them back strictly. */

const length = (size: number): Buffer => {
  if (size < 0x80) return Buffer.from([size])
  const bytes: number[] = []
  for (let rest = size; rest > 0; rest = Math.floor(rest / 256)) bytes.unshift(rest % 256)
  return Buffer.from([0x80 | bytes.length, ...bytes])
}

const tagged = (tag: number, content: Uint8Array): Buffer => Buffer.concat([Buffer.from([tag]), length(content.length), content])

export const sequence = (...items: Uint8Array[]): Buffer => tagged(0x30, Buffer.concat(items))
export const set = (...items: Uint8Array[]): Buffer => tagged(0x31, Buffer.concat([...items].sort(Buffer.compare)))
export const boolean = (value: boolean): Buffer => tagged(0x01, Buffer.from([value ? 0xff : 0]))
export const octets = (content: Uint8Array): Buffer => tagged(0x04, content)
export const utf8 = (text: string): Buffer => tagged(0x0c, Buffer.from(text, 'utf8'))
export const printable = (text: string): Buffer => tagged(0x13, Buffer.from(text, 'latin1'))
export const nothing = (): Buffer => tagged(0x05, Buffer.alloc(0))
/** Context tag `[number]`, primitive. */
export const context = (number: number, content: Uint8Array): Buffer => tagged(0x80 | number, content)
/** Context tag `[number]`, constructed. */
export const constructed = (number: number, ...items: Uint8Array[]): Buffer => tagged(0xa0 | number, Buffer.concat(items))

/** INTEGER from big-endian bytes without sign. */
export const integer = (value: number | Uint8Array): Buffer => {
  let bytes = typeof value === 'number' ? Buffer.from(value.toString(16).padStart(value > 0xff ? 8 : 2, '0'), 'hex') : Buffer.from(value)
  while (bytes.length > 1 && bytes[0] === 0 && bytes[1]! < 0x80) bytes = bytes.subarray(1)
  return tagged(0x02, bytes[0]! >= 0x80 ? Buffer.concat([Buffer.from([0]), bytes]) : bytes)
}

/** BIT STRING; `unused` trailing bits of the last byte do not count. */
export const bits = (content: Uint8Array, unused = 0): Buffer => tagged(0x03, Buffer.concat([Buffer.from([unused]), content]))

/** BIT STRING of named bits: trailing zeros are left out, as DER wants. */
export const namedBits = (positions: Iterable<number>): Buffer => {
  const chosen = [...positions]
  if (chosen.length === 0) return bits(Buffer.alloc(0))
  const highest = Math.max(...chosen)
  const bytes = Buffer.alloc(Math.floor(highest / 8) + 1)
  for (const position of chosen) bytes[position >> 3]! |= 0x80 >> (position & 7)
  return bits(bytes, 7 - (highest & 7))
}

const OID = /^[0-2](\.(0|[1-9]\d{0,9}))+$/

/** Whether the text is an object identifier that can be encoded. */
export const isOid = (text: string): boolean => {
  if (!OID.test(text)) return false
  const [first, second] = text.split('.').map(Number)
  return first === 2 || second! < 40
}

export const oid = (text: string): Buffer => {
  const [first, second, ...rest] = text.split('.').map(Number)
  const bytes: number[] = []
  for (const arc of [first! * 40 + second!, ...rest]) {
    const groups = [arc % 128]
    for (let left = Math.floor(arc / 128); left > 0; left = Math.floor(left / 128)) groups.unshift(0x80 | (left % 128))
    bytes.push(...groups)
  }
  return tagged(0x06, Buffer.from(bytes))
}

/** UTCTime up to 2049, GeneralizedTime from then on. */
export const time = (seconds: number): Buffer => {
  const digits = new Date(seconds * 1000).toISOString().replace(/\.\d+/, '').replace(/[-:T]/g, '')
  return digits < '2050' ? tagged(0x17, Buffer.from(digits.slice(2))) : tagged(0x18, Buffer.from(digits))
}

/** One value as read: its tag, its content, and both with the header. */
export interface Node {
  tag: number
  content: Buffer
  raw: Buffer
}

const take = (bytes: Buffer, at: number): Node => {
  const tag = bytes[at]
  const first = bytes[at + 1]
  if (tag === undefined || first === undefined) throw new Error('DER ends early')
  let header = 2
  let size = first
  if (first >= 0x80) {
    const count = first & 0x7f
    if (count === 0 || count > 4 || at + 2 + count > bytes.length) throw new Error('DER length is malformed')
    size = bytes.readUIntBE(at + 2, count)
    header += count
  }
  const end = at + header + size
  if (end > bytes.length) throw new Error('DER ends early')
  return { tag, content: bytes.subarray(at + header, end), raw: bytes.subarray(at, end) }
}

/** The single value that fills these bytes. */
export const parse = (bytes: Uint8Array): Node => {
  const node = take(Buffer.from(bytes), 0)
  if (node.raw.length !== bytes.length) throw new Error('DER is followed by other bytes')
  return node
}

/** The values inside a constructed one. */
export const children = (node: Node): Node[] => {
  const found: Node[] = []
  for (let at = 0; at < node.content.length; ) {
    const child = take(node.content, at)
    found.push(child)
    at += child.raw.length
  }
  return found
}

/** The child at a position, of a tag where one is given. */
export const child = (node: Node, position: number, tag?: number): Node => {
  const found = children(node)[position]
  if (found === undefined || (tag !== undefined && found.tag !== tag)) throw new Error('DER has another shape than expected')
  return found
}

export const readOid = (node: Node): string => {
  const arcs: number[] = []
  let value = 0
  for (const byte of node.content) {
    value = value * 128 + (byte & 0x7f)
    if (byte < 0x80) {
      arcs.push(value)
      value = 0
    }
  }
  const lead = Math.min(2, Math.floor(arcs[0]! / 40))
  return [lead, arcs[0]! - lead * 40, ...arcs.slice(1)].join('.')
}

/** Text of any of the string types that names use. */
export const readText = (node: Node): string => {
  if (node.tag !== 0x1e) return node.content.toString(node.tag === 0x0c ? 'utf8' : 'latin1')
  return Buffer.from(node.content).swap16().toString('utf16le')
}

/** Seconds since the epoch of a UTCTime or GeneralizedTime. */
export const readTime = (node: Node): number => {
  const text = node.content.toString('latin1')
  const full = node.tag === 0x17 ? (text < '50' ? '20' : '19') + text : text
  const match = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/.exec(full)
  if (match === null) throw new Error('DER time is malformed')
  return Date.parse(`${match[1]}-${match[2]}-${match[3]}T${match[4]}:${match[5]}:${match[6]}Z`) / 1000
}
