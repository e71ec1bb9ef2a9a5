/** Faults of agent tokens as haste makes them. */
import { faultsOf } from '../../mutations/declare.ts'
import { agentTokens } from './engine.ts'

const { rule } = faultsOf(agentTokens)

rule('guess-namesakes-destroyed', ['AGENT-TOKENS-DESTROY-05'], 'destroying a token destroys those of its pool with the same description', {
  remove: (original) => (world, token) => {
    for (const other of [...world.tokens.values()])
      if (other.id !== token.id && other.poolId === token.poolId && other.description === token.description) world.tokens.delete(other.id)
    return original(world, token)
  },
})
rule('guess-description-trimmed', ['AGENT-TOKENS-FIELD-11'], 'a description is shown without its outer blanks', {
  describe: (original) => (token) => original(token).trim(),
})
