/** The broker's management interface, as far as users and permissions go. */
import { request } from 'undici'
import { ApiError } from '../../core/errors.ts'

export interface BrokerAddress {
  uri: string
  username: string
  password: string
}

const TIMEOUT_MS = 20_000

/** Sends one request. Throws 500 with the broker's reason where it refuses, does not know the object, or is away. */
const send = async (broker: BrokerAddress, method: 'GET' | 'PUT' | 'DELETE', path: string, body?: unknown): Promise<number> => {
  let status: number
  let reason: string
  try {
    const answer = await request(`${broker.uri.replace(/\/+$/, '')}/api/${path}`, {
      method,
      headers: {
        authorization: `Basic ${Buffer.from(`${broker.username}:${broker.password}`).toString('base64')}`,
        'content-type': 'application/json',
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      headersTimeout: TIMEOUT_MS,
      bodyTimeout: TIMEOUT_MS,
    })
    status = answer.statusCode
    reason = (await answer.body.text()).slice(0, 200)
  } catch (error) {
    throw new ApiError(500, `broker: ${error instanceof Error ? error.message : String(error)}`)
  }
  if (status >= 400 && !(method === 'DELETE' && status === 404)) throw new ApiError(500, `broker: ${status} ${reason}`)
  return status
}

const segment = encodeURIComponent

export const management = {
  /** Reads the user itself: only administrators may. The list of all users fails now and then while others are removed. */
  verify: (broker: BrokerAddress) => send(broker, 'GET', `users/${segment(broker.username)}`),
  createUser: (broker: BrokerAddress, user: string, password: string, tags: string) =>
    send(broker, 'PUT', `users/${segment(user)}`, { password, tags }),
  deleteUser: (broker: BrokerAddress, user: string) => send(broker, 'DELETE', `users/${segment(user)}`),
  permit: (broker: BrokerAddress, user: string, vhost: string, rights: { configure: string; write: string; read: string }) =>
    send(broker, 'PUT', `permissions/${segment(vhost)}/${segment(user)}`, rights),
  permitTopic: (broker: BrokerAddress, user: string, vhost: string, rights: { exchange: string; write: string; read: string }) =>
    send(broker, 'PUT', `topic-permissions/${segment(vhost)}/${segment(user)}`, rights),
}
