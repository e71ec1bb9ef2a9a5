/** Faults in what a token shows. */
import { fault } from '../../core/mutation.ts'
import { agentTokens } from '../../run-management/agent-tokens/index.ts'

const engine = 'agent-tokens'

export const fieldsFaults = [
  fault(
    agentTokens,
    { id: 'agent-tokens-id-shape', engine, title: 'ids are UUIDs', clauses: ['AGENT-FIELD-01'] },
    {
      rules: { newId: () => (random) => random.uuid() },
    },
  ),
  fault(
    agentTokens,
    { id: 'agent-tokens-id-reused', engine, title: 'ids are given again after a few', clauses: ['AGENT-FIELD-15'] },
    {
      rules: {
        newId: () => {
          let count = 0
          return () => `at-${++count % 5}`
        },
      },
    },
  ),
  fault(
    agentTokens,
    { id: 'agent-tokens-created-at-seconds', engine, title: 'created-at has no milliseconds', clauses: ['AGENT-FIELD-03'] },
    {
      rules: { createdAt: (original) => (token) => original(token).replace(/\.\d+Z$/, 'Z') },
    },
  ),
  fault(
    agentTokens,
    { id: 'agent-tokens-created-at-epoch', engine, title: 'created-at is the zero time', clauses: ['AGENT-FIELD-08'] },
    {
      rules: { createdAt: () => () => '0001-01-01T00:00:00.000Z' },
    },
  ),
  fault(
    agentTokens,
    { id: 'agent-tokens-created-at-now', engine, title: 'created-at is the time of reading', clauses: ['AGENT-FIELD-14'] },
    {
      rules: {
        createdAt: (original) => {
          let reads = 0
          return (token) => original({ ...token, createdAt: token.createdAt + ++reads / 1000 })
        },
      },
    },
  ),
  fault(
    agentTokens,
    { id: 'agent-tokens-last-used-zero', engine, title: 'a token that was never used has 0 as its last use', clauses: ['AGENT-FIELD-04'] },
    {
      rules: { lastUsedAt: (original) => (token) => original(token) ?? (0 as unknown as null) },
    },
  ),
  fault(
    agentTokens,
    {
      id: 'agent-tokens-description-cut',
      engine,
      title: 'descriptions lose their blanks at the ends and all beyond 30 characters',
      clauses: ['AGENT-FIELD-11'],
    },
    {
      rules: { describe: (original) => (token) => original(token).trim().slice(0, 30) },
    },
  ),
  fault(
    agentTokens,
    { id: 'agent-tokens-description-escaped', engine, title: 'descriptions are escaped for HTML', clauses: ['AGENT-FIELD-11'] },
    {
      rules: { describe: (original) => (token) => original(token).replaceAll('&', '&amp;').replaceAll('<', '&lt;') },
    },
  ),
  fault(
    agentTokens,
    { id: 'agent-tokens-description-number', engine, title: 'a description of digits becomes a number', clauses: ['AGENT-FIELD-05'] },
    {
      rules: { describe: () => (token) => token.description.length as unknown as string },
    },
  ),
  fault(
    agentTokens,
    { id: 'agent-tokens-creator-owner', engine, title: 'created-by is the same user for all tokens', clauses: ['AGENT-FIELD-13'] },
    {
      rules: { creator: () => () => 'user-admin' },
    },
  ),
  fault(
    agentTokens,
    { id: 'agent-tokens-creator-number', engine, title: 'the id in created-by is a number', clauses: ['AGENT-FIELD-07'] },
    {
      rules: { creator: () => () => 17 as unknown as string },
    },
  ),
  fault(
    agentTokens,
    { id: 'agent-tokens-creator-changes', engine, title: 'created-by is another id in every answer', clauses: ['AGENT-FIELD-12'] },
    {
      rules: {
        creator: (original) => {
          let reads = 0
          return (token) => `${original(token)}${++reads}`
        },
      },
    },
  ),
  fault(
    agentTokens,
    { id: 'agent-tokens-type-old', engine, title: 'resources have the type agent-tokens', clauses: ['AGENT-FIELD-02', 'AGENT-CREATE-02'] },
    {
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
    },
  ),
]
