/** A gateway before a server: it passes only requests with its key. */
import { createServer, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Gateway {
  url: string
  close(): Promise<void>
}

/**
 * Starts it.
 *
 * @param to URL of the server behind it.
 * @param header name, in lower case, and value that it asks for.
 */
export const gatewayBefore = async (to: string, [name, value]: readonly [string, string]): Promise<Gateway> => {
  const server = createServer((request, response) => {
    if (request.headers[name] !== value) {
      request.resume()
      response.writeHead(403).end()
      return
    }
    const onward = send(new URL(request.url ?? '/', to), { method: request.method, headers: request.headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    onward.on('error', () => response.destroy())
    request.pipe(onward)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((done) => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  }
}
