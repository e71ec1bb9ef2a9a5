/** A gate in front of a backend: shut, the backend is away; open, it is back. */
import { connect, createServer, type Socket } from 'node:net'

export interface Gate {
  port: number
  /** Drops every connection and refuses new ones. */
  shut(): Promise<void>
  open(): Promise<void>
  close(): Promise<void>
}

/**
 * Forwards a free port of this machine to host and port; open at first.
 *
 * @param seenAs address at which the target finds this machine: anything but a loopback address makes the gate listen on all interfaces
 */
export const tcpGate = async (host: string, port: number, seenAs = '127.0.0.1'): Promise<Gate> => {
  const listenOn = ['127.0.0.1', 'localhost', '::1'].includes(seenAs) ? '127.0.0.1' : '0.0.0.0'
  const sockets = new Set<Socket>()
  const keep = (socket: Socket): void => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    socket.on('error', () => socket.destroy())
  }
  const server = createServer((incoming) => {
    const outgoing = connect(port, host)
    keep(incoming)
    keep(outgoing)
    incoming.pipe(outgoing).pipe(incoming)
    incoming.once('close', () => outgoing.destroy())
    outgoing.once('close', () => incoming.destroy())
  })
  const listen = (at: number): Promise<void> =>
    new Promise((resolve, reject) => {
      server.once('error', reject)
      server.listen(at, listenOn, () => {
        server.off('error', reject)
        resolve()
      })
    })
  const shut = (): Promise<void> =>
    new Promise((resolve) => {
      if (!server.listening) return resolve()
      server.close(() => resolve())
      for (const socket of sockets) socket.destroy()
    })
  await listen(0)
  const address = server.address()
  const own = typeof address === 'object' && address !== null ? address.port : 0
  return { port: own, shut, open: () => listen(own), close: shut }
}
