/** Faults in what a token shows. */

import { faultsOf } from '../../mutations/declare.ts'
import { agentTokens } from './engine.ts'

const { rule, change } = faultsOf(agentTokens)

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
rule('created-at-epoch', 'AGENT-TOKENS-FIELD-08', 'created-at is the zero time', { createdAt: () => () => '0001-01-01T00:00:00.000Z' })
rule('created-at-now', 'AGENT-TOKENS-FIELD-14', 'created-at is the time of reading', {
  createdAt: (original) => {
    let reads = 0
    return (token) => original({ ...token, createdAt: token.createdAt + ++reads / 1000 })
  },
})
rule('description-lines', 'AGENT-TOKENS-FIELD-11', 'lines of a description end in a line feed alone', {
  describe: (original) => (token) => original(token).replaceAll('\r\n', '\n'),
})
rule('last-used-zero', 'AGENT-TOKENS-FIELD-04', 'a token that was never used has 0 as its last use', {
  lastUsedAt: (original) => (token) => original(token) ?? (0 as unknown as null),
})
rule('description-cut', 'AGENT-TOKENS-FIELD-11', 'descriptions lose their blanks at the ends and all beyond 30 characters', {
  describe: (original) => (token) => original(token).trim().slice(0, 30),
})
rule('description-escaped', 'AGENT-TOKENS-FIELD-11', 'descriptions are escaped for HTML', {
  describe: (original) => (token) => original(token).replaceAll('&', '&amp;').replaceAll('<', '&lt;'),
})
rule('description-number', 'AGENT-TOKENS-FIELD-05', 'a description of digits becomes a number', {
  describe: () => (token) => token.description.length as unknown as string,
})
rule('creator-owner', 'AGENT-TOKENS-FIELD-13', 'created-by is the same user for all tokens', { creator: () => () => 'user-admin' })
rule('creator-number', 'AGENT-TOKENS-FIELD-07', 'the id in created-by is a number', { creator: () => () => 17 as unknown as string })
rule('creator-changes', 'AGENT-TOKENS-FIELD-12', 'created-by is another id in every answer', {
  creator: (original) => {
    let reads = 0
    return (token) => `${original(token)}${++reads}`
  },
})
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
