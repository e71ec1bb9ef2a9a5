/** Legal alternatives of what follows a failure or a refusal of the provider, and of accounts that are made again. */
import { ProviderRefusal } from '../../clouds/provider-requests.ts'
import { variantsOf } from '../../faults/declare.ts'
import { brokenAfterFailure, remembered } from '../../faults/remembering.ts'
import { refusalStatus } from '../../faults/wrappers.ts'
import { cloudcEngine } from './engine.ts'
import type { CloudcCall } from './provider-calls.ts'

const { route, change, declared } = variantsOf(cloudcEngine)

type Handle = (typeof cloudcEngine.routes)[number]['handle']

const SECRETS = ['cloudc.readToken', 'cloudc.createToken', 'cloudc.readKey', 'cloudc.createKey']
const ACTIONS = [...SECRETS, 'cloudc.rotate', 'cloudc.rotateKey']
const nameOf = ({ params }: CloudcCall): string => params.name ?? params.roleset ?? ''

change('account-stays', 'that nothing stays at the provider: advised', 'the account of a creation that failed stays', {
  rules: { undoes: () => () => false },
  touches: 'accounts',
})
route(
  'roleset-out-of-order',
  'that the same object serves again at once: advised',
  'after a failure of the provider a roleset is not to be used',
  [...ACTIONS, 'cloudc.writeRoleset'],
  brokenAfterFailure<CloudcCall>((call) => call.state.rolesets.get(nameOf(call)), 'the roleset is out of order'),
)

const firstIds = remembered(() => new Map<string, string>())
change('account-by-name', 'a roleset made again may have any account', 'a roleset that is made again has the account of before', {
  touches: 'accounts',
  routes: {
    'cloudc.writeRoleset': (original) => (call) => {
      if (call.state.rolesets.has(nameOf(call))) return original(call)
      const ids = firstIds(call.state)
      const accountId: typeof call.rules.accountId = (name, random) => {
        const id = ids.get(name) ?? call.rules.accountId(name, random)
        ids.set(name, id)
        return id
      }
      return original({ ...call, rules: { ...call.rules, accountId } })
    },
  },
})

route(
  'provider-refusal-502',
  'a failing backend: 4xx, 500 or 502',
  'what the provider refuses is answered with 502',
  [...SECRETS, 'cloudc.writeRoleset'],
  refusalStatus(502, (refused) => refused instanceof ProviderRefusal),
)

const refusals = remembered(() => new Map<string, ProviderRefusal>())
/** A roleset whose bindings the provider refuses is stored without rights. */
const refusesLater: (original: Handle) => Handle = (original) => async (call) => {
  const refused = refusals(call.state)
  try {
    const reply = await original(call)
    refused.delete(nameOf(call))
    return reply
  } catch (cause) {
    if (!(cause instanceof ProviderRefusal) || ![400, 404].includes(cause.providerStatus)) throw cause
    const reply = await original({ ...call, rules: { ...call.rules, boundResources: () => ({}) } })
    refused.set(nameOf(call), cause)
    return reply
  }
}
/** Gives no secret of a roleset whose bindings the provider refuses. */
const givesNothing: (original: Handle) => Handle = (original) => (call) => {
  const refusal = refusals(call.state).get(nameOf(call))
  if (refusal !== undefined) throw refusal
  return original(call)
}
const forgets: (original: Handle) => Handle = (original) => (call) => {
  refusals(call.state).delete(nameOf(call))
  return original(call)
}
change(
  'provider-refuses-late',
  'a refusal of the provider: at the write or at first use',
  'what the provider does not know is refused when secrets are asked for',
  {
    routes: {
      'cloudc.writeRoleset': refusesLater,
      'cloudc.deleteRoleset': forgets,
      ...Object.fromEntries(ACTIONS.map((operation) => [operation, givesNothing])),
    },
  },
)

export const variants = declared
