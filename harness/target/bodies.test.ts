/** Large bodies are read a few at a time. */
import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { BodyReader, LARGE_BODY } from './bodies.ts'
import { Deadline } from './deadline.ts'

type Body = Parameters<BodyReader['read']>[0]

const PIECE = Buffer.alloc(64 * 1024, 'a')
const PIECES = (2 * LARGE_BODY) / PIECE.length

test('of many large bodies two are read to their end at once, and all of them in the end', async () => {
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
  expect(read.map(({ length }) => length)).toEqual(read.map(() => 2 * LARGE_BODY))
  expect(most).toBeLessThanOrEqual(2)
})

test('large bodies are the rule after some of them, small ones never', async () => {
  const reader = new BodyReader()
  const deadline = new Deadline(60_000)
  const read = (bytes: number): Promise<Uint8Array> =>
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
  expect(bytes.length).toBe(LARGE_BODY + 1 + PIECE.length)
})
