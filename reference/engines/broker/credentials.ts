/** `creds/` and `config/lease`: users made on demand, with a lease each. */
import type { Call, Route } from '../../core/engine.ts'
import { empty, secret } from '../../core/envelope.ts'
import { ApiError, invalid } from '../../core/errors.ts'
import type { Reply } from '../../core/reply.ts'
import { type BrokerAddress, management } from './management.ts'
import type { BrokerRules } from './rules.ts'
import type { BrokerRole, BrokerState } from './state.ts'

type BrokerCall = Call<BrokerState, BrokerRules>

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
      const address = state.connection ?? broker
      if (rules.locksUser()) await management.createUser(address, username, services.random.word(32), '')
      else if (rules.deletesUser()) await management.deleteUser(address, rules.revokedUser(username))
    },
  })
  return secret(rules.shownCredential(username, password), rules.leased() ? lease : undefined)
}

export const credentialRoutes: Route<BrokerState, BrokerRules>[] = [
  {
    id: 'broker.writeLease',
    method: 'POST',
    path: 'config/lease',
    handle(call) {
      call.state.lease = call.rules.leaseOf(call.body)
      return empty()
    },
  },
  { id: 'broker.readCreds', method: 'GET', path: 'creds/:name', handle: credentials },
]
