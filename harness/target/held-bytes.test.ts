import { expect, test } from 'vitest'
import { holding, holdingRead } from './held-bytes.ts'

test('small bytes are held as they are, large ones come back equal, each time', () => {
  const small = Buffer.from('{"a":1}')
  expect(holding(small)()).toBe(small)
  const large = Buffer.from(JSON.stringify({ filler: 'täglich '.repeat(300_000) }))
  const held = holding(large)
  for (let again = 0; again < 2; again += 1) expect(Buffer.from(held()).equals(large)).toBe(true)
})

test('what was read from large bytes is read again when it is asked for', () => {
  let reads = 0
  const read = (): string => {
    reads += 1
    return 'read'
  }
  expect(holdingRead(10, 'value', read)()).toBe('value')
  expect(reads).toBe(0)
  expect(holdingRead(2_000_000, 'value', read)()).toBe('read')
})
