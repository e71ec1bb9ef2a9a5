/** Faults in creating tokens and in what a token shows. */
import { fault } from '../../core/mutation.ts'
import { agentTokens } from '../../run-management/agent-tokens/index.ts'
import { Refusal } from '../../run-management/documents.ts'

const engine = 'agent-tokens'

interface Body {
  data?: { type?: unknown; attributes?: { description?: unknown } | null }
}

/** A fault whose validation misses one mistake: for it the description becomes `text`. */
const lenient = (id: string, title: string, clauses: string[], misses: (body: Body) => boolean) =>
  fault(
    agentTokens,
    { id: `agent-tokens-${id}`, engine, title, clauses },
    {
      rules: { description: (original) => (body, wantedType) => (misses(body as Body) ? 'text' : original(body, wantedType)) },
    },
  )

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null && !Array.isArray(value)

export const createFaults = [
  lenient(
    'description-optional',
    'the description may be missing',
    ['AGENT-CREATE-06'],
    ({ data }) => isObject(data?.attributes) && !('description' in data.attributes),
  ),
  lenient(
    'attributes-optional',
    'the attributes may be missing',
    ['AGENT-CREATE-07'],
    ({ data }) => isObject(data) && data.attributes === undefined,
  ),
  lenient('data-optional', 'data may be missing', ['AGENT-CREATE-08'], (body) => isObject(body) && body.data === undefined),
  lenient('type-optional', 'the type may be missing', ['AGENT-CREATE-09'], ({ data }) => isObject(data) && data.type === undefined),
  lenient(
    'description-any',
    'objects and arrays are taken for a description',
    ['AGENT-CREATE-11'],
    ({ data }) => isObject(data?.attributes) && typeof data.attributes.description === 'object' && data.attributes.description !== null,
  ),
  lenient('description-null', 'null is taken for a description', ['AGENT-CREATE-18'], ({ data }) => data?.attributes?.description === null),
  lenient('data-any', 'data may be anything', ['AGENT-CREATE-17'], ({ data }) => data !== undefined && !isObject(data)),
  fault(
    agentTokens,
    { id: 'agent-tokens-type-any', engine, title: 'any type is accepted', clauses: ['AGENT-CREATE-10'] },
    {
      rules: { wantedType: () => (type) => typeof type === 'string' },
    },
  ),
  fault(
    agentTokens,
    {
      id: 'agent-tokens-invalid-400',
      engine,
      title: 'invalid attributes are answered with 400',
      clauses: ['AGENT-CREATE-06', 'AGENT-CREATE-07', 'AGENT-CREATE-08'],
    },
    {
      rules: {
        description: (original) => (body, wantedType) => {
          try {
            return original(body, wantedType)
          } catch (error) {
            throw error instanceof Refusal ? new Refusal(400, error.message) : error
          }
        },
      },
    },
  ),
  fault(
    agentTokens,
    {
      id: 'agent-tokens-not-json-500',
      engine,
      title: 'a body that is not JSON makes the server fail',
      clauses: ['AGENT-CREATE-13', 'AGENT-CREATE-14'],
    },
    {
      routes: {
        'agentTokens.create': (original) => (call) => {
          if (call.body.length > 0) JSON.parse(new TextDecoder().decode(call.body))
          return original(call)
        },
      },
    },
  ),
  fault(
    agentTokens,
    { id: 'agent-tokens-not-json-409', engine, title: 'a body that is not JSON is called a conflict', clauses: ['AGENT-CREATE-14'] },
    {
      routes: {
        'agentTokens.create': (original) => async (call) => {
          try {
            return await original(call)
          } catch (error) {
            throw error instanceof Refusal && error.status === 400 ? new Refusal(409, error.message) : error
          }
        },
      },
    },
  ),
  fault(
    agentTokens,
    { id: 'agent-tokens-no-body-default', engine, title: 'without a body a token is created all the same', clauses: ['AGENT-CREATE-15'] },
    {
      routes: {
        'agentTokens.create': (original) => (call) => {
          const body = { data: { type: 'authentication-tokens', attributes: { description: 'text' } } }
          return original(call.body.length > 0 ? call : { ...call, body: new TextEncoder().encode(JSON.stringify(body)) })
        },
      },
    },
  ),
  fault(
    agentTokens,
    { id: 'agent-tokens-created-200', engine, title: 'creating answers 200', clauses: ['AGENT-CREATE-01'] },
    {
      rules: { createdStatus: () => () => 200 },
    },
  ),
  fault(
    agentTokens,
    { id: 'agent-tokens-created-no-route', engine, title: 'the create route is not served', clauses: ['AGENT-VERSION-01'] },
    {
      routes: {
        'agentTokens.create': () => () => {
          throw new Refusal(405, 'POST is not offered here')
        },
      },
    },
  ),
  fault(
    agentTokens,
    { id: 'agent-tokens-created-echo', engine, title: 'the create answer holds no attributes of the token', clauses: ['AGENT-CREATE-02'] },
    {
      rules: { describe: () => () => 'agent token' },
    },
  ),
  fault(
    agentTokens,
    {
      id: 'agent-tokens-not-stored',
      engine,
      title: 'a created token is not stored',
      clauses: ['AGENT-CREATE-03', 'AGENT-CREATE-04', 'AGENT-MODEL-01'],
    },
    {
      rules: { add: () => () => undefined },
    },
  ),
  fault(
    agentTokens,
    { id: 'agent-tokens-all-pools', engine, title: 'a pool lists the tokens of all pools', clauses: ['AGENT-CREATE-05'] },
    {
      rules: { tokensOf: () => (world) => [...world.tokens.values()] },
    },
  ),
  fault(
    agentTokens,
    {
      id: 'agent-tokens-unknown-pool',
      engine,
      title: 'a pool that does not exist is made on the way',
      clauses: ['AGENT-CREATE-19', 'AGENT-LIST-03'],
    },
    {
      routes: {
        'agentTokens.create': (original) => (call) => {
          call.world.pools.add(call.params.agent_pool_id ?? '')
          return original(call)
        },
        'agentTokens.list': (original) => (call) => {
          call.world.pools.add(call.params.agent_pool_id ?? '')
          return original(call)
        },
      },
    },
  ),
  fault(
    agentTokens,
    {
      id: 'agent-tokens-description-unique',
      engine,
      title: 'a description replaces the token that has it already',
      clauses: ['AGENT-CREATE-20'],
    },
    {
      routes: {
        'agentTokens.create': (original) => async (call) => {
          const reply = await original(call)
          const { description } = (reply.body as unknown as { data: { attributes: { description: string } } }).data.attributes
          const same = [...call.world.tokens.values()].filter(
            (token) => token.poolId === call.params.agent_pool_id && token.description === description,
          )
          if (same.length > 1) throw new Refusal(422, 'the description is taken')
          return reply
        },
      },
    },
  ),
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
