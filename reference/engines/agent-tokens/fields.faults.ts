/** Faults in what a token shows. */
import { faultsOf } from '../../faults/declare.ts'
import { bodyOf, memberOf } from '../../faults/operators/members.ts'
import { changedResources } from '../../run-management/answer-changes.ts'
import type { AgentToken } from '../../run-management/world.ts'
import { agentTokens } from './engine.ts'

const { rule, route, change, declared } = faultsOf(agentTokens)

const SHOW = 'agentTokens.show'
const LIST = 'agentTokens.list'
const CREATE = 'agentTokens.create'

rule('id-shape', 'AGENT-TOKENS-FIELD-01', 'ids are UUIDs', { newId: () => (random) => random.uuid() })
rule('id-reused', 'AGENT-TOKENS-FIELD-15', 'ids are given again after a few', {
  newId: () => {
    let count = 0
    return () => `at-${++count % 5}`
  },
})
rule('created-at-seconds', 'AGENT-TOKENS-FIELD-03', 'created-at has no milliseconds', {
  createdAt: (original) => (token) => original(token).replace(/\.\d+Z$/, 'Z'),
})

/** A time is taken from the request, by its member of the body. */
const timeOfBody = (member: string, change: (token: AgentToken, seconds: number) => void): Parameters<typeof route>[4] => {
  return (original) => (call) => {
    const given = memberOf(bodyOf(call), `data.attributes.${member}`)
    const add: typeof call.rules.add = (world, token) => {
      if (typeof given === 'string') change(token, Date.parse(given) / 1000)
      return call.rules.add(world, token)
    }
    return original({ ...call, rules: { ...call.rules, add } })
  }
}

route(
  'created-at-of-body',
  'AGENT-TOKENS-FIELD-08',
  'created-at is what the request says',
  CREATE,
  timeOfBody('created-at', (token, seconds) => {
    token.createdAt = seconds
  }),
)
route(
  'last-use-of-body',
  'AGENT-TOKENS-FIELD-09',
  'last-used-at is what the request says',
  CREATE,
  timeOfBody('last-used-at', (token, seconds) => {
    token.lastUsedAt = seconds
  }),
)
rule('use-moves-created-at', 'AGENT-TOKENS-FIELD-14', 'using a token moves its created-at', {
  used: (original) => (token, now) => {
    original(token, now)
    token.createdAt = now
  },
})
rule('last-used-zero', 'AGENT-TOKENS-FIELD-04', 'a token that was never used has 0 as its last use', {
  lastUsedAt: (original) => (token) => original(token) ?? (0 as unknown as null),
})
rule('creation-is-use', 'AGENT-TOKENS-FIELD-09', 'a new token counts as used', {
  lastUsedAt: (original) => (token) => original(token) ?? new Date(token.createdAt * 1000).toISOString(),
})
rule('use-not-noted', 'AGENT-TOKENS-FIELD-10', 'the use of a token is not noted', { used: () => () => undefined })
route('show-counts-as-use', 'AGENT-TOKENS-FIELD-09', 'showing a token counts as its use', SHOW, (original) => async (call) => {
  const given = await original(call)
  const token = call.world.tokens.get(call.params.id!)
  if (token) call.rules.used(token, call.now())
  return given
})

rule('creator-owner', 'AGENT-TOKENS-FIELD-13', 'created-by is the same user for all tokens', { creator: () => () => 'user-admin' })
route(
  'list-creator-of-first',
  'AGENT-TOKENS-FIELD-13',
  'the list names the creator of its first token for all',
  LIST,
  changedResources((item, _call, _index, all) => ({ ...item, relationships: all[0]?.relationships ?? null })),
)

rule('description-number', 'AGENT-TOKENS-FIELD-05', 'a description of digits becomes a number', {
  describe: () => (token) => token.description.length as unknown as string,
})
rule('creator-number', 'AGENT-TOKENS-FIELD-07', 'the id in created-by is a number', { creator: () => () => 17 as unknown as string })
change('type-old', ['AGENT-TOKENS-FIELD-02', 'AGENT-TOKENS-CREATE-02'], 'resources have the type agent-tokens', {
  routes: Object.fromEntries(
    ['agentTokens.create', 'agentTokens.show'].map((id) => [
      id,
      (original) => async (call) => {
        const reply = await original(call)
        const body = reply.body as { data: object }
        return { ...reply, body: { data: { ...body.data, type: 'agent-tokens' } } }
      },
    ]),
  ),
})

export const faults = declared
