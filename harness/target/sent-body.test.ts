import { expect, test } from 'vitest'
import { sentBody } from './sent-body.ts'

test('a large text is sent in pieces, with its length in bytes, and no character is cut in two', async () => {
  const text = `a${'😀'.repeat(600_000)}`
  const { body, length } = sentBody(text)
  const pieces: Uint8Array[] = []
  for await (const piece of body as AsyncIterable<Uint8Array>) pieces.push(piece)
  expect(pieces.length).toBeGreaterThan(10)
  expect(Buffer.concat(pieces).toString()).toBe(text)
  expect(length).toEqual({ 'content-length': '2400001' })
})

test('a short text, bytes and nothing are sent as they are', () => {
  const bytes = new Uint8Array(3)
  expect([sentBody('{}'), sentBody(bytes), sentBody(undefined)]).toEqual([
    { body: '{}', length: {} },
    { body: bytes, length: {} },
    { body: null, length: {} },
  ])
})
