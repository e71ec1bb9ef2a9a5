/** The broker engine: users made in RabbitMQ on demand, with a lease each. */

import type { Call, Engine, Route } from '../../core/engine.ts'
import { empty, secret } from '../../core/envelope.ts'
import { ApiError, invalid, notFound } from '../../core/errors.ts'
import type { Reply } from '../../core/reply.ts'
import { type BrokerRules, brokerRules } from './broker.rules.ts'
import { type BrokerAddress, management } from './management.ts'
import type { BrokerRole, BrokerState } from './state.ts'

type BrokerCall = Call<BrokerState, BrokerRules>

const writeConnection = async (call: BrokerCall): Promise<Reply> => {
  const { rules, state, body } = call
  rules.connectionComplete(body)
  const connection = rules.connectionOf(body)
  if (rules.verifies(body)) {
    try {
      await management.verify(connection)
    } catch (error) {
      if (rules.storesUnverified()) state.connection = connection
      throw new ApiError(400, `the connection cannot be verified: ${rules.failureText(error, connection)}`)
    }
  }
  state.connection = rules.replaced(state.connection, connection)
  return empty()
}

/** Makes the user with its rights; when one cannot be given, the user goes again. */
const createUser = async (call: BrokerCall, broker: BrokerAddress, role: BrokerRole, user: string, password: string): Promise<void> => {
  const { rules } = call
  const rights = rules.rightsOfUser(rules.vhostsOf(role.vhosts))
  const topics = rules.topicsOfUser(rules.topicsOf(role.vhostTopics))
  await management.createUser(broker, user, password, rules.tagsOfUser(role))
  try {
    for (const [vhost, right] of rights) await management.permit(broker, user, vhost, right)
    for (const [vhost, exchanges] of topics)
      for (const [exchange, right] of exchanges) await management.permitTopic(broker, user, vhost, { exchange, ...right })
  } catch (error) {
    if (rules.removesAfterFailure()) await management.deleteUser(broker, user).catch(() => undefined)
    throw error
  }
}

const credentials = async (call: BrokerCall): Promise<Reply> => {
  const { rules, state, services } = call
  const name = call.params.name ?? ''
  const role = state.roles.get(name)
  if (role === undefined) throw new ApiError(rules.unknownRoleStatus(), `unknown role ${name}`)
  const broker = state.connection
  if (broker === undefined) throw invalid('no connection is configured')
  const [username, password] = [rules.username(name, services.random), rules.password(services.random)]
  await createUser(call, broker, role, username, password)
  const lease = services.leases.issue(call, {
    ...rules.leaseTimes(state.lease, call.mount),
    renewable: true,
    // The connection may have been replaced since: users are removed through the one in use.
    revoke: async () => {
      if (rules.deletesUser()) await management.deleteUser(state.connection ?? broker, rules.revokedUser(username))
    },
  })
  return secret(rules.shownCredential(username, password), rules.leased() ? lease : undefined)
}

export type BrokerRoute = Route<BrokerState, BrokerRules>

const routes: BrokerRoute[] = [
  { id: 'broker.writeConnection', method: 'POST', path: 'config/connection', handle: writeConnection },
  {
    id: 'broker.writeLease',
    method: 'POST',
    path: 'config/lease',
    handle(call) {
      call.state.lease = call.rules.leaseOf(call.body)
      return empty()
    },
  },
  {
    id: 'broker.writeRole',
    method: 'POST',
    path: 'roles/:name',
    handle(call) {
      const role = call.rules.roleOf(call.body)
      call.rules.vhostsOf(role.vhosts)
      call.rules.topicsOf(role.vhostTopics)
      call.state.roles.set(call.params.name ?? '', role)
      return empty()
    },
  },
  {
    id: 'broker.readRole',
    method: 'GET',
    path: 'roles/:name',
    handle(call) {
      const role = call.state.roles.get(call.params.name ?? '')
      if (role === undefined) throw notFound(`no role ${call.params.name}`)
      return secret(call.rules.shownRole(role))
    },
  },
  {
    id: 'broker.deleteRole',
    method: 'DELETE',
    path: 'roles/:name',
    handle(call) {
      if (call.rules.forgetsRole()) call.state.roles.delete(call.params.name ?? '')
      return empty()
    },
  },
  { id: 'broker.readCreds', method: 'GET', path: 'creds/:name', handle: credentials },
]

export const brokerEngine: Engine<BrokerState, BrokerRules> = {
  type: 'broker',
  rules: brokerRules,
  newState: () => ({ connection: undefined, lease: { ttl: 0, maxTtl: 0 }, roles: new Map() }),
  routes,
}

export const mountTypes = [brokerEngine]
