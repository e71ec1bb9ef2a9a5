/** What preflight says of targets that cannot be tested: the reason and the remedy, in seconds. */

import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { join } from 'node:path'
import type { TLSSocket } from 'node:tls'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { selfSigned } from '../../reference/http/server-certificate.ts'
import { createReference, type Reference } from '../../reference/index.ts'
import { temporaryFolder } from '../../tests/support/cli.ts'
import { bytes, type Hostile, http } from '../../tests/support/hostile-servers.ts'
import { Blocked } from '../base/errors.ts'
import { loadContract } from '../contract/load.ts'
import { closeRun, openRun } from '../running/open-run.ts'
import { completeRun, completeTarget, type TargetConfig } from './run-configuration.ts'

const TOKEN = 'root-token-of-the-preflight-test'
let reference: Reference
let vault: Reference

beforeAll(async () => {
  reference = await createReference({ rootToken: TOKEN }).listen('localhost')
  vault = await createReference({ rootToken: TOKEN, dialect: 'vault', tls: false }).listen()
})
afterAll(() => Promise.all([reference.close(), vault.close()]))

const open = async (url: string, more: Partial<TargetConfig> = {}, token = TOKEN, timeout = '5s') => {
  const target = completeTarget({ api: 'secrets', url, engines: ['kv'], ...more }, process.cwd())
  const config = { ...completeRun({ timing: { timeout } }, process.cwd()), targets: [target] }
  return openRun(await loadContract(), config, { seed: 1, effort: 'quick', token, signal: new AbortController().signal })
}

const blockedBy = async (url: string, more?: Partial<TargetConfig>, token?: string, timeout?: string): Promise<Blocked> => {
  const outcome = await open(url, more, token, timeout).then(
    ({ context }) => closeRun(context).then(() => undefined),
    (error: unknown) => error,
  )
  if (!(outcome instanceof Blocked)) throw new Error(`not blocked: ${outcome}`)
  return outcome
}

describe('what is wrong with a target', () => {
  test('a name that does not resolve', async () => {
    expect((await blockedBy('http://does-not-exist.invalid')).message).toMatch(/does not resolve|could not be resolved/)
  })
  test('a refused connection', async () => expect((await blockedBy('http://127.0.0.1:1')).message).toMatch(/refuses connections/))
  test('a certificate that is not trusted', async () => {
    const blocked = await blockedBy(reference.url)
    expect(blocked.message).toMatch(/certificate .* is not trusted/)
    expect(blocked.remedy).toMatch(/--ca-cert/)
  })
  test('a certificate for another name', async () => {
    const { caPem } = reference
    const url = reference.url.replace('localhost', 'ip6-localhost.localhost')
    const blocked = await blockedBy(url, { tls: { caPem: caPem ?? '' } })
    expect(blocked.message).toMatch(/another name|resolve/)
  })
  test('plain HTTP on a TLS port', async () => {
    expect((await blockedBy(reference.url.replace('https', 'http'))).message).toMatch(/reset|closed|does not speak HTTP|within/)
  })
  test('TLS on a plain port', async () => {
    expect((await blockedBy(vault.url.replace('http', 'https'))).message).toMatch(/does not speak TLS|closed|failed/)
  })
  test('a server that does not speak HTTP', async () => {
    const server: Hostile = await bytes((socket) => socket.end('220 mail ready\r\n'))
    expect((await blockedBy(server.url)).message).toMatch(/does not speak HTTP/)
    await server.close()
  })
  test.each([
    ['a login page', 'static', 200, {}, /not a server of this API: it answers GET .* with 200 and text\/html/],
    ['JSON of another kind', 'static', 200, { 'content-type': 'application/json' }, /not a server of this API: it answers GET .* with 200/],
    ['a redirect to a login', 'static', 302, { location: '/login?next=%2F' }, /redirects requests of this API \(302\) to \/login/],
    ['a redirect to a login, asked by sys', 'sys', 302, { location: '/login' }, /redirects requests of this API \(302\) to \/login/],
  ] as const)('%s', async (_, kind, status, headers, says) => {
    const page = await http((_request, response) =>
      response
        .writeHead(status, { 'content-type': 'text/html', ...headers })
        .end('content-type' in headers ? '{"ok":true}' : '<html>log in</html>'),
    )
    const blocked = await blockedBy(page.url, {
      provisioner: { kind },
      api: 'run-management',
      engines: ['policy-checks'],
    } as Partial<TargetConfig>)
    expect(blocked.message).toMatch(says)
    await page.close()
  })
  test('a wrong token', async () => {
    expect((await blockedBy(vault.url, { dialect: 'vault' }, 'no-such-token')).message).toMatch(/refuses the token/)
  })
  test('a token that may not prepare the server, whether engines are named or probed', async () => {
    const made = await fetch(`${vault.url}/v1/auth/token/create`, {
      method: 'POST',
      headers: { 'X-Vault-Token': TOKEN, 'Content-Type': 'application/json' },
      body: '{"policies":["default"]}',
    })
    const { auth } = (await made.json()) as { auth: { client_token: string } }
    for (const engines of [['kv'], undefined]) {
      const blocked = await blockedBy(vault.url, { dialect: 'vault', engines } as Partial<TargetConfig>, auth.client_token)
      expect(blocked.message).toMatch(/mounting kv1 failed with status 403/)
      expect(blocked.remedy).toMatch(/token that may use sys/)
    }
  })
  test('another dialect, and which one works', async () => {
    const blocked = await blockedBy(vault.url)
    expect(blocked.message).toMatch(/does not speak the dialect native; vault works/)
    expect(blocked.remedy).toBe('pass --dialect vault')
  })
  test('a sealed server', async () => {
    const sealed = await createReference({ rootToken: TOKEN, tls: false }).listen()
    await fetch(`${sealed.url}/v1/sys/seal`, { method: 'POST', headers: { 'X-Service-Token': TOKEN } })
    expect((await blockedBy(sealed.url)).message).toMatch(/sealed/)
    await sealed.close()
  })
  test('a server that does not answer', async () => {
    const server = createServer(() => undefined)
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    const { port } = server.address() as { port: number }
    expect((await blockedBy(`http://127.0.0.1:${port}`, {}, TOKEN, '300ms')).message).toMatch(/within the deadline/)
    server.closeAllConnections()
    server.close()
  })
})

test('a target whose one mount answers in bytes is taken for what it is', async () => {
  const headers = { 'X-Vault-Token': TOKEN, 'Content-Type': 'application/json' }
  await fetch(`${vault.url}/v1/sys/mounts/certificates`, { method: 'POST', headers, body: '{"type":"pki"}' })
  const given = { dialect: 'vault', engines: ['pki'], provisioner: { kind: 'static' }, mounts: { pki: { path: 'certificates' } } }
  const { context } = await open(vault.url, given as Partial<TargetConfig>)
  expect(context.targets.get('secrets')?.engines).toEqual(['pki'])
  await closeRun(context)
})

describe('TLS', () => {
  test('with the authority of the server', async () => {
    const { context } = await open(reference.url, { tls: { caPem: reference.caPem ?? '' } })
    expect(context.targets.get('secrets')?.root.displayName).toBe('root')
    await closeRun(context)
  })
  test('without verification, which the report says', async () => {
    const { context, notes } = await open(reference.url, { tls: { skipVerify: true } })
    expect(notes.join()).toMatch(/not verified/)
    await closeRun(context)
  })
  test('with a client certificate', async () => {
    const pair = await selfSigned('localhost')
    const seen: unknown[] = []
    const options = { key: pair.keyPem, cert: pair.certPem, ca: pair.caPem, requestCert: true, rejectUnauthorized: false }
    const server = createTlsServer(options, (request, response) => {
      seen.push((request.socket as TLSSocket).getPeerCertificate().subject?.CN)
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"data":{"display_name":"root"}}')
    })
    await new Promise<void>((done) => server.listen(0, 'localhost', done))
    const { port } = server.address() as { port: number }
    const folder = temporaryFolder()
    const [clientCert, clientKey] = [join(folder, 'cert.pem'), join(folder, 'key.pem')]
    writeFileSync(clientCert, pair.certPem)
    writeFileSync(clientKey, pair.keyPem)
    const { context } = await open(`https://localhost:${port}`, { tls: { caPem: pair.caPem, clientCert, clientKey } })
    await closeRun(context)
    server.closeAllConnections()
    server.close()
    expect(new Set(seen)).toEqual(new Set(['Reference server']))
  })
})

test('a run that is to end does so between two steps of the probe, and leaves no trial mount', async () => {
  const abort = new AbortController()
  const asked: string[] = []
  const server = await http((request, response) => {
    asked.push(`${request.method} ${request.url}`)
    if (request.method === 'POST') abort.abort(new Error('too long'))
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"data":{}}')
  })
  const config = { ...completeRun({}, process.cwd()), targets: [completeTarget({ api: 'secrets', url: server.url }, process.cwd())] }
  const opening = openRun(await loadContract(), config, { seed: 1, effort: 'quick', token: TOKEN, signal: abort.signal })
  await expect(opening).rejects.toThrow('too long')
  await server.close()
  expect(asked.filter((one) => one.startsWith('POST'))).toHaveLength(1)
})
