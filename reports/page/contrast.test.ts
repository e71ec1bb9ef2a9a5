/** What differs between expected and seen is marked, and nothing else. */
import { expect, it } from 'vitest'
import { piecesOf } from './contrast.tsx'

const marked = (expected: string, seen: string): string[] =>
  piecesOf(expected, seen).map((pieces) => pieces.map(({ text, differs }) => (differs ? `[${text}]` : text)).join(''))

it('marks the words that differ', () => {
  expect(marked('{"keys":["a","b/"]}', '{"keys":["a","c/"]}')).toEqual(['{"keys":["a","[b]/"]}', '{"keys":["a","[c]/"]}'])
  expect(marked('{"y": 2}', '{"x": 1, "y": 2}')[0]).toBe('{"y": 2}')
})

it('marks both as wholes where they have little in common', () => {
  expect(marked('403', '400')).toEqual(['[403]', '[400]'])
  expect(marked('a refusal with the error body', '200')).toEqual(['[a refusal with the error body]', '[200]'])
})

it('keeps every character of both', () => {
  const [expected, seen] = ['one  two\nthree', 'one two\n\nthree four']
  const text = piecesOf(expected, seen).map((pieces) => pieces.map((piece) => piece.text).join(''))
  expect(text).toEqual([expected, seen])
})
