/** `token/`: access tokens of the provider, which end by themselves. */

import { credentialsIn } from '../../clouds/service-account.ts'
import type { Route } from '../../core/engine.ts'
import { secret } from '../../core/envelope.ts'
import { invalid } from '../../core/errors.ts'
import type { Reply } from '../../core/reply.ts'
import { type CloudcCall, linkOf } from './provider-calls.ts'
import { inTurn, rolesetFor } from './rolesets.ts'
import type { CloudcRules } from './rules.ts'
import type { CloudcState } from './state.ts'

const issue = async (call: CloudcCall): Promise<Reply> => {
  const { rules } = call
  const roleset = rolesetFor(call, call.params.roleset ?? '')
  rules.mayGiveToken(roleset)
  const { tokenKey } = roleset.account
  if (tokenKey === undefined) throw invalid('the roleset has no key')
  const login = () => linkOf(call).token(credentialsIn(tokenKey.file), rules.tokenScopes(roleset), call.now())
  const { token, expiresIn } = await rules.loggedIn(login)
  return secret(rules.shownToken(token, expiresIn, call.now()))
}

const handle = (call: CloudcCall): Promise<Reply> => inTurn(call, call.params.roleset ?? '', () => issue(call))

export const tokenRoutes: Route<CloudcState, CloudcRules>[] = [
  { id: 'cloudc.readToken', method: 'GET', path: 'token/:roleset', handle },
  { id: 'cloudc.createToken', method: 'POST', path: 'token/:roleset', handle },
]
