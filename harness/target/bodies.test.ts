/** Large bodies are read one after the other. */
import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { collectGarbage } from '../base/collect-garbage.ts'
import { BodyReader } from './bodies.ts'
import { Deadline } from './deadline.ts'
import { LARGE_BODY } from './held-bytes.ts'

type Body = Parameters<BodyReader['read']>[0]

const PIECE = Buffer.alloc(16 * 1024, 'a')
const PIECES = (2 * LARGE_BODY) / PIECE.length

const nextTurn = (): Promise<void> => new Promise((done) => setImmediate(done))

test('of many large bodies one is read to its end at a time, and all of them in the end', async () => {
  const reader = new BodyReader()
  const deadline = new Deadline(60_000)
  let underWay = 0
  let most = 0
  async function* body(): AsyncGenerator<Buffer> {
    for (let piece = 0; piece < PIECES; piece += 1) {
      // A stream is a few pieces ahead of its reader.
      if (piece === PIECES / 2 + 4) {
        underWay += 1
        most = Math.max(most, underWay)
      }
      await new Promise((done) => setImmediate(done))
      yield PIECE
    }
    underWay -= 1
  }
  const bodies = Array.from({ length: 6 }, () => Readable.from(body(), { highWaterMark: 1 }) as unknown as Body)
  const read = await Promise.all(bodies.map((one) => reader.read(one, undefined, deadline)))
  deadline.stop()
  expect(read.map((bytes) => bytes().length)).toEqual(read.map(() => 2 * LARGE_BODY))
  expect(most).toBe(1)
})

test('large bodies are the rule after some of them, small ones never', async () => {
  const reader = new BodyReader()
  const deadline = new Deadline(60_000)
  const read = (bytes: number): Promise<() => Uint8Array> =>
    reader.read(Readable.from([Buffer.alloc(bytes)]) as unknown as Body, undefined, deadline)
  for (let count = 0; count < 20; count += 1) await read(1000)
  await read(LARGE_BODY + 1)
  expect(reader.areLarge).toBe(false)
  for (let count = 0; count < 20; count += 1) await read(LARGE_BODY + 1)
  deadline.stop()
  expect(reader.areLarge).toBe(true)
})

test('a body that breaks off gives its turn to the next', async () => {
  const reader = new BodyReader()
  const deadline = new Deadline(60_000)
  async function* broken(): AsyncGenerator<Buffer> {
    yield Buffer.alloc(LARGE_BODY + 1)
    throw new Error('reset')
  }
  async function* whole(): AsyncGenerator<Buffer> {
    yield Buffer.alloc(LARGE_BODY + 1)
    yield PIECE
  }
  for (let again = 0; again < 3; again += 1)
    await expect(reader.read(Readable.from(broken()) as unknown as Body, undefined, deadline)).rejects.toThrow('reset')
  const bytes = await reader.read(Readable.from(whole()) as unknown as Body, undefined, deadline)
  deadline.stop()
  expect(bytes().length).toBe(LARGE_BODY + 1 + PIECE.length)
})

test('the pieces of a large body are let go of while the rest of it comes', async () => {
  const pieces: WeakRef<Uint8Array>[] = []
  let held = 0
  async function* body(): AsyncGenerator<Uint8Array> {
    for (let count = 0; count < PIECES; count += 1) {
      const piece = new Uint8Array(PIECE)
      pieces.push(new WeakRef(piece))
      yield piece
    }
    await nextTurn()
    collectGarbage()
    held = pieces.filter((piece) => piece.deref() !== undefined).length
    yield PIECE
  }
  const deadline = new Deadline(60_000)
  const bytes = await new BodyReader().read(Readable.from(body(), { highWaterMark: 1 }) as unknown as Body, 3 * LARGE_BODY, deadline)
  deadline.stop()
  expect(bytes().length).toBe(2 * LARGE_BODY + PIECE.length)
  // A stream is a few pieces ahead of its reader.
  expect(held).toBeLessThanOrEqual(4)
})

test('large bodies that were read and wait to be looked at take no more memory than they are packed to', async () => {
  const reader = new BodyReader()
  const deadline = new Deadline(60_000)
  const read = (): Promise<() => Uint8Array> =>
    reader.read(Readable.from(Array.from({ length: PIECES }, () => PIECE)) as unknown as Body, 2 * LARGE_BODY, deadline)
  const waiting = await Promise.all([read(), read()])
  const inUse = async (): Promise<number> => {
    await nextTurn()
    collectGarbage()
    return process.memoryUsage().arrayBuffers
  }
  const before = await inUse()
  for (let count = 0; count < 16; count += 1) waiting.push(await read())
  expect((await inUse()) - before).toBeLessThan(2 * LARGE_BODY)
  deadline.stop()
  expect(waiting.map((bytes) => bytes().length)).toEqual(waiting.map(() => 2 * LARGE_BODY))
})

test('garbage is collected after every 8 MB of large bodies, however small the rest', async () => {
  let collected = 0
  const reader = new BodyReader(
    () => {
      collected += 1
    },
    () => 0,
  )
  const deadline = new Deadline(60_000)
  const read = (pieces: number): Promise<() => Uint8Array> =>
    reader.read(Readable.from(Array.from({ length: pieces }, () => PIECE)) as unknown as Body, undefined, deadline)
  for (let count = 0; count < 40; count += 1) await read(PIECES / 2)
  expect(collected).toBe(0)
  for (let count = 0; count < 32; count += 1) await read(PIECES)
  deadline.stop()
  expect(collected).toBe(2)
})

test('garbage is collected as soon as large bodies have left much of it behind', async () => {
  const MB = 1024 * 1024
  let inUse = 100 * MB
  let collected = 0
  const reader = new BodyReader(
    () => {
      collected += 1
      inUse = 100 * MB
    },
    () => inUse,
  )
  const deadline = new Deadline(60_000)
  const pieces = Array.from({ length: PIECES }, () => PIECE)
  for (let count = 0; count < 8; count += 1) {
    await reader.read(Readable.from(pieces) as unknown as Body, undefined, deadline)
    inUse += 20 * MB
  }
  deadline.stop()
  expect(collected).toBe(2)
})
