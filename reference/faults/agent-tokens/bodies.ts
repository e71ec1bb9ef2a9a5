/** Faults in what a create request is refused for. */
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

export const bodiesFaults = [
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
]
