/** The parts of the fuzz: what it takes for a leak is one, and what it does not see would be none. */
import { generateKeyPairSync } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { loadContract } from '../../harness/contract/load.ts'
import { packageRoot } from '../../harness/contract/package-root.ts'
import { answerOf, Deck } from './cells.ts'
import { FORMS } from './forms.ts'
import { issuedIn, secretOperations } from './issued-secrets.ts'
import { piecesOf } from './pieces.ts'
import { Search } from './search.ts'

const SECRET = 'x7.Kq2_9vTz4-Lm8Wp3'
const OWN = 'http://127.0.0.1:1'

describe('the search', () => {
  const search = new Search([SECRET])
  const pem = String(generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ type: 'pkcs1', format: 'pem' }))

  test.each(Object.entries(FORMS))('finds a secret, and a piece of a long one, as %s', (name, { write, limit }) => {
    const expected = limit === undefined ? 1 : 0
    for (const before of ['', 'a', 'ab']) {
      const found = search.in('text', `said ${write(`${before}${SECRET} and more`)}.`)
      expect(found.length, name).toBeGreaterThanOrEqual(expected)
    }
    expect(new Search([pem]).in('text', write(pem)).length, name).toBeGreaterThanOrEqual(expected)
  })

  test('takes nothing else for a secret: neither other values nor the public half of a key', () => {
    expect(search.in('text', `${SECRET.slice(0, 9)} x7.Kq2_9vTz5-Lm8Wp3 [redacted]`)).toEqual([])
    const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const secret = String(privateKey.export({ type: 'pkcs1', format: 'pem' }))
    const modulus = Buffer.from(publicKey.export({ format: 'jwk' }).n!, 'base64url').toString('base64')
    expect(piecesOf(secret).length).toBeGreaterThan(4)
    const file = JSON.stringify({ private_key: secret, token_uri: 'https://oauth2.example.com/v1/token-of-2026' })
    expect(piecesOf(file)).toEqual(piecesOf(secret))
    const certificate = `-----BEGIN CERTIFICATE-----\n${modulus}\n-----END CERTIFICATE-----`
    expect(piecesOf(certificate)).toEqual([])
    expect(piecesOf(`${certificate}\n${SECRET}`)).toEqual(piecesOf(SECRET))
    expect(new Search([secret]).in('text', `${publicKey.export({ type: 'pkcs1', format: 'pem' })} ${modulus}`)).toEqual([])
  })
})

test('operations and their secrets are found by the marks of the contract, whatever their names', async () => {
  const contract = await loadContract()
  const operations = secretOperations(contract)
  const engines = new Set(operations.map(({ engine }) => engine))
  for (const { id, engine, request } of contract.operations.values())
    if (JSON.stringify(request?.schema ?? {}).includes('"x-sensitive":true')) expect(engines, id).toContain(engine)
  const [create] = operations.filter(({ id }) => id === 'agentTokens.create')
  const answer = JSON.stringify({ data: { type: 'authentication-tokens', attributes: { token: SECRET, description: 'a name 1' } } })
  expect(issuedIn(create, '{}', 201, answer)).toEqual([SECRET])
  expect(issuedIn(create, '{}', 404, answer)).toEqual([])
  expect(issuedIn(undefined, '{}', 200, JSON.stringify({ auth: { client_token: SECRET, accessor: 'b' } }))).toEqual([SECRET])
  expect(issuedIn(undefined, JSON.stringify({ credentials: '/tmp/assay-1/credentials/one-2.json' }), 204, '')).toEqual([])
})

test('a deck deals each cell once, in an order that the seed gives, and none that cannot be sent', () => {
  const dealt = (seed: number) => {
    const deck = new Deck(seed)
    const cells: string[] = []
    for (let next = deck.next('one', SECRET, OWN); next !== undefined; next = deck.next('one', SECRET, OWN))
      cells.push(JSON.stringify(next.cell))
    return cells
  }
  const cells = dealt(1)
  expect(new Set(cells).size).toBe(cells.length)
  expect(dealt(1)).toEqual(cells)
  expect(dealt(2)).not.toEqual(cells)
  expect(answerOf({ shape: '500 HTML', place: 'header name', form: 'hexadecimal with blanks' }, SECRET, OWN)).toBeUndefined()
})

test('the forms that are not hidden are limits that docs/secrets.md names', () => {
  const said = readFileSync(join(packageRoot, 'docs/secrets.md'), 'utf8').split('## What is not hidden')[1]!.replaceAll(/\s+/g, ' ')
  for (const [name, { limit }] of Object.entries(FORMS)) if (limit !== undefined) expect(said, name).toContain(limit)
})
