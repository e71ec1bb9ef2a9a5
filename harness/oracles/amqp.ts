/** AMQP as a judge: what a user may really do in a virtual host. */
import amqp, { type ChannelModel } from 'amqplib'
import type { BackendHandle } from '../base/backend-handle.ts'
import { useCredentials } from '../base/credential-guard.ts'

export interface AmqpUser {
  username: string
  password: string
  vhost: string
}

/** One thing to try: declaring a queue (configure), publishing (write), fetching from a queue (read), binding a queue to a topic (read). */
export type AmqpAction =
  | { declare: string }
  | { publish: { exchange: string; routingKey: string } }
  | { fetch: string }
  | { bind: { queue: string; exchange: string; routingKey: string } }

const CONNECT_MS = 10_000

const connect = (handle: BackendHandle, user: AmqpUser): Promise<ChannelModel> => {
  useCredentials(user.password)
  return amqp.connect(
    {
      protocol: 'amqp',
      hostname: handle.host,
      port: handle.port,
      username: user.username,
      password: user.password,
      vhost: user.vhost,
      heartbeat: 0,
    },
    { timeout: CONNECT_MS },
  )
}

const isRefusal = (error: unknown): boolean =>
  /ACCESS[_-]REFUSED|NOT[_-]ALLOWED|403|530|Handshake terminated|got <ConnectionClose/i.test(String(error))

/** True where the broker opens a connection for the user, false where it refuses it. Other failures throw. */
export const amqpLogin = async (handle: BackendHandle, user: AmqpUser): Promise<boolean> => {
  try {
    const connection = await connect(handle, user)
    connection.on('error', () => {})
    await connection.close()
    return true
  } catch (error) {
    if (isRefusal(error)) return false
    throw error
  }
}

/** True where the broker lets the user do it, false where it refuses for lack of rights. Throws where even the login fails. */
export const amqpMay = async (handle: BackendHandle, user: AmqpUser, action: AmqpAction): Promise<boolean> => {
  const connection = await connect(handle, user)
  connection.on('error', () => {})
  try {
    const channel = await connection.createConfirmChannel()
    channel.on('error', () => {})
    if ('declare' in action) await channel.assertQueue(action.declare, { durable: false, autoDelete: true })
    else if ('fetch' in action) await channel.get(action.fetch, { noAck: true })
    else if ('bind' in action) await channel.bindQueue(action.bind.queue, action.bind.exchange, action.bind.routingKey)
    else {
      const { exchange, routingKey } = action.publish
      await new Promise<void>((resolve, reject) => {
        channel.once('error', reject)
        channel.publish(exchange, routingKey, Buffer.from('x'), {}, (error) => (error ? reject(error) : resolve()))
      })
    }
    return true
  } catch (error) {
    if (isRefusal(error)) return false
    throw error
  } finally {
    await connection.close().catch(() => undefined)
  }
}
