import { describe, expect, test } from 'vitest'
import type { Api, Operation } from '../contract/contract.ts'
import { type Addressing, encodeCall } from './wire.ts'

const api: Api = {
  api: 'x',
  title: 'X',
  basePath: '/v1',
  mediaType: 'application/json',
  engines: [],
  carriers: { token: { header: 'X-T', format: '{token}' }, bearer: { header: 'Authorization', format: 'Bearer {token}' } },
  headers: { 'X-R': 'true' },
  namespaces: { header: 'X-N' },
  mounts: true,
  listing: { verb: 'LIST', query: 'list', value: 'true' },
}
const to: Addressing = { api, dialect: { dialect: 'd' }, prefix: '', headers: {} }

const operation = (more: Partial<Operation> = {}): Operation => ({
  id: 'e.op',
  engine: 'e',
  api: 'x',
  summary: '',
  method: 'GET',
  path: '/{mount}/things/{name}',
  mount: 'e',
  parameters: [{ name: 'name', multiSegment: false }],
  queryParameters: [],
  isList: false,
  unauthenticated: false,
  sudo: false,
  responses: {},
  ...more,
})
const call = (input: object, of: Partial<Operation> = {}, target: Addressing = to) =>
  encodeCall(target, operation(of), { path: { name: 'n' }, token: 't', mountPath: 'a/b', effectiveNamespace: '', ...input })

describe('paths', () => {
  test('a parameter is one segment, whatever it holds', () =>
    expect(call({ path: { name: 'a/b c%?#' } }).path).toBe('/v1/a/b/things/a%2Fb%20c%25%3F%23'))
  test('a parameter of many segments keeps its slashes', () => {
    const parameters = [{ name: 'name', multiSegment: true }]
    expect(call({ path: { name: 'a/b c' } }, { parameters }).path).toBe('/v1/a/b/things/a/b%20c')
  })
  test('a prefix of the base URL stays in front', () =>
    expect(call({}, {}, { ...to, prefix: '/proxy' }).path).toBe('/proxy/v1/a/b/things/n'))
  test('a suffix is appended as it is', () => expect(call({ pathSuffix: '.' }).path).toBe('/v1/a/b/things/n.'))
})

test('a header without a value is not sent, unless it is the token that is empty', () => {
  expect(call({ headers: { 'X-T': '', 'X-R': '' } }).headers).toEqual({})
  expect(call({ token: '' }).headers).toEqual({ 'X-T': '', 'X-R': 'true' })
  expect(call({ token: '', carrier: 'bearer' }).headers).toEqual({ Authorization: 'Bearer ', 'X-R': 'true' })
})

describe('listings', () => {
  const list = { isList: true, path: '/{mount}/things', parameters: [] }
  test('are read with a query', () => expect(call({}, list)).toMatchObject({ method: 'GET', path: '/v1/a/b/things?list=true' }))
  test('or with the verb alone', () => expect(call({ method: 'LIST' }, list)).toMatchObject({ method: 'LIST', path: '/v1/a/b/things' }))
  test('with further parameters', () =>
    expect(call({ query: { 'page[size]': '5' } }, list).path).toBe('/v1/a/b/things?list=true&page%5Bsize%5D=5'))
})

describe('headers', () => {
  test('of the API, the token and the configuration', () => {
    expect(call({}, {}, { ...to, headers: { 'X-Extra': 'e' } }).headers).toEqual({ 'X-R': 'true', 'X-T': 't', 'X-Extra': 'e' })
  })
  test('by the carrier asked for', () => expect(call({ carrier: 'bearer' }).headers.Authorization).toBe('Bearer t'))
  test('no token, no carrier', () => expect(call({ token: undefined }).headers).not.toHaveProperty('X-T'))
  test('an empty value takes a header away', () => expect(call({ headers: { 'X-R': '' } }).headers).not.toHaveProperty('X-R'))
  test('a content type goes with a body only', () => {
    expect(call({}).headers).not.toHaveProperty('Content-Type')
    expect(call({ method: 'POST', body: {} }).headers['Content-Type']).toBe('application/json')
  })
})

describe('namespaces', () => {
  test.each([
    [0, 'one/two/', '/v1/a/b/things/n'],
    [1, 'one/', '/v1/two/a/b/things/n'],
    [2, undefined, '/v1/one/two/a/b/things/n'],
  ])('with %i segments in the path', (namespaceInPath, header, path) => {
    const request = call({ effectiveNamespace: 'one/two', namespaceInPath })
    expect(request.headers['X-N']).toBe(header)
    expect(request.path).toBe(path)
  })
  test('an empty header, where it is asked for', () => {
    expect(call({ effectiveNamespace: '', headers: { 'X-N': '' } }).headers['X-N']).toBe('')
    expect(call({ effectiveNamespace: '' }).headers).not.toHaveProperty('X-N')
  })
})
