import { expect, test } from 'vitest'
import { DEPTH_LIMIT, parseJson } from './parse.ts'

const nested = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`

test('JSON is read as it is', () => {
  expect(parseJson('{"a":[1,null,"x"]}')).toEqual({ value: { a: [1, null, 'x'] } })
  expect(parseJson('{"a":')).toEqual({ problem: 'not JSON' })
  expect(parseJson('')).toEqual({ problem: 'not JSON' })
})

test('what is nested too deeply is refused, however deep', () => {
  expect(parseJson(nested(DEPTH_LIMIT))).toHaveProperty('value')
  for (const levels of [DEPTH_LIMIT + 1, 200_000]) expect(parseJson(nested(levels))).toEqual({ problem: 'JSON of more than 500 levels' })
  expect(parseJson('{"a":'.repeat(200_000))).toEqual({ problem: 'JSON of more than 500 levels' })
})

test('brackets within strings do not count as levels, and siblings are not nested', () => {
  const text = JSON.stringify({ text: `${'['.repeat(2000)}"\\${'{'.repeat(2000)}`, list: Array.from({ length: 2000 }, () => [{}]) })
  expect(parseJson(text)).toEqual({ value: JSON.parse(text) })
})
