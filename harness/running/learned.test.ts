/** Every exchange with a target is learned from before anything of it is kept, for every sender, answer and place of the secret. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { afterEach, expect, test } from 'vitest'
import { type Hostile, http } from '../../tests/support/hostile-servers.ts'
import type { Contract } from '../contract/contract.ts'
import { loadContract } from '../contract/load.ts'
import type { SecretRegistry } from '../secrets/secrets.ts'
import { completeRun, completeTarget } from '../target/run-configuration.ts'
import { exchange, plainSender, type Target } from '../target/target.ts'
import { secretsFor } from './open-run.ts'
import { openTarget } from './open-target.ts'

const TOKEN = 's.Zk3mPq9LwX71vBtR'
const GENUINE = JSON.stringify({ lease_id: 'database/creds/x/1', lease_duration: 60, data: { username: 'u', password: TOKEN } })

let server: Hostile
let target: Target
let contract: Contract
let secrets: SecretRegistry
afterEach(async () => {
  await target.http.close()
  await server.close()
})

const open = async (answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<void> => {
  server = await http(answer)
  contract = await loadContract()
  secrets = secretsFor(contract)
  const config = completeTarget({ api: 'secrets', url: server.url, engines: ['database'] }, process.cwd())
  target = openTarget(contract, completeRun({ timing: { timeout: '5s' } }, process.cwd()), config, {
    run: 'r',
    token: 'some-token',
    secrets,
    journal: () => undefined,
    removed: () => undefined,
    signal: new AbortController().signal,
  })
}

const html = (body: string): string => `<html><body><pre>upstream said: ${body}</pre></body></html>`
const entities = (text: string): string => [...text].map((one) => `&#${one.charCodeAt(0)};`).join('')
const colons = (text: string): string => Buffer.from(text).toString('hex').match(/../g)!.join(':')
const JSON_TYPE = { 'content-type': 'application/json' }
const HTML_TYPE = { 'content-type': 'text/html' }

const ANSWERS: Record<string, [status: number, headers: Record<string, string>, body: string]> = {
  'a page of HTML that quotes the genuine body': [500, HTML_TYPE, html(GENUINE.replaceAll('"', '&quot;'))],
  'a page of a gateway': [502, HTML_TYPE, html(TOKEN)],
  'a page that gives it in entities alone': [500, HTML_TYPE, html(entities(TOKEN))],
  'an error that quotes it': [400, JSON_TYPE, JSON.stringify({ errors: [`chunk ${TOKEN}...`] })],
  'an error that gives it in hexadecimal with colons alone': [400, JSON_TYPE, JSON.stringify({ errors: [`chunk ${colons(TOKEN)}`] })],
  'JSON of another shape': [200, JSON_TYPE, JSON.stringify({ lease_id: TOKEN, data: 'nothing' })],
  'a list of its bytes': [503, JSON_TYPE, JSON.stringify({ data: { chunk: [...Buffer.from(TOKEN)] } })],
  'the name of a member': [200, JSON_TYPE, JSON.stringify({ data: { [TOKEN]: 1 } })],
  'a Location': [307, { location: `http://127.0.0.1:1/v1/elsewhere/${TOKEN}` }, ''],
  'a cookie': [400, { 'set-cookie': `session=${TOKEN}; Path=/` }, ''],
  'the name of a header': [400, { [`x-${TOKEN.toLowerCase()}`]: '1' }, ''],
  ...Object.fromEntries(
    ['allow', 'content-type', 'server', 'vary', 'date', 'retry-after', 'etag'].map((name) => [
      `the header ${name}`,
      [400, { [name]: TOKEN }, ''] as [number, Record<string, string>, string],
    ]),
  ),
}

const answering =
  (status: number, headers: Record<string, string>, body: string) =>
  (_: IncomingMessage, response: ServerResponse): void =>
    void response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) }).end(body)

test.each(Object.entries(ANSWERS))('a check asks for a credential, and %s holds it', async (_, [status, headers, body]) => {
  await open(answering(status, headers, body))
  const input = { path: { name: 'x' }, mountPath: 'database', effectiveNamespace: '' }
  await exchange(target, contract.operations.get('database.readCreds')!, input, () => {
    expect(secrets.appearsIn(`it was ${TOKEN}`), 'before it is recorded').toBe(true)
  })
  expect(secrets.appearsIn(server.url)).toBe(false)
  expect(secrets.redact(`${server.url}/v1/sys/leader`)).toBe(`${server.url}/v1/sys/leader`)
})

test('a token that making one was refused with, and that a page of a gateway quotes', async () => {
  await open(answering(400, JSON_TYPE, JSON.stringify({ errors: [`chunk ${TOKEN}`] })))
  const { body } = await plainSender(target)('POST', 'auth/token/create', { body: { policies: ['default'] } })
  expect(secrets.redact(JSON.stringify(body.errors))).toBe('["chunk [redacted]"]')
})

test.each([
  [400, JSON_TYPE, (own: string) => JSON.stringify({ errors: [`this node is a standby, ask ${own}/v1/sys/leader`] })],
  [307, { location: 'OWN/v1/elsewhere' }, () => ''],
])("the target's own address is not a secret: %i", async (status, headers, body) => {
  let own = ''
  await open((request, response) => {
    const shown = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, value.replace('OWN', own)]))
    answering(status, shown, body(own))(request, response)
  })
  own = server.url
  const input = { path: { name: 'x' }, mountPath: 'database', effectiveNamespace: '' }
  await exchange(target, contract.operations.get('database.readCreds')!, input, () => undefined)
  const { host, hostname, port } = new URL(own)
  for (const text of [own, host, hostname, `port ${port}`, `${own}/v1/database/creds/x`, encodeURIComponent(own)])
    expect(secrets.redact(text)).toBe(text)
})

test('headers of the usual form stay readable', async () => {
  const usual = {
    allow: 'GET, POST, LIST',
    'content-type': 'application/json; charset=utf-8',
    server: 'nginx/1.25.3 (Ubuntu)',
    vary: 'Accept-Encoding, Origin',
    date: 'Sun, 29 Nov 2026 11:08:24 GMT',
    'retry-after': '120',
  }
  await open(answering(400, usual, '{}'))
  const input = { path: { name: 'x' }, mountPath: 'database', effectiveNamespace: '' }
  await exchange(target, contract.operations.get('database.readCreds')!, input, () => undefined)
  for (const value of Object.values(usual)) expect(secrets.redact(value)).toBe(value)
})

test('sentences of a refusal teach no words of a language, and still the secrets in them', async () => {
  const secret = 'qpwZerTvbnMlkJhgFd'
  const refusal = JSON.stringify({ errors: [`Specifies unrecognized parameters accordingly: see OpenVault, transfer-encoding, ${secret}`] })
  await open(answering(400, { 'content-type': 'application/json' }, refusal))
  const input = { path: { name: 'x' }, mountPath: 'database', effectiveNamespace: '' }
  await exchange(target, contract.operations.get('database.readCreds')!, input, () => undefined)
  for (const word of ['Specifies', 'unrecognized', 'accordingly', 'openvault', 'transfer-encoding']) expect(secrets.redact(word)).toBe(word)
  expect(secrets.redact(`x ${secret} y`)).toBe('x [redacted] y')
})
