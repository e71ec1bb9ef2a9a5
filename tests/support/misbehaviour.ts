/** Ways in which a server, or what stands before it, misbehaves: from the first request on, or from a later one. */
import { connect, createServer, type Socket } from 'node:net'
import { type Hostile, serve } from './hostile-servers.ts'

/** What happens instead of an answer to a request. */
type Misbehaviour = (socket: Socket) => void

const HEAD = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n'

const every = (ms: number, socket: Socket, act: () => void): void => {
  const timer = setInterval(act, ms)
  socket.once('close', () => clearInterval(timer))
}

const answer =
  (status: string, headers: string, body: string): Misbehaviour =>
  (socket) =>
    void socket.write(`HTTP/1.1 ${status}\r\n${headers}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`)

const json = (status: string, body: string, headers = ''): Misbehaviour =>
  answer(status, `content-type: application/json\r\n${headers}`, body)

const drip = (text: string): Misbehaviour => {
  return (socket) => {
    let index = 0
    every(300, socket, () => void socket.write(text[index++ % text.length]!))
  }
}

const flood: Misbehaviour = (socket) => {
  socket.write(`${HEAD}transfer-encoding: chunked\r\n\r\n`)
  const piece = `10000\r\n${'a'.repeat(65_536)}\r\n`
  const more = (): void => {
    while (!socket.destroyed && socket.write(piece));
    socket.once('drain', more)
  }
  more()
}

const DEEP = 200_000
const MANY = 100_000
const many = <T>(item: (index: number) => T): T[] => Array.from({ length: MANY }, (_, index) => item(index))

/** By name: what a reader of the table sees. */
export const misbehaviours: Record<string, Misbehaviour> = {
  'says nothing': () => undefined,
  'stops after the headers': (socket) => void socket.write(`${HEAD}content-length: 10\r\n\r\n`),
  'drips the headers, a byte at a time': drip(`${HEAD}x-more: ${'a'.repeat(1000)}`),
  'drips the body, a byte at a time': (socket) => {
    socket.write(`${HEAD}content-length: 100000\r\n\r\n`)
    drip(' ')(socket)
  },
  'sends 1xx and nothing else': (socket) => every(200, socket, () => void socket.write('HTTP/1.1 103 Early Hints\r\n\r\n')),
  'resets the connection': (socket) => void socket.resetAndDestroy(),
  'closes the connection': (socket) => void socket.end(),
  'closes in the middle of an answer': (socket) => void socket.end(`${HEAD}content-length: 1000\r\n\r\n{"data"`),
  'sends more than content-length says': (socket) => void socket.write(`${HEAD}content-length: 2\r\n\r\n{"data":{}}`),
  'sends an endless body': flood,
  'does not speak HTTP': (socket) => void socket.write('220 mail.example ESMTP\r\n'),
  'speaks TLS where HTTP is asked': (socket) => void socket.end(Buffer.from('15030100020246', 'hex')),
  'answers 405': json('405 Method Not Allowed', '{"errors":["unsupported operation"]}'),
  'answers 412': json('412 Precondition Failed', '{"errors":["not yet consistent"]}'),
  'answers 429 with Retry-After': json('429 Too Many Requests', '{"errors":["slow down"]}', 'retry-after: 3600\r\n'),
  'answers 503': json('503 Service Unavailable', '{"errors":["maintenance"]}'),
  'answers 502 in HTML': answer('502 Bad Gateway', 'content-type: text/html\r\n', '<html><h1>502 Bad Gateway</h1></html>'),
  'redirects in a loop': answer('307 Temporary Redirect', 'location: /v1/again\r\n', ''),
  'answers 200 with nothing': answer('200 OK', '', ''),
  'answers text instead of JSON': answer('200 OK', 'content-type: text/plain\r\n', 'fine'),
  'answers with data that is null': json('200 OK', '{"data":null}'),
  'answers JSON 200,000 levels deep': json('200 OK', `{"data":${'['.repeat(DEEP)}${']'.repeat(DEEP)}}`),
  'answers with 100,000 members': json('200 OK', JSON.stringify({ data: Object.fromEntries(many((index) => [`member-${index}`, index])) })),
  'answers with 100,000 items': json('200 OK', JSON.stringify({ data: { keys: many((index) => index) } })),
  'answers with 100,000 errors': json(
    '400 Bad Request',
    JSON.stringify({ errors: many((index) => `the field of number ${index} is wrong`) }),
  ),
  'answers 5 MB': json('200 OK', `{"data":{"filler":"${'a'.repeat(5_000_000)}"}}`),
}

/** What passes: a server that behaves so for ever has no row of its own. */
const passing: Record<string, Misbehaviour> = {
  'commits nothing': json('500 Internal Server Error', '{"errors":["1 error occurred:\\n\\t* transaction commit failed\\n\\n"]}'),
}

const isRequest = (piece: Buffer): boolean => /^[A-Z]+ \/\S* HTTP\/1\.1\r\n/.test(piece.subarray(0, 4096).toString('latin1'))

/**
 * A proxy that passes requests on to a server until it misbehaves.
 *
 * @param url the server, plain HTTP.
 * @param after how many requests it passes on.
 * @param route first lines of the requests that it misbehaves on; default any.
 * @param times on how many of them; default all.
 */
export const misbehaving = async (
  url: string,
  name: string,
  after: number,
  route = /^/,
  times = Number.POSITIVE_INFINITY,
): Promise<Hostile & { reached(): boolean }> => {
  const misbehave = misbehaviours[name] ?? passing[name]!
  const { hostname, port } = new URL(url)
  let requests = 0
  let left = times
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname)
    upstream.on('error', () => client.destroy())
    upstream.on('data', (piece: Buffer) => void client.write(piece))
    client.on('close', () => upstream.destroy())
    let passes = true
    client.on('data', (piece: Buffer) => {
      const begins = isRequest(piece)
      if (begins) {
        requests += 1
        passes = requests <= after || left === 0 || !route.test(piece.toString('latin1'))
        if (!passes) left -= 1
      }
      if (passes) return void upstream.write(piece)
      if (begins) misbehave(client)
    })
  })
  return { ...(await serve(server)), reached: () => requests > after }
}
