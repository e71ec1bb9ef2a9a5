/** Faults of the connection to the broker, and of what else its write changes. */
import type { Call } from '../../core/engine.ts'
import type { JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../faults/declare.ts'
import { isNested, requestBody } from '../../faults/wrappers.ts'
import { brokerEngine } from './engine.ts'
import type { BrokerRules } from './rules.ts'
import type { BrokerState } from './state.ts'

type BrokerCall = Call<BrokerState, BrokerRules>

const { rule, route, declared } = faultsOf(brokerEngine)

rule('connection-dropped', 'BROKER-CONN-01', 'a connection is verified and not kept', {
  replaced: () => (_previous, next) => ({ ...next, uri: 'http://127.0.0.1:9' }),
})
rule('connection-kept', 'BROKER-CONN-02', 'the first connection is never replaced', {
  replaced: () => (previous, next) => previous ?? next,
})
rule('verify-opt-in', 'BROKER-CONN-06', 'a connection is verified only when asked', {
  verifies: () => (body) => body.verify_connection === true,
})
route(
  'verify-away',
  'BROKER-CONN-06',
  'a broker that nobody answers at counts as verified',
  'broker.writeConnection',
  (original) => async (call) => {
    try {
      return await original(call)
    } catch (cause) {
      if (!String(cause).includes('ECONNREFUSED')) throw cause
      return original({ ...call, body: { ...call.body, verify_connection: false } })
    }
  },
)
rule('verify-always', 'BROKER-CONN-07', 'a connection is verified although that was declined', { verifies: () => () => true })
rule('verify-stored', 'BROKER-CONN-08', 'a connection is stored before it is verified', { storesUnverified: () => () => true })
route(
  'second-connection-unverified',
  'BROKER-CONN-06',
  'a connection that replaces another is not verified',
  'broker.writeConnection',
  (original) => (call) => original(call.state.connection ? { ...call, rules: { ...call.rules, verifies: () => false } } : call),
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
rule('password-escaped', 'BROKER-CONN-01', 'the password of the connection is sent percent-encoded', {
  connectionOf: (original) => (body) => {
    const connection = original(body)
    return { ...connection, password: encodeURIComponent(connection.password) }
  },
})

for (const [field, clause] of [
  ['connection_uri', 'BROKER-CONN-03'],
  ['username', 'BROKER-CONN-04'],
  ['password', 'BROKER-CONN-05'],
] as const) {
  const unverified = { [field]: 'none', verify_connection: false }
  const made = requestBody<BrokerCall>((body) => (body[field] === undefined ? { ...body, ...unverified } : body))
  route(`${field}-optional`, clause, `a connection needs no ${field}`, 'broker.writeConnection', made)
  const taken = requestBody<BrokerCall>((body) => (isNested(body[field]) ? { ...body, ...unverified } : body))
  route(`${field}-object`, 'BROKER-CONN-09', `an object is taken for ${field}`, 'broker.writeConnection', taken)
}

export const faults = declared
