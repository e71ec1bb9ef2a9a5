/** Holds what a target sent for as long as a check may look at it: large bodies compressed, since many checks hold answers at once. */
import { deflateRawSync, inflateRawSync } from 'node:zlib'

/** Bytes above which a body is large. */
export const LARGE_BODY = 256 * 1024

/** A value that is made again when it is asked for after memory was needed. */
const remade = <T extends object>(make: () => T): (() => T) => {
  let known: WeakRef<T> | undefined
  return () => {
    const value = known?.deref() ?? make()
    known = new WeakRef(value)
    return value
  }
}

// Functions of their own, since what one closure of a function holds on to, all of them do.
const same =
  <T>(value: T): (() => T) =>
  () =>
    value
// In one piece: many small ones would be joined to a copy, and for a piece that is full another is made.
const unpacking = (packed: Uint8Array, length: number): (() => Uint8Array) =>
  remade(() => inflateRawSync(packed, { chunkSize: length + 1 }))
const reading = <T>(read: () => T): (() => T) => {
  const whole = remade(() => ({ value: read() }))
  return () => whole().value
}

/** Bytes, to be had at any time; large ones are not held on to, so that their memory can be used again. */
export const holding = (bytes: Uint8Array): (() => Uint8Array) =>
  bytes.length > LARGE_BODY ? unpacking(deflateRawSync(bytes, { level: 1 }), bytes.length) : same(bytes)

/**
 * What was read from bytes, to be had at any time.
 *
 * @param length of the bytes.
 * @param read reads it again.
 */
export const holdingRead = <T>(length: number, value: T, read: () => T): (() => T) => (length > LARGE_BODY ? reading(read) : same(value))
