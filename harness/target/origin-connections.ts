/** Connections to one origin, and what a failed one tells of itself. */
import { buildConnector, type Dispatcher, Pool, ProxyAgent } from 'undici'
import { type TlsOptions, tlsMaterial } from './tls-material.ts'

interface ConnectionOptions {
  tls: TlsOptions
  /** Through which the server is reached; undefined: directly. */
  proxy?: URL | undefined
  /** Milliseconds for connecting, for the head of an answer and between two pieces of its body. */
  timeout: number
  connections: number
}

const MAX_ANSWER = 40 * 1024 * 1024
const CONNECT_DEADLINE = 10_000

/** As undici describes the socket of its own errors. */
interface SocketFacts {
  bytesRead: number
}

/** Errors of the system do not say on which connection they came: ours do. */
const describingConnector = (options: buildConnector.BuildOptions): buildConnector.connector => {
  const connect = buildConnector(options)
  return (target, callback) =>
    connect(target, (...[error, socket]: Parameters<buildConnector.Callback>) => {
      if (error !== null) return callback(error, null)
      socket.prependListener('error', (failure) =>
        Object.assign(failure, { socket: { bytesRead: socket.bytesRead } satisfies SocketFacts }),
      )
      callback(null, socket)
    })
}

/**
 * Connections through a proxy, by CONNECT for every one of them.
 *
 * @param connect TLS settings for the server itself; the proxy's own certificate is judged by the authorities of the machine.
 */
export const throughProxy = (
  proxy: URL,
  connect: buildConnector.BuildOptions,
  settings: Omit<Pool.Options, 'connect' | 'factory'>,
): Dispatcher => new ProxyAgent({ ...settings, uri: proxy.href, requestTls: connect })

/** Connections that are kept alive. */
export const connectionsTo = (origin: string, { tls, timeout, connections, proxy }: ConnectionOptions): Dispatcher => {
  const connect = { timeout: Math.min(timeout, CONNECT_DEADLINE), ...tlsMaterial(tls) }
  const settings = { connections, headersTimeout: timeout, bodyTimeout: timeout, maxResponseSize: MAX_ANSWER }
  return proxy === undefined
    ? new Pool(origin, { ...settings, connect: describingConnector(connect) })
    : throughProxy(proxy, connect, settings)
}

const CLOSED = ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']

/** Whether a connection that had carried an answer before was closed under a request, as servers do with idle ones. */
export const closedUnderRequest = (error: unknown): boolean => {
  const { code, socket } = error as { code?: string; socket?: SocketFacts }
  return CLOSED.includes(code ?? '') && (socket?.bytesRead ?? 0) > 0
}
