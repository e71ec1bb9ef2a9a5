import { describe, expect, it } from 'vitest'
import { parseExact, plain, stringify } from './json.ts'

const texts = [
  '{"big":9007199254740993,"negative":-18446744073709551616,"fraction":1.0,"exponent":1E+400,"zero":-0}',
  '{"nested":[1,[2,{"a":[]}],{}],"text":"1.0 \\"quoted\\" {[","empty":""}',
  '{"__proto__":{"x":1},"constructor":null,"true":true,"false":false}',
  '[]',
  '"text"',
  '17',
]

describe('exact JSON', () => {
  it.each(texts)('comes back as it was: %s', (text) => {
    expect(stringify(parseExact(text))).toBe(text)
  })

  it('drops white space and keeps the last of repeated members', () => {
    expect(stringify(parseExact(' { "a" : [ 1.50 , 2 ] , "a" : 3.0 } '))).toBe('{"a":3.0}')
  })

  it.each(['', '{', '{"a":1,}', '01', '[1 2]', 'nul', '{"a":1} x', "{'a':1}"])('refuses %j', (text) => {
    expect(() => parseExact(text)).toThrow(SyntaxError)
  })

  it('refuses what is nested beyond reason, and takes a thousand levels', () => {
    expect(() => parseExact('['.repeat(5000) + ']'.repeat(5000))).toThrow(expect.objectContaining({ status: 400 }))
    const deep = '['.repeat(1000) + ']'.repeat(1000)
    expect(stringify(parseExact(deep))).toBe(deep)
  })

  it('turns into ordinary values', () => {
    expect(plain(parseExact('{"a":[1.0,2e2]}'))).toEqual({ a: [1, 200] })
  })
})
