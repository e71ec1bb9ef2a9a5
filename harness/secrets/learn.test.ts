import { beforeAll, expect, test } from 'vitest'
import type { Json } from '../base/json.ts'
import type { Contract } from '../contract/contract.ts'
import { loadContract } from '../contract/load.ts'
import { Harmless, vocabularyOf } from './harmless.ts'
import { learnFrom } from './learn.ts'
import { SecretRegistry } from './secrets.ts'

let contract: Contract

beforeAll(async () => {
  contract = await loadContract()
})

const VALUE = 'Zk3mPq9LwX71vBtR'
const TOKEN = 'hT6sYw2KdN84rQcJ'

/** What an exchange of one batch teaches, in which the caller says `values` and is answered `answered`, in these letters where given. */
const learned = (values: string[], answered: Json, text = ''): SecretRegistry => {
  const secrets = new SecretRegistry(new Harmless(vocabularyOf(contract)))
  learnFrom(secrets, {
    operation: contract.operations.get('transform.encode')!,
    token: undefined,
    path: '/v1/transform/encode/role-of-many',
    sent: { batch_input: values.map((value) => ({ value })) },
    answer: { status: 200, headers: {}, body: answered, bytes: Buffer.from(text) },
  })
  return secrets
}

const many = Array.from({ length: 10_000 }, (_, index) => `value ${index} of many`)

test.each([
  ['short', ['one', VALUE]],
  ['long', [...many, VALUE]],
])('a value that was sent in a %s batch is a secret, and so is what nothing vouches for in the answer', (_, values) => {
  const secrets = learned(values, { data: { batch_results: [], more: TOKEN } })
  expect(secrets.appearsIn(`it was ${VALUE}`)).toBe(true)
  expect(secrets.appearsIn(`it was ${TOKEN}`)).toBe(true)
})

test.each([
  ['short', ['one', VALUE]],
  ['long', [...many, VALUE]],
])('after a %s batch a value stays a secret where the answer repeats it', (_, values) => {
  expect(learned(values, { data: { batch_results: [{ encoded_value: VALUE }] } }).appearsIn(VALUE)).toBe(true)
})

test.each([
  ['short', ['one']],
  ['long', many],
])('the names that a caller said in a %s batch teach nothing', (_, values) => {
  expect(learned(values, { data: { batch_results: [] }, echo: 'role-of-many' }).appearsIn('role-of-many')).toBe(false)
})

test('nothing vouches for the value of a member that another of its name replaces', () => {
  const text = `{"note":"${TOKEN}","note":"fine"}`
  expect(learned(['one'], JSON.parse(text) as Json, text).appearsIn(TOKEN)).toBe(true)
})

test.each(['E/NtssuvOw==', 'abcdEfGhijklmn=='])('base64 to its padding is not a word, however it is spelt: %s', (tweak) => {
  expect(learned([], { errors: [`internal: could not keep "${tweak}", giving up`] }).appearsIn(`it was ${tweak}`)).toBe(true)
})

test('what an answer holds is looked at however deep it stands', () => {
  const deep = Array.from({ length: 400 }).reduce<Json>((inner) => [inner], { note: TOKEN })
  expect(learned(['one'], { data: deep }).appearsIn(TOKEN)).toBe(true)
})

test('the hour of a time stays readable, although nothing vouches for the time', () => {
  const secrets = learned([], { data: { made: '2026-11-29T15:50:34.071223344Z', unknown: `until:${TOKEN}` } })
  expect(secrets.redact('2026-11-29T15:51:07.002Z')).toBe('2026-11-29T15:51:07.002Z')
  expect(secrets.redact('at 34.071Z')).toBe('at 34.071Z')
  expect(secrets.appearsIn(TOKEN)).toBe(true)
})

test('of an answer of very many values the first are learned, fewer once many are known, and the beginning as it is written', () => {
  const secrets = new SecretRegistry()
  const learnMany = (mark: string): number => {
    const values = Array.from({ length: 3_000 }, (_, at) => [
      String(at),
      Array.from({ length: 8 }, (__, nth) => `Qx${mark}${at}Zr${nth}abc`).join(' '),
    ])
    const body = { last: `${TOKEN}${mark}`, ...Object.fromEntries(values) } as Json
    // Members named by numbers come first, wherever they are written.
    const bytes = Buffer.from(`{"last":"${TOKEN}${mark}",${JSON.stringify(body).slice(1)}`)
    const before = secrets.size
    learnFrom(secrets, {
      operation: undefined,
      token: undefined,
      path: '/',
      sent: undefined,
      answer: { status: 200, headers: {}, body, bytes },
    })
    expect(secrets.appearsIn(`it was ${TOKEN}${mark}`)).toBe(true)
    return secrets.size - before
  }
  expect(learnMany('a')).toBeGreaterThanOrEqual(20_000)
  for (let number = 0; number < 300_000; number += 1) secrets.add(`${number}k9Zx7q`)
  expect(learnMany('b')).toBeLessThan(10_000)
  expect(secrets.leftOut).toBe(2)
})

/** What the answer of a connection teaches whose address is this. */
const ofAddress = (connection_url: string): SecretRegistry => {
  const secrets = new SecretRegistry(new Harmless(vocabularyOf(contract)))
  const body = { data: { connection_details: { connection_url } } }
  const operation = contract.operations.get('database.readConnection')!
  const answer = { status: 200, headers: {}, body, bytes: Buffer.from(JSON.stringify(body)) }
  learnFrom(secrets, { operation, token: undefined, path: '/v1/database/config/a', sent: undefined, answer })
  return secrets
}

test.each([
  `postgres://admin:${VALUE}@db.example/main`,
  `admin:${VALUE}@tcp(db.example:3306)/`,
  `host=db.example password='${VALUE}' user=admin`,
  `amqp://one:kept-apart@a.example,amqp://two:${VALUE}@b.example`,
])('the password in %s is secret', (address) => {
  expect(ofAddress(address).appearsIn(`it is ${VALUE}`)).toBe(true)
})

// To take the square of their lengths would take longer than a test may.
test('sentences of many brackets are read once, and the words in them are known', () => {
  const errors = Array.from({ length: 60 }, (_, at) => `x${'('.repeat(60_000)}y${at} ${VALUE}${at}`)
  const secrets = learned(['a value'], { errors })
  for (const at of [0, 59]) expect(secrets.appearsIn(`it is ${VALUE}${at}`)).toBe(true)
})
test('addresses of many users are read once, and the password in them is known', () => {
  for (let at = 0; at < 60; at += 1)
    expect(ofAddress(`postgres://admin:${VALUE}@db.example/${at} ${'//a:'.repeat(16_000)}`).appearsIn(`it is ${VALUE}`)).toBe(true)
})
