/** Faults of the connection to the broker. */
import type { JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { requestBody, requestNestedAs } from '../../mutations/wrappers.ts'
import { brokerEngine } from './engine.ts'

const { rule, route } = faultsOf(brokerEngine)

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null

/** Stores an incomplete connection as it is. */
const optional = <C extends { body: JsonObject }>(field: string) =>
  requestBody<C>((body) => (body[field] === undefined ? { ...body, [field]: 'none', verify_connection: false } : body))

rule('connection-dropped', 'BROKER-CONN-01', 'a connection is verified and not kept', {
  replaced: () => (_previous, next) => ({ ...next, uri: 'http://127.0.0.1:9' }),
})
rule('connection-kept', 'BROKER-CONN-02', 'the first connection is never replaced', {
  replaced: () => (previous, next) => previous ?? next,
})
route('uri-optional', 'BROKER-CONN-03', 'a connection needs no URI', 'broker.writeConnection', optional('connection_uri'))
route('username-optional', 'BROKER-CONN-04', 'a connection needs no user name', 'broker.writeConnection', optional('username'))
route('password-optional', 'BROKER-CONN-05', 'a connection needs no password', 'broker.writeConnection', optional('password'))
rule('verify-opt-in', 'BROKER-CONN-06', 'a connection is verified only when asked', {
  verifies: () => (body) => body.verify_connection === true,
})
rule('verify-always', 'BROKER-CONN-07', 'a connection is verified although that was declined', { verifies: () => () => true })
rule('verify-stored', 'BROKER-CONN-08', 'a connection is stored before it is verified', { storesUnverified: () => () => true })
route(
  'connection-object',
  'BROKER-CONN-09',
  'an object is taken for a user name',
  'broker.writeConnection',
  requestBody((body) => (isObject(body.username) ? { ...body, username: '[object Object]', verify_connection: false } : body)),
)
route(
  'verify-object',
  'BROKER-CONN-10',
  'an object is taken for true',
  'broker.writeConnection',
  requestNestedAs('verify_connection', true),
)
route(
  'password-beside-role',
  'BROKER-CONN-11',
  'the read of a role shows what the connection logs in with',
  'broker.readRole',
  (original) => async (call) => {
    const reply = await original(call)
    const { data } = reply.body as { data: JsonObject }
    return { ...reply, body: { ...(reply.body as JsonObject), data: { ...data, administrator: call.state.connection?.password ?? '' } } }
  },
)
rule('password-in-error', 'BROKER-CONN-13', 'a failed verification quotes the credentials', {
  failureText: (original) => (error, connection) => `${original(error, connection)} (${connection.username}:${connection.password})`,
})
rule(
  'unverified-incomplete',
  ['BROKER-CONN-03', 'BROKER-CONN-04', 'BROKER-CONN-05'],
  'parameters may be missing where nothing is verified',
  { connectionComplete: (original) => (body) => (body.verify_connection === false ? undefined : original(body)) },
)
