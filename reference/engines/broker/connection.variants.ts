import { variantsOf } from '../../faults/declare.ts'
import { refusalStatus, replyInsteadOf204 } from '../../faults/wrappers.ts'
import { brokerEngine } from './engine.ts'
import { ofBackend } from './wrappers.ts'

const { rule, route, declared } = variantsOf(brokerEngine)

route(
  'writes-200',
  'success of a write without a stated status',
  'writes answer 200 with an empty envelope',
  ['broker.writeConnection', 'broker.writeLease', 'broker.writeRole', 'broker.deleteRole'],
  replyInsteadOf204(),
)
route(
  'failure-502',
  'a failing backend: 4xx, 500 or 502',
  'a refusal of the broker gives 502',
  ['broker.readCreds', 'broker.writeConnection'],
  refusalStatus(502, ofBackend),
)
rule('failures-quote-passwords', 'nothing is said of error texts', 'a failed verification quotes the credentials', {
  failureText: (original) => (error, connection) => `${original(error, connection)} (${connection.username}:${connection.password})`,
})

export const variants = declared
