/** `config/connection`: the broker whose users this engine makes. */
import type { Call, Route } from '../../core/engine.ts'
import { empty } from '../../core/envelope.ts'
import { ApiError } from '../../core/errors.ts'
import type { Reply } from '../../core/reply.ts'
import { management } from './management.ts'
import type { BrokerRules } from './rules.ts'
import type { BrokerState } from './state.ts'

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

export const connectionRoutes: Route<BrokerState, BrokerRules>[] = [
  { id: 'broker.writeConnection', method: 'POST', path: 'config/connection', handle: writeConnection },
]
