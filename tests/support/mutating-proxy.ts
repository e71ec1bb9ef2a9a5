/** Stands before a reference server: writes down every secret that passes, and garbles each answer that holds one, in turn in every way. */
import { createServer, type IncomingMessage, type ServerResponse, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'

interface Message {
  status: number
  headers: Record<string, string | string[]>
  body: string
}

type Json = null | boolean | number | string | Json[] | { [name: string]: Json }

/** How an answer is garbled; `sent` is the request's body. */
export type Mutation = (answer: Message, secrets: readonly string[], sent: string) => Message

const mapped = (value: Json, change: (name: string, text: string) => Record<string, Json>): Json => {
  if (Array.isArray(value)) return value.map((item) => mapped(item, change))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) =>
      typeof member === 'string' ? Object.entries(change(name, member)) : [[name, mapped(member, change)] as const],
    ),
  )
}

const onSecrets = (answer: Message, secrets: readonly string[], change: (name: string, text: string) => Record<string, Json>): Message => {
  const body = mapped(JSON.parse(answer.body) as Json, (name, text) => (secrets.includes(text) ? change(name, text) : { [name]: text }))
  return { ...answer, body: JSON.stringify(body) }
}

const base64 = (text: string): string => Buffer.from(text).toString('base64')

const wrapped =
  (before: string): Mutation =>
  (answer, secrets) =>
    onSecrets(answer, secrets, (name, text) => ({ [name]: base64(`${before}${text}, and more`) }))

const asText = (answer: Message, body: string): Message => ({ ...answer, headers: { 'content-type': 'text/plain' }, body })

export const mutations: Record<string, Mutation> = {
  none: (answer) => answer,
  'renames the member': (answer, secrets) => onSecrets(answer, secrets, (_, text) => ({ pass_word: text })),
  'moves it out of data': (answer, secrets) =>
    onSecrets({ ...answer, body: JSON.stringify({ ...(JSON.parse(answer.body) as object), extra: secrets }) }, secrets, () => ({})),
  'answers as plain text': (answer) => asText(answer, answer.body),
  'answers the bare secret': (answer, secrets) => asText(answer, secrets[0]!),
  'quotes it in a 500': (answer, secrets) => ({
    ...answer,
    status: 500,
    body: JSON.stringify({ errors: [`internal: could not keep "${secrets.join('" and "')}", giving up`] }),
  }),
  'quotes it in a warning': (answer, secrets) => ({
    ...answer,
    body: JSON.stringify({ ...(JSON.parse(answer.body) as object), warnings: [`issued ${secrets.join(' ')}`] }),
  }),
  'copies it into a cookie': (answer, secrets) => ({
    ...answer,
    headers: {
      ...answer.headers,
      'set-cookie': `session=${encodeURIComponent(secrets[0]!)}; Path=/`,
      'x-debug': encodeURIComponent(secrets[0]!),
    },
  }),
  'echoes the request': (answer, _, sent) => ({
    ...answer,
    body: JSON.stringify({ ...(JSON.parse(answer.body) as object), request: sent, copy: answer.body }),
  }),
  'wraps it in base64 at the first place': wrapped('abc'),
  'wraps it in base64 at the second place': wrapped('abcd'),
  'wraps it in base64 at the third place': wrapped('abcde'),
  'answers the whole in base64': (answer) => asText(answer, base64(` ${answer.body}`)),
  'uses it as a name': (answer, secrets) => onSecrets(answer, secrets, (name, text) => ({ [text]: name })),
}

/** Members that hold secrets in the true messages of the reference server. */
const SECRET = new Set(['password', 'private_key', 'otp', 'token', 'client_token', 'pem_bundle'])

const secretsIn = (text: string, isCredential: boolean): string[] => {
  const found: string[] = []
  const visit = (value: Json): void => {
    if (typeof value !== 'object' || value === null) return
    if (Array.isArray(value)) {
      for (const item of value) visit(item)
      return
    }
    for (const [name, member] of Object.entries(value)) {
      if (typeof member !== 'string') visit(member)
      else if (member.length >= 8 && member !== 'undefined' && (SECRET.has(name) || (name === 'key' && isCredential))) found.push(member)
    }
  }
  try {
    visit(JSON.parse(text) as Json)
  } catch {
    return []
  }
  return found
}

const canariesIn = (text: string): string[] => text.match(/\b[a-z]+-[0-9a-f]{40}\b/g) ?? []

const tokenOf = ({ headers }: IncomingMessage): string[] => {
  const given = [headers.authorization?.replace(/^bearer /i, ''), headers['x-service-token'], headers['x-vault-token']]
  return given.flat().filter((token): token is string => token !== undefined && token.length >= 20)
}

/** The engine that a path belongs to: mounts are named after their types. */
const engineOf = (path: string): string =>
  /assay-[a-z0-9]{6}-(kv|ssh|pki|database|broker)/.exec(path)?.[1] ??
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

// Preparing a target is no part of what is judged, and without it nothing would be.
const isPlumbing = (path: string): boolean => /^\/control|\/(?:sys|auth)\//.test(path)

/** Starts a proxy before the server at `to`. */
export const mutatingProxy = async (to: string): Promise<MutatingProxy> => {
  const known = new Map<string, Set<string>>()
  const learn = (engine: string, values: readonly string[]): void => {
    const found = known.get(engine) ?? new Set()
    known.set(engine, found)
    for (const value of values) found.add(value)
  }
  const applied = new Map<string, number>()
  const names = Object.keys(mutations)
  /** Each route goes through all mutations by itself. */
  const turns = new Map<string, number>()
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = request.url ?? '/'
    const isCredential = /\/(?:creds|keys|static-creds)\//.test(path)
    const body = await read(request)
    const engine = engineOf(path)
    learn(engine, [...secretsIn(body, isCredential), ...canariesIn(body), ...tokenOf(request)])
    let done = await forward(to, request, body)
    const secrets = secretsIn(done.body, isCredential)
    learn(engine, secrets)
    if (secrets.length > 0 && done.status < 300 && !isPlumbing(path)) {
      const route = path.replace(/assay-[a-z0-9-]+/g, '*')
      const turn = turns.get(route) ?? turns.size
      turns.set(route, turn + 1)
      const name = names[turn % names.length]!
      applied.set(name, (applied.get(name) ?? 0) + 1)
      done = mutations[name]!(done, secrets, body)
    }
    response.writeHead(done.status, done.headers).end(Buffer.from(done.body, 'latin1'))
  }
  const server = createServer((request, response) => void answer(request, response).catch(() => response.destroy()))
  server.on('clientError', (_, socket) => void socket.end('HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n\r\n'))
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    secrets: known,
    applied,
    close: async () => {
      server.closeAllConnections()
      await new Promise<void>((done) => server.close(() => done()))
    },
  }
}
