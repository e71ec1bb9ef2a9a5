import { describe, expect, test } from 'vitest'
import { exactJson } from './exact.ts'

describe('JSON with every digit', () => {
  test.each([
    ['0', 0],
    ['-0', 0],
    ['1.0', 1],
    ['1e2', 100],
    ['0.1', 0.1],
    ['9007199254740991', 9007199254740991],
    ['9007199254740993', 'exactly 9007199254740993'],
    ['1e999', 'exactly 1e999'],
    ['"number 1"', 'number 1'],
  ])('%s', (text, value) => expect(exactJson(text)).toBe(value))

  test('numbers that doubles hold for one are two', () => {
    expect(exactJson('{"n":9007199254740993}')).not.toEqual(exactJson('{"n":9007199254740992}'))
    expect(exactJson('[1.0]')).toEqual(exactJson('[1e0]'))
  })
})
