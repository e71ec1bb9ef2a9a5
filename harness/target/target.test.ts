/** Retries and lost answers, against a server that answers to order. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { afterEach, expect, test } from 'vitest'
import { type Hostile, http, json } from '../../tests/support/hostile-servers.ts'
import { loadContract } from '../contract/load.ts'
import { openTarget } from '../running/open-target.ts'
import { SecretRegistry } from '../secrets/secrets.ts'
import { completeRun, completeTarget } from './run-configuration.ts'
import { type Exchange, exchange, plainSender, type Target } from './target.ts'

let server: Hostile
let target: Target
afterEach(async () => {
  await target.http.close()
  await server.close()
})

const open = async (answer: (request: IncomingMessage, response: ServerResponse) => void) => {
  server = await http(answer)
  const contract = await loadContract()
  const config = completeTarget({ api: 'secrets', url: server.url, engines: ['kv'] }, process.cwd())
  target = openTarget(contract, completeRun({ timing: { timeout: '1s' } }, process.cwd()), config, {
    run: 'r',
    token: 'some-token',
    secrets: new SecretRegistry(),
    journal: () => undefined,
    removed: () => undefined,
    signal: new AbortController().signal,
  })
  return contract
}

const send = async (answer: Parameters<typeof open>[0]): Promise<Exchange[]> => {
  const contract = await open(answer)
  const seen: Exchange[] = []
  const input = { path: { path: 'x' }, mountPath: 'kv', effectiveNamespace: '' }
  await exchange(target, contract.operations.get('kv1.read')!, input, (one) => seen.push(one))
  return seen
}

const statuses = (exchanges: Exchange[]) => exchanges.map((one) => one.answer?.status)

test.each([412, 429])('%i is asked again with backoff until it is over', async (status) => {
  let left = 2
  const seen = await send((request, response) => json(left-- > 0 ? status : 200, { data: {} })(request, response))
  expect(statuses(seen)).toEqual([status, status, 200])
})

test.each([412, 429])('%i is asked again for what prepares the target too', async (status) => {
  let left = 2
  await open((request, response) => json(left-- > 0 ? status : 200, { data: {} })(request, response))
  expect((await plainSender(target)('POST', 'sys/mounts/x')).status).toBe(200)
  left = 1
  expect((await plainSender(target)('GET', 'sys/health', { token: null })).status).toBe(status)
})

test('any other status is final', async () => {
  expect(statuses(await send(json(500, { errors: [] })))).toEqual([500])
})

test('an answer that was lost may have been applied', async () => {
  const [only] = await send((request) => void request.socket.destroy())
  expect(only).toMatchObject({ indeterminate: true, failure: { reason: expect.stringMatching(/closed|reset/) } })
})

test('a redirect is an answer, not followed', async () => {
  expect(statuses(await send((_, response) => void response.writeHead(307, { location: '/elsewhere' }).end()))).toEqual([307])
})
