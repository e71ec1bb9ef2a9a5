/** Handshakes over loopback: the use that server certificates are for. */
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { connect, createServer, type TLSSocket } from 'node:tls'
import { useCredentials } from '../base/credential-guard.ts'

export interface HandshakeInput {
  /** PEM: the server's certificate, then its intermediates. */
  certificates: string[]
  /** PEM. */
  privateKey: string
  /** PEM certificate that the client trusts: a root, or an intermediate CA whose own issuer is not at hand. */
  root: string
  /** Name that the client asks for and verifies. */
  serverName: string
}

/** Deadline of one handshake in milliseconds: loopback on a slow machine. */
const DEADLINE = 15_000

/**
 * Serves TLS on 127.0.0.1 with the pair and connects to it as a verifying client.
 * @returns undefined where the handshake completes and a byte goes through, else the client's reason
 */
export const handshakeProblem = async (bench: { count(what: string): void }, input: HandshakeInput): Promise<string | undefined> => {
  useCredentials(input.privateKey)
  const server = createServer({ cert: input.certificates.join('\n'), key: input.privateKey }, (socket) =>
    socket.on('error', () => undefined).end('!'),
  )
  server.on('tlsClientError', () => undefined)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  let client: TLSSocket | undefined
  try {
    return await new Promise<string | undefined>((resolve) => {
      client = connect({ host: '127.0.0.1', port, ca: input.root, servername: input.serverName, allowPartialTrustChain: true })
      client.setTimeout(DEADLINE, () => resolve('the handshake did not end in time'))
      client.on('error', (cause) => resolve(cause.message))
      client.on('data', () => {
        bench.count('TLS handshakes')
        resolve(undefined)
      })
    })
  } finally {
    client?.destroy()
    server.close()
  }
}
