/** A small proxy that tunnels by CONNECT, and remembers to whom and for whom. */
import { createServer } from 'node:http'
import { connect, type Socket } from 'node:net'

export interface ConnectProxy {
  url: string
  /** `host:port` of every tunnel that was asked for. */
  tunnels: string[]
  /** User name and password of every request, as `user:password`. */
  logins: string[]
  close(): Promise<void>
}

/**
 * Starts a proxy on loopback.
 *
 * @param names host names that it resolves itself, as `name:port` -> port of 127.0.0.1; others are refused with 403.
 */
export const connectProxy = async (names: Record<string, number>): Promise<ConnectProxy> => {
  const sockets = new Set<Socket>()
  const tunnels: string[] = []
  const logins: string[] = []
  const server = createServer((_, response) => response.writeHead(405).end())
  server.on('connection', (socket: Socket) => sockets.add(socket))
  server.on('connect', (request, client: Socket, head: Buffer) => {
    client.on('error', () => undefined)
    tunnels.push(request.url ?? '')
    logins.push(Buffer.from((request.headers['proxy-authorization'] ?? '').replace(/^Basic /, ''), 'base64').toString('utf8'))
    const port = names[request.url ?? '']
    if (port === undefined) return client.end('HTTP/1.1 403 Forbidden\r\n\r\n')
    const upstream = connect(port, '127.0.0.1', () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n')
      upstream.write(head)
      upstream.pipe(client).pipe(upstream)
    })
    sockets.add(upstream)
    upstream.on('error', () => client.destroy())
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as { port: number }
  return {
    url: `http://127.0.0.1:${port}`,
    tunnels,
    logins,
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise<void>((done) => server.close(() => done()))
    },
  }
}
