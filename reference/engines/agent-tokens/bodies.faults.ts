/** Faults in what a create request is refused for. */

import { type Clauses, faultsOf } from '../../mutations/declare.ts'
import { refusalStatus } from '../../mutations/wrappers.ts'
import { Refusal } from '../../run-management/documents.ts'
import { agentTokens } from './engine.ts'

const { rule, route } = faultsOf(agentTokens)

interface Body {
  data?: { type?: unknown; attributes?: { description?: unknown } | null }
}

/** A fault whose validation misses one mistake: for it the description becomes `text`. */
const lenient = (id: string, clauses: Clauses, title: string, misses: (body: Body) => boolean): void =>
  rule(id, clauses, title, {
    description: (original) => (body, wantedType) => (misses(body as Body) ? 'text' : original(body, wantedType)),
  })

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null && !Array.isArray(value)

lenient(
  'description-optional',
  'AGENT-TOKENS-CREATE-06',
  'the description may be missing',
  ({ data }) => isObject(data?.attributes) && !('description' in data.attributes),
)
lenient(
  'attributes-optional',
  'AGENT-TOKENS-CREATE-07',
  'the attributes may be missing',
  ({ data }) => isObject(data) && data.attributes === undefined,
)
lenient('data-optional', 'AGENT-TOKENS-CREATE-08', 'data may be missing', (body) => isObject(body) && body.data === undefined)
lenient('type-optional', 'AGENT-TOKENS-CREATE-09', 'the type may be missing', ({ data }) => isObject(data) && data.type === undefined)
lenient(
  'description-any',
  'AGENT-TOKENS-CREATE-11',
  'objects and arrays are taken for a description',
  ({ data }) => isObject(data?.attributes) && typeof data.attributes.description === 'object' && data.attributes.description !== null,
)
lenient(
  'description-null',
  'AGENT-TOKENS-CREATE-18',
  'null is taken for a description',
  ({ data }) => data?.attributes?.description === null,
)
lenient('data-any', 'AGENT-TOKENS-CREATE-17', 'data may be anything', ({ data }) => data !== undefined && !isObject(data))
for (const { id, clause, title, misses } of [
  {
    id: 'type-missing-404',
    clause: 'AGENT-TOKENS-CREATE-09',
    title: 'a missing type is answered with 404',
    misses: ({ data }: Body) => isObject(data) && data.type === undefined,
  },
  {
    id: 'description-null-404',
    clause: 'AGENT-TOKENS-CREATE-18',
    title: 'a null description is answered with 404',
    misses: ({ data }: Body) => data?.attributes?.description === null,
  },
])
  rule(id, clause, title, {
    description: (original) => (body, wantedType) => {
      if (misses(body as Body)) throw new Refusal(404, 'there is nothing to create')
      return original(body, wantedType)
    },
  })
rule('type-any', 'AGENT-TOKENS-CREATE-10', 'any type is accepted', { wantedType: () => (type) => typeof type === 'string' })
rule(
  'invalid-400',
  ['AGENT-TOKENS-CREATE-06', 'AGENT-TOKENS-CREATE-07', 'AGENT-TOKENS-CREATE-08'],
  'invalid attributes are answered with 400',
  {
    description: (original) => (body, wantedType) => {
      try {
        return original(body, wantedType)
      } catch (error) {
        throw error instanceof Refusal ? new Refusal(400, error.message) : error
      }
    },
  },
)
route(
  'not-json-500',
  ['AGENT-TOKENS-CREATE-13', 'AGENT-TOKENS-CREATE-14'],
  'a body that is not JSON makes the server fail',
  'agentTokens.create',
  (original) => (call) => {
    if (call.body.length > 0) JSON.parse(new TextDecoder().decode(call.body))
    return original(call)
  },
)
route(
  'not-json-409',
  'AGENT-TOKENS-CREATE-14',
  'a body that is not JSON is called a conflict',
  'agentTokens.create',
  refusalStatus(409, ({ status }) => status === 400),
)
route(
  'no-body-default',
  'AGENT-TOKENS-CREATE-15',
  'without a body a token is created all the same',
  'agentTokens.create',
  (original) => (call) => {
    const body = { data: { type: 'authentication-tokens', attributes: { description: 'text' } } }
    return original(call.body.length > 0 ? call : { ...call, body: new TextEncoder().encode(JSON.stringify(body)) })
  },
)
route('no-body-404', 'AGENT-TOKENS-CREATE-15', 'a missing body is answered with 404', 'agentTokens.create', (original) => (call) => {
  if (call.body.length === 0) throw new Refusal(404, 'there is nothing to create')
  return original(call)
})
