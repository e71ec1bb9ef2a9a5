/** Proxies: which one leads to a server, and that everything goes through it. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { createReference, type Reference } from '../../reference/index.ts'
import { type ConnectProxy, connectProxy } from '../../tests/support/connect-proxy.ts'
import { loadContract } from '../contract/load.ts'
import { closeRun, openRun } from '../running/open-run.ts'
import { proxyTo, withoutPassword } from './proxy.ts'
import { completeRun, completeTarget, type TargetConfig } from './run-configuration.ts'

const TOKEN = 'root-token-of-the-proxy-test'
const NAME = 'secrets.somewhere.example'
const VARIABLES = ['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'ALL_PROXY']
let secure: Reference
let plain: Reference
let proxy: ConnectProxy

const portOf = ({ url }: Reference): number => Number(new URL(url).port)

beforeAll(async () => {
  secure = await createReference({ rootToken: TOKEN }).listen()
  plain = await createReference({ rootToken: TOKEN, tls: false }).listen()
  proxy = await connectProxy({
    [`${NAME}:443`]: portOf(secure),
    [`${NAME}:8200`]: portOf(plain),
    [`127.0.0.1:${portOf(plain)}`]: portOf(plain),
  })
})
afterAll(() => Promise.all([secure.close(), plain.close(), proxy.close()]))
beforeEach(() => {
  for (const name of VARIABLES.flatMap((one) => [one, one.toLowerCase()])) vi.stubEnv(name, undefined)
  proxy.tunnels.length = 0
  proxy.logins.length = 0
})
afterEach(() => void vi.unstubAllEnvs())

const open = async (url: string, more: Partial<TargetConfig> = {}) => {
  const target = completeTarget({ api: 'secrets', url, engines: ['kv'], ...more }, process.cwd())
  const config = { ...completeRun({ timing: { timeout: '5s' } }, process.cwd()), targets: [target] }
  const { context, notes } = await openRun(await loadContract(), config, {
    seed: 1,
    effort: 'quick',
    token: TOKEN,
    signal: new AbortController().signal,
  })
  await closeRun(context)
  return notes.join('\n')
}

test.each([
  ['https://a.example', { HTTPS_PROXY: 'http://p:1' }, undefined, 'http://p:1'],
  ['https://a.example', { https_proxy: 'p:1' }, undefined, 'https://p:1'],
  ['http://a.example', { HTTPS_PROXY: 'http://p:1' }, undefined, undefined],
  ['http://a.example', { HTTP_PROXY: 'http://p:1' }, undefined, 'http://p:1'],
  ['https://a.example', { HTTPS_PROXY: 'http://p:1', NO_PROXY: 'b.example,a.example' }, undefined, undefined],
  ['https://a.example', { HTTPS_PROXY: 'http://p:1', NO_PROXY: '.example' }, undefined, undefined],
  ['https://a.example', { HTTPS_PROXY: 'http://p:1', NO_PROXY: 'a.example:8200' }, undefined, 'http://p:1'],
  ['https://a.example', { HTTPS_PROXY: 'http://p:1' }, 'none', undefined],
  ['https://a.example', { HTTPS_PROXY: 'http://p:1', NO_PROXY: '*' }, 'http://q:2', 'http://q:2'],
  ['https://127.0.0.1:8200', { HTTPS_PROXY: 'http://p:1' }, undefined, undefined],
  ['https://[::1]:8200', { HTTPS_PROXY: 'http://p:1' }, undefined, undefined],
  ['https://localhost', { HTTPS_PROXY: 'http://p:1' }, undefined, undefined],
  ['https://127.0.0.1:8200', {}, 'http://q:2', 'http://q:2'],
])('%s with %j and --proxy %s: %s', (url, environment, said, expected) => {
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value)
  expect(proxyTo(new URL(url), said)?.origin).toBe(expected)
})

test.each(['socks5://p:1', 'p', 'http://'])('%s is refused as a proxy, and no password is shown', (text) => {
  expect(() => proxyTo(new URL('https://a.example'), text)).toThrow(/is not a proxy URL such as/)
  vi.stubEnv('HTTPS_PROXY', 'ftp://me:hush@p')
  expect(() => proxyTo(new URL('https://a.example'))).toThrow(/^the environment variable HTTPS_PROXY (?!.*hush)/)
  expect(withoutPassword('http://me:hush@p:1/')).toBe('http://p:1/')
})

test('a server that only the proxy can reach is tried over TLS, which ends at the server, and the notes say so', async () => {
  vi.stubEnv('HTTPS_PROXY', proxy.url.replace('//', '//me:hush@'))
  const notes = await open(`https://${NAME}`, { tls: { skipVerify: true } })
  expect(notes).toContain(`reached through the proxy ${proxy.url}`)
  expect(new Set(proxy.tunnels)).toEqual(new Set([`${NAME}:443`]))
  expect(new Set(proxy.logins)).toEqual(new Set(['me:hush']))
  await expect(open(`https://${NAME}`, { tls: { caPem: secure.caPem! } })).rejects.toThrow(/is for another name, through the proxy/)
})

test('plain HTTP goes through it too', async () => {
  vi.stubEnv('HTTP_PROXY', proxy.url)
  await open(`http://${NAME}:8200`)
  expect(proxy.tunnels.length).toBeGreaterThan(0)
})

test('loopback goes through it only where somebody asks for that', async () => {
  vi.stubEnv('HTTP_PROXY', proxy.url)
  expect(await open(plain.url)).not.toContain('proxy')
  expect(proxy.tunnels).toEqual([])
  expect(await open(plain.url, { proxy: proxy.url })).toContain(`reached through the proxy ${proxy.url}`)
  expect(proxy.tunnels.length).toBeGreaterThan(0)
})

test('what goes wrong is said of the proxy', async () => {
  vi.stubEnv('HTTPS_PROXY', proxy.url)
  await expect(open('https://elsewhere.example')).rejects.toMatchObject({
    message: expect.stringMatching(/the proxy answers 403 when asked for a way to elsewhere\.example/),
    remedy: expect.stringMatching(/--proxy none/),
  })
  vi.stubEnv('HTTPS_PROXY', 'http://127.0.0.1:1')
  await expect(open('https://elsewhere.example')).rejects.toThrow(/through the proxy http:\/\/127\.0\.0\.1:1$/)
})
