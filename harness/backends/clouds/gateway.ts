/** The gateway: an HTTP CONNECT proxy that ends TLS for every provider's host and answers in its place. */
import { randomBytes, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import { services } from './all-services.ts'
import { createAuthority } from './certificates.ts'
import { type CloudAnswer, CloudRefusal, type CloudRequest, type Service } from './cloud-exchange.ts'
import { World } from './gateway-state.ts'
import { lateness, readLate } from './late-reads.ts'
import { CutOff, obey } from './obey.ts'
import { orderFor } from './orders.ts'
import { answerQuery } from './query.ts'
import { remember } from './request-records.ts'

/** Larger requests are cut off: no client of these services sends any. */
const MAX_BODY = 4_000_000

export interface Gateway {
  port: number
  /** PEM of the authority that clients have to trust. */
  caPem: string
  /** Bearer token of the query API. */
  token: string
  close(): Promise<void>
}

const bodyFrom = async (incoming: IncomingMessage): Promise<Buffer> => {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of incoming as AsyncIterable<Buffer>) {
    size += part.length
    if (size > MAX_BODY) throw new CutOff()
    parts.push(part)
  }
  return Buffer.concat(parts)
}

const headersOf = (incoming: IncomingMessage): Record<string, string> =>
  Object.fromEntries(
    Object.entries(incoming.headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : (value ?? '')]),
  )

const send = (response: ServerResponse, { status, headers, body }: CloudAnswer): void => {
  const text = body === undefined ? '' : JSON.stringify(body)
  response.writeHead(status, { ...(text === '' ? {} : { 'content-type': 'application/json; charset=UTF-8' }), ...headers })
  response.end(text)
}

/** A client's way to a provider: the host that it asked for, and how late it wants reads to be. */
interface Way {
  host: string
  lateMs: number
}

const answer = async (world: World, service: Service, request: CloudRequest, lateMs: number): Promise<CloudAnswer> => {
  const step = service.plan(request, world)
  const { project, operation } = step
  readLate(project, lateMs)
  const note = (status: number): void => {
    const { method, host, path } = request
    remember(project.records, { at: Date.now(), operation, method, host, path, status, detail: step.detail ?? {} })
  }
  try {
    const result = await obey(orderFor(project.orders, operation), step, service.failure)
    note(result.status)
    return result
  } catch (error) {
    note(error instanceof CloudRefusal ? error.answer.status : 0)
    throw error
  }
}

const serve = async (world: World, { host, lateMs }: Way, incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
  const service = services.find((one) => one.owns(host))
  try {
    if (service === undefined) return send(response, { status: 404, body: { error: `no service answers for ${host} here` } })
    const [path = '/', query = ''] = (incoming.url ?? '/').split('?', 2)
    const body = await bodyFrom(incoming)
    const request = { method: incoming.method ?? 'GET', host, path, query: new URLSearchParams(query), headers: headersOf(incoming), body }
    send(response, await answer(world, service, request, lateMs))
  } catch (error) {
    if (error instanceof CloudRefusal) send(response, error.answer)
    else if (error instanceof CutOff || service === undefined) incoming.socket.destroy()
    else send(response, service.failure(500))
  }
}

const mayAsk = (incoming: IncomingMessage, token: string): boolean => {
  const given = Buffer.from(incoming.headers.authorization ?? '')
  const wanted = Buffer.from(`Bearer ${token}`)
  return given.length === wanted.length && timingSafeEqual(given, wanted)
}

/**
 * Starts a gateway.
 *
 * @param listen address to listen at; loopback unless the target runs elsewhere.
 */
export const startGateway = async (listen = '127.0.0.1'): Promise<Gateway> => {
  const authority = await createAuthority()
  const world = new World()
  const token = randomBytes(24).toString('base64url')
  const ways = new WeakMap<object, Way>()
  const sockets = new Set<Socket>()
  const inner = createServer((incoming, response) => {
    void serve(world, ways.get(incoming.socket) ?? { host: '', lateMs: 0 }, incoming, response)
  })
  const outer = createServer(async (incoming, response) => {
    if (!mayAsk(incoming, token))
      return send(response, { status: 401, body: { error: 'this is the query API of a cloud gateway: its token is missing' } })
    try {
      send(response, await answerQuery(world, incoming.method ?? 'GET', incoming.url ?? '/', await bodyFrom(incoming)))
    } catch (error) {
      send(response, { status: 400, body: { error: error instanceof Error ? error.message : String(error) } })
    }
  })
  // A client that sends on a connection in the moment of its end cannot know what became of the request: clients end connections here.
  for (const server of [inner, outer]) server.keepAliveTimeout = 0
  const tunnel = async (way: Way, socket: Socket): Promise<void> => {
    const secureContext = await authority.contextFor(way.host)
    socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
    const secure = new TLSSocket(socket, { isServer: true, secureContext, ALPNProtocols: ['http/1.1'] })
    secure.on('error', () => socket.destroy())
    ways.set(secure, way)
    inner.emit('connection', secure)
  }
  outer.on('connect', (incoming: IncomingMessage, socket: Socket) => {
    socket.on('error', () => socket.destroy())
    const host = (incoming.url ?? '').replace(/:\d+$/, '').toLowerCase()
    if (services.some((one) => one.owns(host)))
      void tunnel({ host, lateMs: lateness(incoming.headers['proxy-authorization']) }, socket).catch(() => socket.destroy())
    else socket.end('HTTP/1.1 502 No such host\r\n\r\n')
  })
  outer.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve, reject) => outer.once('error', reject).listen(0, listen, resolve))
  return {
    port: (outer.address() as AddressInfo).port,
    caPem: authority.caPem,
    token,
    close: () =>
      new Promise((resolve) => {
        outer.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
}
