import { expect, test } from 'vitest'
import { GatheredBytes } from './gathered-bytes.ts'

test('pieces come out in one, however many and whatever was gathered before', () => {
  const gathered = new GatheredBytes(4)
  for (const pieces of [['a longer text ', 'than there is room for, ', 'in pieces'], ['short'], ['', 'again ', 'longer']]) {
    for (const piece of pieces) gathered.add(Buffer.from(piece))
    expect(Buffer.from(gathered.bytes).toString()).toBe(pieces.join(''))
    gathered.clear()
    expect(gathered.bytes.length).toBe(0)
  }
})

test('the next body is gathered in the memory of the one before, unless that was beyond measure', () => {
  const gathered = new GatheredBytes(1024)
  gathered.add(Buffer.alloc(5_000_000))
  const { buffer } = gathered.bytes
  gathered.clear()
  gathered.add(Buffer.alloc(5_000_000))
  expect(gathered.bytes.buffer).toBe(buffer)
  gathered.add(Buffer.alloc(20_000_000))
  gathered.clear()
  expect(gathered.bytes.buffer.byteLength).toBe(0)
})
