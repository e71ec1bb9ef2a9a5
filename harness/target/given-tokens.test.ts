import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { temporaryFolder } from '../../tests/support/cli.ts'
import { requireHeaders, tokenInFile, tokenOf, usableToken } from './given-tokens.ts'

afterEach(() => void vi.unstubAllEnvs())

test.each(['to\nken', 'to€ken', 'to\u0000ken'])('the token %j fits no header, and is not shown', (token) => {
  expect(() => usableToken(token, '--token')).toThrow(/^--token holds a line break or another character that no header can carry$/)
})

test('a token in a file is read without the white space around it', () => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'token'), '\ns.abc\n')
  expect(tokenInFile('token', '--token-file', folder)).toBe('s.abc')
  writeFileSync(join(folder, 'token'), '\n')
  expect(() => tokenInFile('token', '--token-file', folder)).toThrow('--token-file: token is empty')
  expect(() => tokenInFile('.', '--token-file', folder)).toThrow('--token-file: . is not a file')
  expect(() => tokenInFile('x', '--token-file', folder)).toThrow('--token-file: x does not exist')
})

test('a token in the environment is named by its variable', () => {
  const read = () => tokenOf('reader', { tokenEnv: 'MY_TOKEN' }, '.')
  vi.stubEnv('MY_TOKEN', undefined)
  expect(read).toThrow('identities.reader.tokenEnv: the environment variable MY_TOKEN is not set')
  vi.stubEnv('MY_TOKEN', '')
  expect(read).toThrow('identities.reader.tokenEnv: MY_TOKEN is empty')
  vi.stubEnv('MY_TOKEN', 's.abc')
  expect(read()).toBe('s.abc')
})

test.each([
  [{ 'a b': 'c' }, 'the header "a b" has a name that HTTP does not allow'],
  [{ 'X-A': 'b\nc' }, 'the value of the header "X-A" holds a line break'],
  [{ 'Transfer-Encoding': 'chunked' }, 'the header "Transfer-Encoding" says how requests are sent'],
])('the headers %j are refused', (headers, says) => {
  expect(() => requireHeaders(headers as Record<string, string>)).toThrow(says)
})

test('other headers are not', () => {
  expect(() => requireHeaders({ 'X-Trace': 'a b é', Host: 'other.example' })).not.toThrow()
})
