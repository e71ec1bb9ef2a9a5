import { expect, test } from 'vitest'
import type { Received } from './http.ts'
import { noiseIn } from './noise.ts'

const answer = (status: number, contentType: string, text: string): Received => ({
  status,
  headers: { 'content-type': contentType },
  bytes: Buffer.from(text),
})
const JSON_TYPE = 'application/json'
const PAGE = '<html>Bad Gateway</html>'

test('an answer by a gateway instead of the target is noise', () => {
  for (const status of [502, 503, 504]) {
    expect(noiseIn(answer(status, 'text/html', PAGE))).toBe(`a gateway answered ${status} with a page of HTML`)
    expect(noiseIn(answer(status, 'text/plain', ''))).toBe(`a gateway answered ${status}`)
    expect(noiseIn(answer(status, JSON_TYPE, '{"message":"no healthy upstream"}'))).toBe(`a gateway answered ${status}`)
  }
  for (const status of [200, 500]) expect(noiseIn(answer(status, 'text/html; charset=utf-8', PAGE))).toContain(String(status))
})

test('an answer by the target itself is not noise', () => {
  expect(noiseIn(answer(503, JSON_TYPE, '{"errors":["the server is sealed"]}'))).toBeUndefined()
  expect(noiseIn(answer(500, JSON_TYPE, '{"errors":[]}'))).toBeUndefined()
  expect(noiseIn(answer(500, 'text/plain', 'no'))).toBeUndefined()
  for (const status of [301, 400, 404]) expect(noiseIn(answer(status, 'text/html', PAGE))).toBeUndefined()
  const documented = { responses: { '503': { mediaTypes: [JSON_TYPE], schema: {} } } }
  expect(noiseIn(answer(503, JSON_TYPE, '{"sealed":true}'), documented)).toBeUndefined()
  expect(noiseIn(answer(503, 'text/html', PAGE), documented)).toBeDefined()
})

test('a server that a check has sealed says so in words of its own', () => {
  const sealed = answer(503, JSON_TYPE, '{"error":"this server is sealed"}')
  expect(noiseIn(sealed)).toBeDefined()
  expect(noiseIn(sealed, undefined, true)).toBeUndefined()
  expect(noiseIn(answer(503, 'text/html', PAGE), undefined, true)).toBeDefined()
})
