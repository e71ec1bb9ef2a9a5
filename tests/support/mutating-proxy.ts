/** Stands before a reference server: writes down every secret that passes, and garbles each answer that holds one, in turn in every way. */
import { createServer, type IncomingMessage, type ServerResponse, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Message, MutationTurns, mutations } from './garbled-answers.ts'
import { canariesIn, secretsIn, tokenOf } from './secrets-in-messages.ts'

/** The engine that a path belongs to: mounts are named after their types. */
const engineOf = (path: string): string =>
  /assay-[a-z0-9]{6}-(kv|ssh|pki|database|broker|cloudc|transform)/.exec(path)?.[1] ??
  /\/sys\/(managed-keys)/.exec(path)?.[1] ??
  (/agent-pools|authentication-tokens/.test(path)
    ? 'agent-tokens'
    : /policy-checks|\/runs\/|^\/control/.test(path)
      ? 'policy-checks'
      : 'core')

export interface MutatingProxy {
  url: string
  /** Every secret that passed in a message of the server or of its callers, by the engine whose route it was. */
  secrets: Map<string, Set<string>>
  /** How often each mutation was applied. */
  applied: Map<string, number>
  close(): Promise<void>
}

const read = async (message: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = []
  for await (const chunk of message) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('latin1')
}

const forward = (to: string, request: IncomingMessage, body: string): Promise<Message> =>
  new Promise((done, fail) => {
    const { host: _, connection: __, 'transfer-encoding': ___, ...headers } = request.headers
    const onward = send(
      new URL(request.url ?? '/', to),
      { method: request.method, headers: { ...headers, 'content-length': Buffer.byteLength(body, 'latin1') } },
      (answer) =>
        void read(answer).then((text) => {
          const { connection: _____, 'transfer-encoding': ______, 'content-length': _______, ...kept } = answer.headers
          done({ status: answer.statusCode ?? 0, headers: kept as Message['headers'], body: text })
        }, fail),
    )
    onward.on('error', fail)
    onward.end(Buffer.from(body, 'latin1'))
  })

// Requests that prepare a target are not judged, and without them nothing would be.
const isPlumbing = (path: string): boolean => /^\/control|\/(?:sys|auth)\//.test(path) && !path.includes('/sys/managed-keys')

/** Starts a proxy before the server at `to`. */
export const mutatingProxy = async (to: string): Promise<MutatingProxy> => {
  const known = new Map<string, Set<string>>()
  const learn = (engine: string, values: readonly string[]): void => {
    const found = known.get(engine) ?? new Set()
    known.set(engine, found)
    for (const value of values) found.add(value)
  }
  const turns = new MutationTurns()
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = request.url ?? '/'
    const isCredential = /\/(?:creds|keys|static-creds)\//.test(path) && !path.includes('/sys/')
    const body = await read(request)
    const engine = engineOf(path)
    learn(engine, [...secretsIn(body, isCredential), ...canariesIn(body), ...tokenOf(request)])
    let done = await forward(to, request, body)
    const secrets = secretsIn(done.body, isCredential)
    learn(engine, secrets)
    if (secrets.length > 0 && done.status < 300 && !isPlumbing(path)) {
      done = mutations[turns.next(path.replace(/assay-[a-z0-9-]+/g, '*'))]!(done, secrets, body)
    }
    response.writeHead(done.status, done.headers).end(Buffer.from(done.body, 'latin1'))
  }
  const server = createServer((request, response) => void answer(request, response).catch(() => response.destroy()))
  server.on('clientError', (_, socket) => void socket.end('HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n\r\n'))
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    secrets: known,
    applied: turns.applied,
    close: async () => {
      server.closeAllConnections()
      await new Promise<void>((done) => server.close(() => done()))
    },
  }
}
