/** Hostile servers: every run ends within its deadline, with a clear message, and never with the gate passed. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { createReference } from '../reference/index.ts'
import { assay, hasStackTrace, temporaryFolder } from './support/cli.ts'
import { bytes, type Hostile, http, json, silent } from './support/hostile-servers.ts'
import { misbehaving } from './support/misbehaviour.ts'

const CONFIG = (url: string): string => `
name: hostile
targets:
  - api: secrets
    url: ${url}
    engines: [kv]
    provisioner: { kind: static }
    identities: { root: { token: root-token-of-the-test } }
    mounts: { kv1: { path: a, disposable: true }, kv2: { path: b, disposable: true } }
timing: { timeout: 1s, grace: 1s, run: 40s }
`

const drip = (text: string, every: number) => (socket: { write(data: string): boolean; destroyed: boolean }) => {
  let index = 0
  const timer = setInterval(() => {
    if (socket.destroyed || index >= text.length) clearInterval(timer)
    else socket.write(text[index++]!)
  }, every)
}

const forever =
  (head: string, piece: string) =>
  (socket: { write(data: string): boolean; destroyed: boolean; once(event: 'drain', then: () => void): unknown }) => {
    socket.write(head)
    const more = (): void => {
      while (!socket.destroyed) {
        if (!socket.write(piece)) {
          socket.once('drain', more)
          return
        }
      }
    }
    more()
  }

const HEAD = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n'
let turn = 0

const servers: Record<string, () => Promise<Hostile>> = {
  'hangs after connect': silent,
  'closes at once': () => bytes((socket) => socket.destroy()),
  'hangs after the headers': () => bytes((socket) => socket.write(`${HEAD}content-length: 10\r\n\r\n`)),
  'closes half-way': () => bytes((socket) => socket.end(`${HEAD}content-length: 1000\r\n\r\n{"data"`)),
  'sends endless headers': () => bytes(forever('HTTP/1.1 200 OK\r\n', `x-more: ${'a'.repeat(500)}\r\n`)),
  'sends an endless body': () => bytes(forever(`${HEAD}transfer-encoding: chunked\r\n\r\n`, `2710\r\n${'a'.repeat(10_000)}\r\n`)),
  'drips slowly': () => bytes(drip(`${HEAD}content-length: 2\r\n\r\n{}`, 300)),
  'does not speak HTTP': () => bytes((socket) => socket.end('220 mail.example ESMTP\r\n')),
  'answers invalid JSON': () =>
    http((_, response) => void response.writeHead(200, { 'content-type': 'application/json' }).end('{"data": {')),
  'answers another content type': () =>
    http((_, response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>It works!</h1>')),
  'answers an unreadable encoding': () =>
    http((_, response) => void response.writeHead(200, { 'content-encoding': 'gzip' }).end('no gzip')),
  'answers 100 MB': () =>
    http((_, response) => void response.writeHead(200, { 'content-type': 'application/json' }).end(Buffer.alloc(100_000_000, 32))),
  'redirects in a loop': () => http((request, response) => void response.writeHead(307, { location: request.url ?? '/' }).end()),
  'answers 500 on everything': () => http(json(500, { errors: ['no'] })),
  'answers 200 on everything': () => http(json(200, { data: {} })),
  'answers 204 on everything': () => http((_, response) => void response.writeHead(204).end()),
  'throttles everything': () => http(json(429, { errors: ['slow down'] })),
  'echoes the request': () =>
    http((request, response) => void request.pipe(response.writeHead(200, { 'content-type': 'application/json' }))),
  'answers what another asked': () => http(json(200, { data: { keys: ['somebody-else'], data: { other: true } }, request_id: 'x' })),
  flaps: () => http((request, response) => (turn++ % 2 === 0 ? void request.socket.destroy() : json(200, { data: {} })(request, response))),
}

describe.concurrent('hostile servers', () => {
  for (const [name, start] of Object.entries(servers)) {
    test(`a server that ${name}`, { timeout: 120_000 }, async ({ expect: check }) => {
      const server = await start()
      const folder = temporaryFolder()
      writeFileSync(join(folder, 'assay.config.yaml'), CONFIG(server.url))
      const ran = await assay(['certify', '--effort', 'quick'], { folder })
      await server.close()
      check([1, 3], `${name}: ${ran.all}`).toContain(ran.code)
      check(hasStackTrace(ran.all), ran.all).toBe(false)
      check(ran.all).not.toContain('root-token-of-the-test')
      check(ran.all.trim()).not.toBe('')
    })
  }
})

test('a refused connection is named with its remedy', async () => {
  const server = await silent()
  await server.close()
  const ran = await assay(['certify', server.url, '--token', 't', '--engine', 'kv'])
  expect(ran.code).toBe(3)
  expect(ran.stderr).toContain('refuses connections')
  expect(ran.stderr).toContain('remedy:')
})

// From a later request on. Without the probe each of these keeps a run until its longest time is over.
const ENGINES = ['kv', 'ssh', 'transform']
const GIVEN_UP = [
  'says nothing',
  'stops after the headers',
  'drips the body, a byte at a time',
  'sends 1xx and nothing else',
  'resets the connection',
  'closes the connection',
  'does not speak HTTP',
  'answers 412',
  'answers 502 in HTML',
].map((name, index) => [name, ENGINES[index % ENGINES.length]!] as const)

test.each(GIVEN_UP)('a server that %s from the 201st request on is given up (%s)', { timeout: 300_000 }, async (name, engine) => {
  const token = 'root-token-of-the-test'
  const reference = await createReference({ tls: false, rootToken: token }).listen()
  const server = await misbehaving(reference.url, name, 200)
  const flags = ['--engine', engine, '--effort', 'quick', '--timeout', '1s', '--max-time', '2m']
  const ran = await assay(['certify', server.url, '--token', token, ...flags])
  await server.close()
  await reference.close()
  expect(ran.code, ran.all).toBe(3)
  expect(ran.all.replaceAll(/\s+/g, ' ')).toMatch(/the target stopped answering at \d\d:\d\d:\d\d, after request \d+: /)
  expect(ran.all).not.toContain('longest time')
  expect(ran.all).toContain(`run assay clean ${server.url}`)
})
