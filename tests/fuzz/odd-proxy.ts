/** Stands before a server: gives answers with secrets odd shapes, each another cell, and writes down which secrets passed and where they were put. */
import { createServer, type IncomingMessage, type ServerResponse, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Contract, Operation } from '../../harness/contract/contract.ts'
import { acceptList, takeVerb } from '../../reference/http/list-verb.ts'
import { operationFinder } from '../support/replaced.ts'
import { tokenOf } from '../support/secrets-in-messages.ts'
import { type Cell, type Deck, type OddAnswer, SHAPES } from './cells.ts'
import { issuedIn, secretOperations } from './issued-secrets.ts'

/** A cell that was sent. */
export interface Sent extends Cell {
  operation: string
  /** A check has got it, or what prepares the server for one. */
  isOfCheck: boolean
  secret: string
}

export interface OddProxy {
  url: string
  /** Secrets that passed, with the operations that gave or took them. */
  secrets: Map<string, Set<string>>
  sent: Sent[]
  close(): Promise<void>
}

interface Received {
  status: number
  headers: Record<string, string | string[]>
  body: Buffer
}

/** One of so many answers is odd: what comes of an operation rests on others, which have to succeed now and then. */
const EVERY = 2
const EVERY_OWN = 7

const read = async (message: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = []
  for await (const chunk of message) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

const forward = (to: string, method: string, { url = '/', headers }: IncomingMessage, body: Buffer): Promise<Received> =>
  new Promise((done, fail) => {
    const { host: _, connection: __, 'transfer-encoding': ___, ...kept } = headers
    const onward = send(new URL(url, to), { method, headers: { ...kept, 'content-length': body.length } }, (answer) => {
      const { connection: _____, 'transfer-encoding': ______, 'content-length': _______, ...given } = answer.headers
      read(answer).then((bytes) => done({ status: answer.statusCode ?? 0, headers: given as Received['headers'], body: bytes }), fail)
    })
    onward.on('error', fail)
    onward.end(body)
  })

/** A header as a server writes it that knows nothing of encodings: its bytes. */
const bytewise = (text: string): string => Buffer.from(text, 'utf8').toString('latin1')

const writtenOf = <T extends string | string[]>(headers: Record<string, T>): Record<string, T> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, (Array.isArray(value) ? value.map(bytewise) : bytewise(value)) as T]),
  )

const sendOdd = (response: ServerResponse, { status, headers, body, reason, trailers, hints, isCut }: OddAnswer): void => {
  const bytes = Buffer.from(body, 'utf8')
  const length = String(bytes.length + (isCut === true ? 1000 : 0))
  if (hints !== undefined) {
    const lines = Object.entries(writtenOf(hints)).map(([name, value]) => `${name}: ${value}\r\n`)
    response.socket?.write(`HTTP/1.1 103 Early Hints\r\n${lines.join('')}\r\n`, 'latin1')
  }
  if (reason !== undefined) response.statusMessage = bytewise(reason)
  const framing = trailers === undefined ? { 'content-length': length } : { trailer: Object.keys(trailers).join(', ') }
  response.writeHead(status, { ...writtenOf(headers), ...framing })
  if (isCut === true) return void response.write(bytes, () => response.destroy())
  response.write(bytes)
  if (trailers !== undefined) response.addTrailers(writtenOf(trailers))
  response.end()
}

/** What a request of the tool itself asks for, without the names of what it made. */
const ownName = (method: string, path: string): string =>
  `${method} ${path
    .split('?')[0]!
    .replaceAll(/(?<=\/)[^/]*(?:assay-|\d{3})[^/]*/g, '*')
    .replace(/^\/v1\//, '')}`

/** The mounts that callers made, by name, to tell apart operations whose paths are alike. */
class Mounts {
  readonly #types = new Map<string, string>()

  learn(path: string, body: Buffer): void {
    const name = /\/sys\/mounts\/([^/?]+)$/.exec(path)?.[1]
    const type = /"type"\s*:\s*"([^"]+)"/.exec(body.toString('utf8'))?.[1]
    if (name !== undefined && type !== undefined) this.#types.set(name, type)
  }

  holds(path: string): boolean {
    return path.split(/[/?]/).some((part) => this.#types.has(part))
  }

  /** What takes any path at all describes no request. */
  isOn(path: string, { mount, path: template }: Operation): boolean {
    if (mount === undefined) return /\/[^{/]/.test(template)
    return path.split('/').some((part) => {
      const type = this.#types.get(part)
      return type !== undefined && (mount.startsWith(type) || type.startsWith(mount))
    })
  }
}

/** Starts a proxy before the server at `to` that deals out the cells of a deck, at most `most` of each operation. */
export const oddProxy = async (contract: Contract, to: string, deck: Deck, most: number): Promise<OddProxy> => {
  const wanted = new Set(secretOperations(contract).map(({ id }) => id))
  const mounts = new Mounts()
  const find = operationFinder(contract, (path, operation) => mounts.isOn(path, operation))
  const secrets: OddProxy['secrets'] = new Map()
  const sent: Sent[] = []
  const answers = new Map<string, number>()
  // Without mounts to prepare, every request below the base path comes from a check.
  const withoutMounts = [...contract.apis.values()].filter(({ mounts: has }) => !has).map(({ basePath }) => basePath)
  const isOfChecks = (path: string): boolean => withoutMounts.some((base) => path.startsWith(base))
  let own = ''

  const learn = (values: readonly string[], operation: string): void => {
    for (const value of values) secrets.set(value, (secrets.get(value) ?? new Set<string>()).add(operation))
  }
  /** Whether it is the turn of an answer to be odd. */
  const isTurn = (operation: string, every: number): boolean => {
    const count = (answers.get(operation) ?? 0) + 1
    answers.set(operation, count)
    return count % every === 0 && sent.filter((one) => one.operation === operation).length < most
  }

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const method = takeVerb(request.socket, request.method ?? 'GET')
    const path = request.url ?? '/'
    const body = await read(request)
    if (method === 'POST') mounts.learn(path, body)
    const received = await forward(to, method, request, body)
    const operation = find({ method, path })
    const name = operation?.id ?? ownName(method, path)
    const issued = issuedIn(operation, body.toString('utf8'), received.status, received.body.toString('utf8'))
    const token = tokenOf(request)
    learn(issued, name)
    const isOwn = operation === undefined && !mounts.holds(path) && !isOfChecks(path)
    // Checks also send tokens that nobody issued.
    if (isOwn && received.status < 400) learn(token, 'a token that a caller presents')
    const isOdd = isOwn ? isTurn(name, EVERY_OWN) : wanted.has(name) && issued.length > 0 && isTurn(name, EVERY)
    const secret = issued[0] ?? (isOwn ? token[0] : undefined)
    const dealt = isOdd && secret !== undefined ? deck.next(name, secret, own) : undefined
    if (dealt === undefined) return void response.writeHead(received.status, received.headers).end(received.body)
    sent.push({ operation: name, isOfCheck: operation !== undefined, secret: secret!, ...dealt.cell })
    sendOdd(response, dealt.answer)
  }

  const server = createServer((request, response) => void answer(request, response).catch(() => response.destroy()))
  server.on('connection', acceptList)
  server.on('clientError', (_, socket) => void socket.end('HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n\r\n'))
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  own = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url: own,
    secrets,
    sent,
    close: async () => {
      server.closeAllConnections()
      await new Promise<void>((done) => server.close(() => done()))
    },
  }
}

/** Whether a run that got these and no other odd answers may pass. */
export const isNoiseOnly = (sent: readonly Sent[]): boolean => sent.every(({ shape }) => SHAPES[shape]!.isNoise === true)
