import { expect, test } from 'vitest'
import { loadContract } from './load.ts'
import { isCredentialOperation, placedTexts } from './sensitive.ts'

const secret = { type: 'string', 'x-sensitive': true }
const secretsOf = (schema: unknown, instance: unknown): string[] =>
  placedTexts(schema, instance)
    .filter(({ kind }) => kind === 'secret')
    .map(({ text }) => text)

const WRAPPED: Record<string, [schema: object, instance: unknown]> = {
  properties: [{ properties: { a: secret } }, { a: 'S' }],
  patternProperties: [{ patternProperties: { '^a': secret } }, { ab: 'S' }],
  additionalProperties: [{ additionalProperties: secret }, { ab: 'S' }],
  unevaluatedProperties: [{ unevaluatedProperties: secret }, { ab: 'S' }],
  items: [{ items: secret }, ['S']],
  prefixItems: [{ prefixItems: [{}, secret] }, ['x', 'S']],
  contains: [{ contains: secret }, ['S']],
  allOf: [{ allOf: [{ properties: { a: secret } }] }, { a: 'S' }],
  anyOf: [{ anyOf: [{ type: 'null' }, { properties: { a: secret } }] }, { a: 'S' }],
  oneOf: [{ oneOf: [{ properties: { a: secret } }] }, { a: 'S' }],
  not: [{ not: { properties: { a: secret } } }, { a: 'S' }],
  if: [{ if: { properties: { a: secret } } }, { a: 'S' }],
  'then, also where its condition fails': [
    JSON.parse('{"if": {"required": ["b"]}, "then": {"properties": {"a": {"x-sensitive": true}}}}') as object,
    { a: 'S' },
  ],
  else: [{ if: {}, else: { properties: { a: secret } } }, { a: 'S' }],
  dependentSchemas: [{ dependentSchemas: { b: { properties: { a: secret } } } }, { a: 'S' }],
  'all that stands below a marked node': [{ properties: { a: { 'x-sensitive': true } } }, { a: { b: [{ c: 'S' }] } }],
}

for (const [keyword, [schema, instance]] of Object.entries(WRAPPED)) {
  test(`a secret is found through ${keyword}`, () => expect(secretsOf(schema, instance)).toContain('S'))
}

test('a schema that holds itself comes to an end', () => {
  const tree: Record<string, unknown> = { properties: { a: secret } }
  tree.properties = { a: secret, below: tree }
  tree.allOf = [tree]
  expect(secretsOf(tree, { below: { below: { a: 'S' } } })).toEqual(['S'])
})

test('what a schema does not know, and what is not what it says, is unknown', () => {
  const schema = { properties: { name: { type: 'string' }, age: { type: 'integer' } } }
  const kinds = placedTexts(schema, { name: 'n', age: 'text', pass: 'word' }).map(({ text, kind }) => [text, kind])
  expect(kinds).toEqual([
    ['n', 'known'],
    ['text', 'unknown'],
    ['pass', 'unknown'],
    ['word', 'unknown'],
  ])
})

test('the contract says which operations hand out secrets, and which requests carry them', async () => {
  const { operations } = await loadContract()
  const credential = [...operations.values()].filter(isCredentialOperation).map(({ id }) => id)
  for (const id of [
    'ssh.createCredential',
    'database.readCreds',
    'database.readStaticCreds',
    'pki.issue',
    'pki.generateRoot',
    'broker.readCreds',
    'agentTokens.create',
  ])
    expect(credential, id).toContain(id)
  expect(credential).not.toContain('kv1.read')
  const sent = (id: string, body: unknown) => placedTexts(operations.get(id)!.request?.schema, body)
  expect(sent('ssh.writeKey', { key: 'K' })).toContainEqual({ text: 'K', kind: 'secret', path: ['key'] })
  expect(sent('ssh.verifyOtp', { otp: 'O' })).toContainEqual({ text: 'O', kind: 'secret', path: ['otp'] })
})
