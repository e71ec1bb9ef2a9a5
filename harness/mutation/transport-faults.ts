/** A proxy between the checks and a target that breaks the transport in one way, again and again. */
import { connect, createServer, type Socket } from 'node:net'

/** What happens to every seventh piece of answers. */
type Break = (client: Socket, server: Socket, piece: Buffer) => void

export interface TransportFault {
  id: string
  title: string
  breaks: Break
  /** True for a transport that is only slow: nothing may suffer from it. */
  harmless?: boolean
}

const EVERY = 7
const SLOW_MS = 15

export const transportFaults: TransportFault[] = [
  {
    id: 'reset',
    title: 'connections are reset instead of answers',
    breaks: (client, server) => {
      server.destroy()
      client.resetAndDestroy()
    },
  },
  {
    id: 'close',
    title: 'connections are closed instead of answers',
    breaks: (client, server) => {
      server.destroy()
      client.end()
    },
  },
  {
    id: 'truncate',
    title: 'answers end half-way',
    breaks: (client, server, piece) => {
      server.destroy()
      client.end(piece.subarray(0, Math.floor(piece.length / 2)))
    },
  },
  { id: 'stall', title: 'answers never come', breaks: () => undefined },
  {
    id: 'garble',
    title: 'answers are not HTTP',
    breaks: (client, _, piece) => void client.write(Buffer.from(piece).fill('?', 0, Math.min(9, piece.length))),
  },
  {
    id: 'slow',
    title: 'answers come late',
    harmless: true,
    breaks: (client, _, piece) => void setTimeout(() => client.write(piece), SLOW_MS),
  },
]

export interface FaultyProxy {
  url: string
  /** From now on it breaks the transport; until then it only passes on. */
  arm(): void
  /** How often the transport was broken. */
  broken(): number
  close(): Promise<void>
}

/** Puts a proxy in front of a plain-HTTP address. */
export const proxyTo = async (url: string, fault: TransportFault): Promise<FaultyProxy> => {
  const { hostname, port } = new URL(url)
  const sockets = new Set<Socket>()
  let armed = false
  let pieces = 0
  let broken = 0
  const keep = (socket: Socket): void => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.on('close', () => sockets.delete(socket))
  }
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname)
    keep(client)
    keep(upstream)
    client.pipe(upstream)
    client.on('close', () => upstream.destroy())
    upstream.on('end', () => client.end())
    upstream.on('data', (piece: Buffer) => {
      if (armed) pieces += 1
      if (!armed || pieces % EVERY !== 0) return void client.write(piece)
      broken += 1
      fault.breaks(client, upstream, piece)
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const address = server.address() as { port: number }
  return {
    url: `http://127.0.0.1:${address.port}`,
    arm: () => {
      armed = true
    },
    broken: () => broken,
    close: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise<void>((done) => server.close(() => done()))
    },
  }
}
