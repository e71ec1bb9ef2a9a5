/** Servers that misbehave, each in one way, on a free port of loopback. */
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createTcpServer, type Server, type Socket } from 'node:net'

export interface Hostile {
  url: string
  close(): Promise<void>
}

/** Listens on loopback. */
export const serve = async (server: Server): Promise<Hostile> => {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as { port: number }
  return {
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise<void>((done) => server.close(() => done()))
    },
  }
}

/** Answers every connection at the level of bytes, once it has sent something. */
export const bytes = (answer: (socket: Socket, first: Buffer) => void): Promise<Hostile> =>
  serve(createTcpServer((socket) => void socket.once('data', (first: Buffer) => answer(socket, first))))

/** Never reads nor writes. */
export const silent = (): Promise<Hostile> => serve(createTcpServer(() => undefined))

/** Answers HTTP requests. */
export const http = (answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<Hostile> => {
  const server = createHttpServer(answer)
  // The parser knows no LIST: whatever it cannot read gets the plainest refusal.
  server.on('clientError', (_, socket) => void socket.end('HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n\r\n'))
  return serve(server)
}

export const json = (status: number, body: unknown) => (_: IncomingMessage, response: ServerResponse) => {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}
