import { connect, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Listener, listen } from './listener.ts'
import { selfSigned } from './server-certificate.ts'

/** Echoes method, path and body of each request. */
const echo = {
  basePath: '/v1',
  handle: async ({ method, path, body }: { method: string; path: string; body: Uint8Array }) => ({
    status: 200,
    body: { seen: `${method} ${path} ${Buffer.from(body).toString()}` },
  }),
}

const options = {
  apis: [echo],
  tooLarge: (bytes: number) => bytes > 1000,
  oversizeStatus: () => 413,
  errorBody: (errors: string[]) => ({ errors }),
  onInternalError: () => undefined,
}

let plain: Listener
let secure: Listener
let ca: string

beforeAll(async () => {
  const certificate = await selfSigned('127.0.0.1')
  ca = certificate.caPem
  plain = await listen(options, '127.0.0.1', 0)
  secure = await listen({ ...options, tls: certificate }, '127.0.0.1', 0)
})

afterAll(async () => {
  await plain.close()
  await secure.close()
})

const open = {
  http: () => connect(plain.port, '127.0.0.1'),
  https: () => connectTls({ port: secure.port, host: '127.0.0.1', ca }),
}

/** Sends pieces one by one on one connection and returns what the requests were taken for. */
const exchange = async (socket: Socket, pieces: string[], answers: number): Promise<string[]> => {
  let received = ''
  socket.setNoDelay(true)
  socket.on('data', (chunk) => {
    received += chunk.toString()
  })
  const seen = () => [...received.matchAll(/"(?:seen|errors)":\[?"([^"]*)"/g)].map(([, text]) => text ?? '')
  for (const piece of pieces) {
    socket.write(piece)
    await new Promise((resolve) => setTimeout(resolve, 3))
  }
  for (let round = 0; round < 200 && seen().length < answers; round += 1) await new Promise((resolve) => setTimeout(resolve, 5))
  socket.destroy()
  return seen()
}

const list = (path: string) => `LIST /v1/${path} HTTP/1.1\r\nHost: x\r\n\r\n`
const post = (path: string, body: string) =>
  `POST /v1/${path} HTTP/1.1\r\nHost: x\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
const chunked = (path: string, parts: string[]) =>
  `PUT /v1/${path} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n${parts.map((part) => `${part.length.toString(16)}\r\n${part}\r\n`).join('')}0\r\n\r\n`

describe.each(['http', 'https'] as const)('the verb LIST over %s', (scheme) => {
  it('is taken on one connection among other verbs', async () => {
    const seen = await exchange(open[scheme](), [list('a'), post('b', '{}'), list('c')], 3)
    expect(seen).toEqual(['LIST a ', 'POST b {}', 'LIST c '])
  })

  it('is taken when requests come in one piece', async () => {
    const seen = await exchange(
      open[scheme](),
      [list('a') + post('b', 'LIST /x') + list('c') + chunked('d', ['LIST /y', 'LIST']) + list('e')],
      5,
    )
    expect(seen).toEqual(['LIST a ', 'POST b LIST /x', 'LIST c ', 'PUT d LIST /yLIST', 'LIST e '])
  })

  it('is taken when a request comes byte by byte', async () => {
    const seen = await exchange(open[scheme](), [...list('a'), ...chunked('b', ['LIST /v1/x HTTP/1.1'])], 2)
    expect(seen).toEqual(['LIST a ', 'PUT b LIST /v1/x HTTP/1.1'])
  })

  it('leaves bodies alone that begin like a request, in pieces of their own', async () => {
    const body = 'LIST /x HTTP/1.1'
    const head = `POST /v1/b HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n`
    expect(await exchange(open[scheme](), [head, body, list('c')], 2)).toEqual([`POST b ${body}`, 'LIST c '])
  })

  it('is told from the verb LINK', async () => {
    expect(await exchange(open[scheme](), ['LINK /v1/a HTTP/1.1\r\nHost: x\r\n\r\n', list('b')], 2)).toEqual(['LINK a ', 'LIST b '])
  })
})

it('answers a body that is too large and cuts the connection after it', async () => {
  const seen = await exchange(open.http(), [post('a', 'x'.repeat(2000))], 1)
  expect(seen).toEqual(['request body too large'])
})

it('answers anything but HTTP with 400', async () => {
  expect(await exchange(open.http(), ['LISX / HTTP/1.1\r\n\r\n'], 1)).toEqual(['malformed request'])
})

it('closes at once with a connection open', async () => {
  const listener = await listen(options, '127.0.0.1', 0)
  const socket = connect(listener.port, '127.0.0.1')
  await exchange(socket, [list('a')], 1)
  const idle = connect(listener.port, '127.0.0.1')
  await new Promise((resolve) => idle.once('connect', resolve))
  const before = Date.now()
  await listener.close()
  expect(Date.now() - before).toBeLessThan(1000)
  idle.destroy()
})
