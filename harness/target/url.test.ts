import { expect, test } from 'vitest'
import { baseUrl, urlOf } from './url.ts'

test.each([
  ['https://user:topsecret@[bad', 'https://...@[bad'],
  ['https://user:top/se@cret@host:x', 'https://...@host:x'],
  ['ftp://user:topsecret@host', 'ftp://...@host'],
  ['user:topsecret@host', 'user:...@host'],
  ['topsecret@host', '...@host'],
])('the password in %s is not shown', (text, shown) => {
  expect(() => urlOf(text, 'the URL')).toThrow(JSON.stringify(shown))
})

test('what says nothing about a caller is shown', () => {
  expect(() => urlOf('not a url', 'the URL')).toThrow('the URL: "not a url" is not a URL')
})

test.each(['https://HOST', 'https://host/', 'https://host:443', 'https://host//'])('%s is one server however it is spelled', (text) => {
  expect(baseUrl(text)).toBe('https://host')
})

test.each([
  ['http://host:8200/base/', 'http://host:8200/base'],
  ['nonsense', 'nonsense'],
])('the base of %s', (text, base) => {
  expect(baseUrl(text)).toBe(base)
})
