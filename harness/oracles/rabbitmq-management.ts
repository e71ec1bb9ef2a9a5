/** RabbitMQ's management interface as a judge: users, tags and permissions as the broker itself reports them. */
import { request } from 'undici'
import type { BackendHandle, Ours } from '../base/backend-handle.ts'
import { useCredentials } from '../base/credential-guard.ts'
import { Blocked } from '../base/errors.ts'
import { cut } from '../base/text.ts'
import { reached } from './reached.ts'

const TIMEOUT_MS = 20_000

/** A list fails now and then while what it lists is removed. */
const ATTEMPTS = 3

type Method = 'GET' | 'PUT' | 'POST' | 'DELETE'

const send = async (handle: BackendHandle, method: Method, path: string[], body?: unknown, attempt = 1): Promise<unknown> => {
  useCredentials(handle.password)
  const url = `http://${handle.host}:${handle.extra.managementPort}/api/${path.map(encodeURIComponent).join('/')}`
  const settings = {
    method,
    headers: {
      authorization: `Basic ${Buffer.from(`${handle.username}:${handle.password}`).toString('base64')}`,
      'content-type': 'application/json',
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    // Between two requests of a check the broker may close a connection that was kept: each has its own.
    reset: true,
    headersTimeout: TIMEOUT_MS,
    bodyTimeout: TIMEOUT_MS,
  }
  const place = `the broker at ${handle.host}:${handle.port}`
  // Each of these requests may be sent twice.
  const answer = await reached(place, () => request(url, settings)).catch((error: Error) => {
    throw error instanceof Blocked ? error : new Blocked(`${place} is not reached: ${error.message}`, 'see why it stopped, and run again')
  })
  const text = await answer.body.text()
  if (answer.statusCode === 404) return undefined
  if (answer.statusCode === 500 && method === 'GET' && attempt < ATTEMPTS) return send(handle, method, path, body, attempt + 1)
  if (answer.statusCode >= 400)
    throw new Error(`the broker answered ${answer.statusCode} to ${method} ${path.join('/')}: ${cut(text, 200)}`)
  return text === '' ? null : (JSON.parse(text) as unknown)
}

/** Rights of a user in one virtual host. */
export interface VhostRights {
  vhost: string
  configure: string
  write: string
  read: string
}
/** Rights of a user on one topic exchange. */
export interface TopicRights {
  vhost: string
  exchange: string
  write: string
  read: string
}

/** The broker seen by its administrator. */
export const brokerAdmin = (handle: BackendHandle) => ({
  /** Makes a virtual host in which the administrator may do everything. */
  async createVhost(vhost: string): Promise<void> {
    await send(handle, 'PUT', ['vhosts', vhost], {})
    await send(handle, 'PUT', ['permissions', vhost, handle.username], { configure: '.*', write: '.*', read: '.*' })
  },
  hasVhost: async (vhost: string): Promise<boolean> => (await send(handle, 'GET', ['vhosts', vhost])) !== undefined,
  deleteVhost: (vhost: string) => send(handle, 'DELETE', ['vhosts', vhost]),
  createAdministrator(username: string, password: string): Promise<unknown> {
    useCredentials(password)
    return send(handle, 'PUT', ['users', username], { password, tags: 'administrator' })
  },
  /** Names of all users and virtual hosts. */
  async names(): Promise<string[]> {
    const [users, vhosts] = [await send(handle, 'GET', ['users']), await send(handle, 'GET', ['vhosts'])]
    return [...(users as { name: string }[]), ...(vhosts as { name: string }[])].map(({ name }) => name)
  },
  deleteUser: (username: string) => send(handle, 'DELETE', ['users', username]),
  createQueue: (vhost: string, queue: string) => send(handle, 'PUT', ['queues', vhost, queue], { durable: true }),
  createTopicExchange: (vhost: string, exchange: string) => send(handle, 'PUT', ['exchanges', vhost, exchange], { type: 'topic' }),
  /** The user's tags, sorted; undefined if the user does not exist. */
  async tagsOf(username: string): Promise<string[] | undefined> {
    const user = (await send(handle, 'GET', ['users', username])) as { tags: string | string[] } | undefined
    if (user === undefined) return undefined
    const tags = Array.isArray(user.tags) ? user.tags : user.tags.split(',')
    return tags
      .map((tag) => tag.trim())
      .filter((tag) => tag !== '')
      .sort()
  },
  /** Users with rights in a virtual host, its administrator aside. */
  async usersOf(vhost: string): Promise<string[]> {
    const found = ((await send(handle, 'GET', ['vhosts', vhost, 'permissions'])) ?? []) as { user: string }[]
    return found.map(({ user }) => user).filter((user) => user !== handle.username)
  },
  async rightsOf(username: string): Promise<VhostRights[]> {
    const found = ((await send(handle, 'GET', ['users', username, 'permissions'])) ?? []) as VhostRights[]
    return found.map(({ vhost, configure, write, read }) => ({ vhost, configure, write, read }))
  },
  async topicRightsOf(username: string): Promise<TopicRights[]> {
    const found = ((await send(handle, 'GET', ['users', username, 'topic-permissions'])) ?? []) as TopicRights[]
    return found.map(({ vhost, exchange, write, read }) => ({ vhost, exchange, write, read }))
  },
})

/** @internal use removeBackendLeftovers() */
export const removeBrokerLeftovers = async (handle: BackendHandle, ours: Ours): Promise<string[]> => {
  const removed: string[] = []
  for (const [kind, word] of [
    ['vhosts', 'virtual host'],
    ['users', 'user'],
  ] as const) {
    const found = (await send(handle, 'GET', [kind])) as { name: string }[]
    for (const { name } of found.filter((one) => ours(one.name))) {
      await send(handle, 'DELETE', [kind, name])
      removed.push(`${word} ${name}`)
    }
  }
  return removed
}
