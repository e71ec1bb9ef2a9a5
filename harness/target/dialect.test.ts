import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { temporaryFolder } from '../../tests/support/cli.ts'
import type { Json } from '../base/json.ts'
import { validInstances } from '../contract/generate/valid.ts'
import { loadContract } from '../contract/load.ts'
import { type Dialect, decodeBody, decodeRequest, encodeBody, encodeHeaders, encodePath, knownDialects, loadDialect } from './dialect.ts'

const dialect: Dialect = {
  dialect: 'test',
  headers: { 'X-Service-Token': 'X-Vault-Token' },
  operations: {
    op: {
      request: { '/outer/inner': 'wireInner', '/outer': 'wireOuter', '/list/*/name': 'n', '/map/*/size': 's' },
      response: { '/data/last_service_rotation': 'last_vault_rotation', '/items/*/label': 'l' },
    },
  },
  values: { op: { '/kind': { otp: 'OneTime' } } },
}

describe('renames', () => {
  test('members, items and members of maps', () => {
    const body = { outer: { inner: 1, other: 2 }, list: [{ name: 'a' }, { name: 'b' }], map: { x: { size: 1 } }, kind: 'otp' }
    expect(encodeBody(dialect, 'op', body)).toEqual({
      wireOuter: { wireInner: 1, other: 2 },
      list: [{ n: 'a' }, { n: 'b' }],
      map: { x: { s: 1 } },
      kind: 'OneTime',
    })
  })

  test('encode then decode is the identity', () => {
    const body = { outer: { inner: [1, null], other: 2 }, list: [{ name: 'a' }], map: { x: { size: 1 } }, kind: 'otp', name: 'n' }
    expect(decodeRequest(dialect, 'op', encodeBody(dialect, 'op', body))).toEqual(body)
  })

  test('answers are read in the contract spelling', () => {
    expect(decodeBody(dialect, 'op', { data: { last_vault_rotation: 't', last_other: 1 }, items: [{ l: 'x' }] })).toEqual({
      data: { last_service_rotation: 't', last_other: 1 },
      items: [{ label: 'x' }],
    })
  })

  test('user data that contains a renamed word passes untouched', () => {
    const secret = { data: { data: { last_vault_rotation: 'mine', inner: { outer: 1 } } } }
    expect(decodeBody(dialect, 'op', secret)).toEqual(secret)
    expect(encodeBody(dialect, 'op', { free: { outer: { inner: 1 } } })).toEqual({ free: { outer: { inner: 1 } } })
  })

  test('another operation, another type of value and a missing member change nothing', () => {
    for (const body of [null, 1, 'outer', [], { outer: 'text' }, { list: {} }] as Json[]) {
      expect(decodeRequest(dialect, 'op', encodeBody(dialect, 'op', body))).toEqual(body)
    }
    expect(encodeBody(dialect, 'other', { outer: { inner: 1 } })).toEqual({ outer: { inner: 1 } })
  })

  test('the input is never changed', () => {
    const body = { outer: { inner: 1 } }
    encodeBody(dialect, 'op', body)
    expect(body).toEqual({ outer: { inner: 1 } })
  })

  test('headers by name whatever their case', () => {
    expect(encodeHeaders(dialect, { 'x-service-token': 't', Accept: 'a' })).toEqual({ 'X-Vault-Token': 't', Accept: 'a' })
  })
})

test('in every dialect that ships, encode then decode is the identity on valid requests of every operation', async () => {
  const contract = await loadContract()
  for (const name of knownDialects()) {
    const shipped = loadDialect(name)
    for (const operation of contract.operations.values()) {
      if (operation.request === undefined) continue
      fc.assert(
        fc.property(validInstances(operation.request.schema), (body) => {
          expect(decodeRequest(shipped, operation.id, encodeBody(shipped, operation.id, body))).toEqual(body)
        }),
        { numRuns: 20, seed: 1 },
      )
    }
  }
})

describe('dialect files', () => {
  test('an unknown name is answered with the nearest', () => {
    expect(() => loadDialect('valt')).toThrow(/did you mean vault/)
  })

  test('a broken file is named with its problem', () => {
    const file = join(temporaryFolder(), 'mine.yaml')
    expect(() => loadDialect(file)).toThrow(/does not exist/)
    writeFileSync(file, 'dialect: [')
    expect(() => loadDialect(file)).toThrow(/not readable YAML/)
    writeFileSync(file, 'dialect: mine\nheader: {}\n')
    expect(() => loadDialect(file)).toThrow(/header: unknown key; did you mean headers/)
  })
})

describe('path parameters', () => {
  const typed: Dialect = { dialect: 'test', values: { op: { '{type}': { cloudakms: 'awskms' }, '/type': { cloudakms: 'awskms' } } } }

  test('take the value that the dialect has for them, and no other', () => {
    expect(encodePath(typed, 'op', { type: 'cloudakms', name: 'cloudakms' })).toEqual({ type: 'awskms', name: 'cloudakms' })
    expect(encodePath(typed, 'op', { type: 'pkcs11' })).toEqual({ type: 'pkcs11' })
    expect(encodePath(typed, 'other', { type: 'cloudakms' })).toEqual({ type: 'cloudakms' })
  })

  test('and bodies keep their own table, both ways', () => {
    const body = { type: 'cloudakms', '{type}': 'cloudakms' }
    expect(encodeBody(typed, 'op', body)).toEqual({ type: 'awskms', '{type}': 'cloudakms' })
    expect(decodeBody(typed, 'op', encodeBody(typed, 'op', body))).toEqual(body)
  })
})
