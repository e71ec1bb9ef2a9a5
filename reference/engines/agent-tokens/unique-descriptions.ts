/** Descriptions that no two tokens of a pool may share: what no sentence forbids, and clients do not expect. */
import type { Reply } from '../../core/reply.ts'
import { Refusal } from '../../run-management/documents.ts'
import type { PartCall } from '../../run-management/part.ts'
import type { AgentTokenRules } from './agent-tokens.rules.ts'

type Handle = (call: PartCall<AgentTokenRules>) => Reply | Promise<Reply>

/** Refuses a creation whose description a token of the pool has. */
export const uniqueDescriptions =
  (original: Handle): Handle =>
  (call) => {
    let description: unknown
    try {
      description = JSON.parse(new TextDecoder().decode(call.body)).data.attributes.description
    } catch {
      return original(call)
    }
    const taken = [...call.world.tokens.values()].some(
      (token) => token.poolId === call.params.agent_pool_id && token.description === description,
    )
    if (taken && call.rules.mayManage(call.caller, call.params.agent_pool_id ?? '')) throw new Refusal(422, 'the description is taken')
    return original(call)
  }
