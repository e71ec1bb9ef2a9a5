/** `key/`: keys of the roleset's account, each with a lease. */
import type { Route } from '../../core/engine.ts'
import { secret } from '../../core/envelope.ts'
import type { Reply } from '../../core/reply.ts'
import { type CloudcCall, provider } from './provider-calls.ts'
import { inTurn, rolesetFor } from './rolesets.ts'
import type { CloudcRules } from './rules.ts'
import type { CloudcState } from './state.ts'

const issue = async (call: CloudcCall): Promise<Reply> => {
  const { rules, state, body, mount, services } = call
  const roleset = rolesetFor(call, call.params.roleset ?? '')
  rules.mayGiveKey(roleset)
  const [algorithm, type, times] = [rules.algorithmOf(body), rules.keyTypeOf(body), rules.leaseTimes(body, state.config, mount)]
  const { name, data } = await provider.createKey(call, roleset.account.email, algorithm, type)
  const lease = services.leases.issue(call, {
    ...times,
    renewable: true,
    revoke: async () => {
      if (rules.deletesKey()) await provider.deleteKey(call, rules.revokedKey(name))
    },
  })
  return secret(rules.shownKey(data, algorithm, type), rules.leased() ? lease : undefined)
}

const handle = (call: CloudcCall): Promise<Reply> => inTurn(call, call.params.roleset ?? '', () => issue(call))

export const keyRoutes: Route<CloudcState, CloudcRules>[] = [
  { id: 'cloudc.readKey', method: 'GET', path: 'key/:roleset', handle: (call) => handle({ ...call, body: {} }) },
  { id: 'cloudc.createKey', method: 'POST', path: 'key/:roleset', handle },
]
