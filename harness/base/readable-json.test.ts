/** Every value can be written down, whatever a server or a check made of it. */
import { expect, test } from 'vitest'
import { jsonOf } from './json.ts'
import { uriComponent } from './text.ts'

test('whole numbers beyond JSON and values that hold themselves have a text', () => {
  const circle: { of?: unknown } = {}
  circle.of = circle
  expect(jsonOf({ serial: 2n ** 70n })).toBe('{"serial":"1180591620717411303424"}')
  expect(jsonOf(circle)).toContain('Circular')
  expect(jsonOf(undefined)).toBe('')
})

test('half a character has a spelling in a URL', () => {
  expect(uriComponent('a/\ud83d')).toBe('a%2F%EF%BF%BD')
})
