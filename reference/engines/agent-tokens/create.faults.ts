/** Faults in creating tokens: what is refused, what is kept and where. */
import type { Json, JsonObject } from '../../core/json.ts'
import { type Clauses, faultsOf } from '../../faults/declare.ts'
import { memberOf } from '../../faults/operators/members.ts'
import { refusalStatus } from '../../faults/wrappers.ts'
import { Refusal } from '../../run-management/documents.ts'
import { agentTokens } from './engine.ts'
import { uniqueDescriptions } from './unique-descriptions.ts'
import { nearest, pause } from './wrappers.ts'

const { rule, route, declared } = faultsOf(agentTokens)

const CREATE = 'agentTokens.create'
route('created-no-route', 'AGENT-TOKENS-VERSION-01', 'the create route is not served', CREATE, () => () => {
  throw new Refusal(405, 'POST is not offered here')
})
rule('not-stored', ['AGENT-TOKENS-CREATE-03', 'AGENT-TOKENS-CREATE-04', 'AGENT-TOKENS-MODEL-01'], 'a created token is not stored', {
  add: () => () => undefined,
})
rule('all-pools', 'AGENT-TOKENS-CREATE-05', 'a pool lists the tokens of all pools', {
  tokensOf: () => (world) => [...world.tokens.values()],
})
const UNKNOWN: Clauses = ['AGENT-TOKENS-CREATE-19', 'AGENT-TOKENS-LIST-03']
route('unknown-pool', UNKNOWN, 'a pool that does not exist is made on the way', [CREATE, 'agentTokens.list'], (original) => (call) => {
  call.world.pools.add(call.params.agent_pool_id ?? '')
  return original(call)
})
route(
  'near-pool-created',
  'AGENT-TOKENS-CREATE-19',
  'a part of the id of a pool, or more than it, stands for the pool',
  CREATE,
  (original) => (call) => original(nearest(call, 'agent_pool_id', call.world.pools)),
)
route('description-unique', 'AGENT-TOKENS-CREATE-20', 'a description that a token of the pool has is refused', CREATE, uniqueDescriptions)

/** Removes, with a creation, the tokens of the same description that are in the same pool or that are not. */
const replacing = (inPool: boolean): Parameters<typeof rule>[3] => ({
  add: (original) => (world, token) => {
    for (const other of world.tokens.values())
      if ((other.poolId === token.poolId) === inPool && other.description === token.description) world.tokens.delete(other.id)
    return original(world, token)
  },
})
rule(
  'description-replaces',
  ['AGENT-TOKENS-MODEL-01', 'AGENT-TOKENS-CREATE-20'],
  'a token replaces one of the same description',
  replacing(true),
)
rule('moved-by-namesake', 'AGENT-TOKENS-CREATE-20', 'a token replaces one of the same description in another pool', replacing(false))
rule('lost-create', ['AGENT-TOKENS-RACE-01', 'AGENT-TOKENS-RACE-02'], 'of tokens created at once only the last is kept', {
  add: () => async (world, token) => {
    const snapshot = new Map(world.tokens)
    await pause()
    for (const [id, known] of world.tokens) if (known.poolId === token.poolId && !snapshot.has(id)) world.tokens.delete(id)
    world.tokens.set(token.id, token)
  },
})

const isObject = (value: Json | undefined): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value)

/** One mistake in a body. */
const MISTAKES = {
  data: (body: Json) => memberOf(body, 'data') === undefined,
  'data-form': (body: Json) => memberOf(body, 'data') !== undefined && !isObject(memberOf(body, 'data')),
  attributes: (body: Json) => isObject(memberOf(body, 'data')) && memberOf(body, 'data.attributes') === undefined,
  type: (body: Json) => isObject(memberOf(body, 'data')) && memberOf(body, 'data.type') === undefined,
  'description-form': (body: Json) => typeof (memberOf(body, 'data.attributes.description') ?? '') === 'object',
  'description-null': (body: Json) => memberOf(body, 'data.attributes.description') === null,
}

/** A mistake is overlooked, the description then being a text, or it is refused with another status. */
const mistaken = (mistake: keyof typeof MISTAKES, clause: string, title: string, status?: number): void =>
  rule(`${mistake}-${status ?? 'overlooked'}`, clause, title, {
    description: (original) => (body, wantedType) => {
      if (!MISTAKES[mistake](body)) return original(body, wantedType)
      if (status !== undefined) throw new Refusal(status, 'there is nothing to create')
      return 'text'
    },
  })

mistaken('data', 'AGENT-TOKENS-CREATE-08', 'data may be missing')
mistaken('data', 'AGENT-TOKENS-CREATE-08', 'missing data is answered with 404', 404)
mistaken('data-form', 'AGENT-TOKENS-CREATE-17', 'data may be anything')
mistaken('data-form', 'AGENT-TOKENS-CREATE-17', 'data of another form is answered with 409', 409)
mistaken('attributes', 'AGENT-TOKENS-CREATE-07', 'the attributes may be missing')
mistaken('attributes', 'AGENT-TOKENS-CREATE-07', 'missing attributes are answered with 400', 400)
mistaken('type', 'AGENT-TOKENS-CREATE-09', 'a missing type is answered with 404', 404)
mistaken('description-form', 'AGENT-TOKENS-CREATE-11', 'objects and arrays are taken for a description')
mistaken('description-form', 'AGENT-TOKENS-CREATE-11', 'a description other than a text is answered with 400', 400)
mistaken('description-null', 'AGENT-TOKENS-CREATE-18', 'a null description is answered with 404', 404)
rule('type-any', 'AGENT-TOKENS-CREATE-10', 'any type is accepted', { wantedType: () => (type) => typeof type === 'string' })

const NOT_JSON: Clauses = ['AGENT-TOKENS-CREATE-13', 'AGENT-TOKENS-CREATE-14']
route('not-json-500', NOT_JSON, 'a body that is not JSON makes the server fail', CREATE, (original) => (call) => {
  if (call.body.length > 0) JSON.parse(new TextDecoder().decode(call.body))
  return original(call)
})
route(
  'not-json-409',
  'AGENT-TOKENS-CREATE-14',
  'a body that is not JSON is called a conflict',
  CREATE,
  refusalStatus(409, ({ status }) => status === 400),
)
route('no-body-default', 'AGENT-TOKENS-CREATE-15', 'without a body a token is created', CREATE, (original) => (call) => {
  const body = { data: { type: 'authentication-tokens', attributes: { description: 'text' } } }
  return original(call.body.length > 0 ? call : { ...call, body: new TextEncoder().encode(JSON.stringify(body)) })
})
route('no-body-404', 'AGENT-TOKENS-CREATE-15', 'a missing body is answered with 404', CREATE, (original) => (call) => {
  if (call.body.length === 0) throw new Refusal(404, 'there is nothing to create')
  return original(call)
})

export const faults = declared
