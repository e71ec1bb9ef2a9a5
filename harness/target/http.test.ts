/** Connections that close under a request, and targets that stop answering. */
import type { Socket } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { bytes, type Hostile, http, json } from '../../tests/support/hostile-servers.ts'
import { HttpClient } from './http.ts'
import { Work } from './left-work.ts'

let server: Hostile
let client: HttpClient
afterEach(async () => {
  await client.close()
  await server.close()
})

const clientOf = (started: Hostile, concurrency = 1, signal = new AbortController().signal): HttpClient => {
  server = started
  client = new HttpClient({
    url: new URL(started.url),
    tls: {},
    timeout: 400,
    concurrency,
    rate: 0,
    probePath: '/v1/',
    puttingOff: ({ status }) => [412, 429, 502].includes(status),
    learn: () => undefined,
    signal,
  })
  return client
}
const ask = (method = 'GET') => client.send({ method, path: '/v1/x', headers: {} })

const ANSWER = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}'

/** Answers the first request of a connection, and breaks it at the second. */
const breaksKeptAlive = (breakIt: (socket: Socket) => void, seen: string[]): Promise<Hostile> =>
  bytes((socket, first) => {
    seen.push(first.toString().split(' ')[0]!)
    socket.write(ANSWER)
    socket.once('data', (second: Buffer) => {
      seen.push(second.toString().split(' ')[0]!)
      breakIt(socket)
    })
  })

describe.each([
  ['closed', (socket: Socket) => void socket.end()],
  ['reset', (socket: Socket) => void socket.resetAndDestroy()],
])('a kept-alive connection that is %s under a request', (_, breakIt) => {
  test.each(['GET', 'HEAD', 'LIST'])('%s is repeated once, on another connection', async (method) => {
    const seen: string[] = []
    clientOf(await breaksKeptAlive(breakIt, seen))
    expect((await ask()).status).toBe(200)
    expect((await ask(method)).status).toBe(200)
    expect(seen).toEqual(['GET', method, method])
    expect(client.sent).toBe(3)
  })
  test('POST is not, which may have been carried out', async () => {
    const seen: string[] = []
    clientOf(await breaksKeptAlive(breakIt, seen))
    await ask()
    await expect(ask('POST')).rejects.toThrow()
    expect(seen).toEqual(['GET', 'POST'])
  })
})

test('a request on a fresh connection that closes is not repeated', async () => {
  let connections = 0
  clientOf(
    await bytes((socket) => {
      connections += 1
      socket.destroy()
    }),
  )
  await expect(ask()).rejects.toThrow()
  expect(connections).toBe(1)
})

const failures = async (count: number): Promise<string[]> => {
  const all = await Promise.allSettled(Array.from({ length: count }, () => ask()))
  return all.flatMap((one) => (one.status === 'rejected' ? [(one.reason as Error).message] : []))
}

describe('a target that stops answering', () => {
  test.each<[string, () => Promise<Hostile>]>([
    ['closes', () => http((request, response) => void (served++ < 3 ? json(200, {})(request, response) : request.socket.destroy()))],
    ['hangs', () => http((request, response) => void (served++ < 3 ? json(200, {})(request, response) : undefined))],
    ['answers 412', () => http((request, response) => json(served++ < 3 ? 200 : 412, {})(request, response))],
    ['answers 502', () => http((request, response) => json(served++ < 3 ? 200 : 502, {})(request, response))],
  ])('it %s: is probed, and then nothing more is sent', async (_, start) => {
    served = 0
    clientOf(await start(), 4)
    await failures(60)
    expect(client.lost).toMatch(/^the target stopped answering at \d\d:\d\d:\d\d, after request 3: /)
    const sent = client.sent
    expect(sent).toBeLessThan(30)
    await expect(ask()).rejects.toThrow('the target stopped answering')
    expect(client.sent).toBe(sent)
    expect(await client.revive()).toBe(false)
  })

  test('it answers the probe: it goes on', async () => {
    clientOf(
      await http((request, response) => void (request.url === '/v1/' ? json(404, {})(request, response) : request.socket.destroy())),
      4,
    )
    expect(await failures(40)).toHaveLength(40)
    expect(client.lost).toBeUndefined()
  })

  test('it answers again: it can be cleaned', async () => {
    served = 0
    clientOf(await http((request, response) => void (served++ < 40 ? request.socket.destroy() : json(200, {})(request, response))))
    await failures(10)
    expect(client.lost).toBeDefined()
    while (!(await client.revive()));
    expect((await ask()).status).toBe(200)
  })
})

let served = 0

describe('a request under way when the run is interrupted', () => {
  /** A server that answers once it is told to. */
  const waiting = () => {
    const served: (string | undefined)[] = []
    const carriedOut: string[] = []
    let answer = (): void => undefined
    let came = (): void => undefined
    const come = new Promise<void>((done) => (came = done))
    const started = http((request, response) => {
      served.push(request.method)
      came()
      response.on('close', () => void (response.writableEnded || carriedOut.push(`${request.method} broken off`)))
      answer = () => void response.end('{}', () => carriedOut.push(`${request.method} answered`))
    })
    return { started, served, carriedOut, come, answer: () => answer() }
  }

  test.each(['POST', 'DELETE'])('%s is still carried out if its answer is not awaited', async (method) => {
    const { started, carriedOut, come, answer } = waiting()
    const abort = new AbortController()
    clientOf(await started, 1, abort.signal)
    const sent = ask(method)
    await come
    abort.abort()
    await expect(sent).rejects.toThrow('interrupted')
    expect(carriedOut).toEqual([])
    answer()
    await client.settled()
    await expect.poll(() => carriedOut).toEqual([`${method} answered`])
  })

  test('GET is broken off', async () => {
    const { started, carriedOut, come } = waiting()
    const abort = new AbortController()
    clientOf(await started, 1, abort.signal)
    const sent = ask('GET')
    await come
    abort.abort()
    await expect(sent).rejects.toThrow('interrupted')
    await expect.poll(() => carriedOut).toEqual(['GET broken off'])
  })

  test('what waits for its turn is not sent any more, and what is asked afterwards is', async () => {
    const { started, served, carriedOut, come, answer } = waiting()
    const abort = new AbortController()
    clientOf(await started, 1, abort.signal)
    const sent = [ask('POST'), ask('PUT')]
    await come
    abort.abort()
    for (const one of sent) await expect(one).rejects.toThrow('interrupted')
    answer()
    await client.settled()
    const later = ask('DELETE')
    await expect.poll(() => served).toEqual(['POST', 'DELETE'])
    answer()
    expect((await later).status).toBe(200)
    expect(carriedOut).toEqual(['POST answered', 'DELETE answered'])
  })
})

describe('work that was left', () => {
  test('sends nothing more, be it that it waits for its turn already; what others use too is sent', async () => {
    const seen: string[] = []
    let answer = (): void => undefined
    const started = http((request, response) => {
      seen.push(request.url!)
      answer = () => void response.end('{}')
    })
    clientOf(await started)
    const to = (path: string) => client.send({ method: 'POST', path, headers: {} })
    const work = new Work()
    const first = work.run(() => to('/first'))
    const second = work.run(() => to('/second'))
    const shared = work.run(() => Work.shared(() => to('/shared')))
    await expect.poll(() => seen).toEqual(['/first'])
    work.leave()
    answer()
    await first
    await expect(second).rejects.toThrow('was abandoned')
    await expect.poll(() => seen).toEqual(['/first', '/shared'])
    answer()
    await shared
    await expect(work.run(() => to('/third'))).rejects.toThrow('was abandoned')
    expect(() => work.run(() => Work.shared(() => to('/other')))).toThrow('was abandoned')
    expect(seen).toEqual(['/first', '/shared'])
  })
})
