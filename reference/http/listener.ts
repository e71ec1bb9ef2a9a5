/** The HTTP(S) listener: reads whole requests, gives them to the API whose base path fits, writes the replies. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import type { Api, Request } from '../core/api.ts'
import type { Json } from '../core/json.ts'
import { stringify } from '../core/json.ts'
import type { Reply } from '../core/reply.ts'
import { acceptList, takeVerb } from './list-verb.ts'

export interface ListenerOptions {
  apis: Api[]
  tls?: { certPem: string; keyPem: string }
  /** Largest accepted body in bytes. */
  tooLarge(bytes: number): boolean
  /** Status for a body that is too large; undefined cuts the connection. */
  oversizeStatus(): number | undefined
  /** The body for errors found before an API is reached. */
  errorBody(messages: string[]): Json
  /** Told what a handler threw, which the client sees as 500. */
  onInternalError(cause: unknown): void
}

export interface Listener {
  host: string
  port: number
  /** Ends at once: open connections are cut. */
  close(): Promise<void>
}

/** Starts listening; port 0 lets the system choose. Rejects when the address is taken. */
export const listen = async (options: ListenerOptions, host: string, port: number): Promise<Listener> => {
  const onRequest = (incoming: IncomingMessage, response: ServerResponse) => void serve(options, incoming, response)
  const server = options.tls ? createTlsServer({ cert: options.tls.certPem, key: options.tls.keyPem }, onRequest) : createServer(onRequest)
  server.keepAliveTimeout = 65_000
  server.on(options.tls ? 'secureConnection' : 'connection', acceptList)
  server.on('clientError', (_error, socket) => {
    if (!socket.writable) return
    const body = stringify(options.errorBody(['malformed request']))
    socket.end(
      `HTTP/1.1 400 Bad Request\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
    )
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  return {
    host,
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

const serve = async (options: ListenerOptions, incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
  const method = takeVerb(incoming.socket as Socket, incoming.method ?? 'GET')
  const error = (status: number, message: string): Reply => ({ status, body: options.errorBody([message]) })
  const body = await readBody(incoming, options.tooLarge)
  if (body === 'aborted') return
  if (body === 'too large') {
    const status = options.oversizeStatus()
    if (status === undefined) incoming.socket.destroy()
    else send(response, { ...error(status, 'request body too large'), headers: { connection: 'close' } })
    return
  }
  try {
    const reply = (await answer(options.apis, method, incoming, body)) ?? error(404, 'no handler for this path')
    send(response, reply)
  } catch (cause) {
    const malformed = cause instanceof URIError
    if (!malformed) options.onInternalError(cause)
    if (response.headersSent) response.destroy()
    else send(response, malformed ? error(400, 'malformed path') : error(500, 'internal error'))
  }
}

const answer = (apis: Api[], method: string, incoming: IncomingMessage, body: Uint8Array): Promise<Reply> | undefined => {
  const [rawPath = '/', search = ''] = splitOnce(incoming.url ?? '/', '?')
  const api = apis
    .filter(({ basePath }) => rawPath === basePath || rawPath.startsWith(`${basePath}/`))
    .sort((a, b) => b.basePath.length - a.basePath.length)[0]
  if (!api) return undefined
  const path = decodeURIComponent(rawPath.slice(api.basePath.length + 1))
  const headers = Object.fromEntries(Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]))
  const request: Request = { method, path, query: new URLSearchParams(search), headers, body }
  return api.handle(request)
}

const splitOnce = (text: string, by: string): string[] => {
  const at = text.indexOf(by)
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)]
}

/** Reads on to the end of a body that is too large, so that the client hears the answer, but not for ever. */
const readBody = async (incoming: IncomingMessage, tooLarge: (bytes: number) => boolean): Promise<Uint8Array | 'too large' | 'aborted'> => {
  const chunks: Buffer[] = []
  let size = 0
  let refused = false
  try {
    for await (const chunk of incoming as AsyncIterable<Buffer>) {
      size += chunk.length
      refused ||= tooLarge(size)
      if (refused) chunks.length = 0
      else chunks.push(chunk)
      if (size > 128 * 1024 * 1024) break
    }
  } catch {
    return 'aborted'
  }
  return refused ? 'too large' : Buffer.concat(chunks)
}

const send = (response: ServerResponse, reply: Reply): void => {
  const bytes = reply.raw?.bytes ?? (reply.body === undefined ? undefined : Buffer.from(stringify(reply.body)))
  const contentType = reply.raw?.contentType ?? 'application/json'
  response.writeHead(reply.status, {
    'cache-control': 'no-store',
    ...(bytes ? { 'content-type': contentType, 'content-length': bytes.length } : {}),
    ...reply.headers,
  })
  response.end(bytes)
}
