/** Faults in the form of what one route shows. */
import type { JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { reply } from '../../mutations/wrappers.ts'
import { agentTokens } from './engine.ts'
import type { Handle } from './wrappers.ts'

const { rule, route } = faultsOf(agentTokens)

/** Changes the attributes of each token of an answer. */
const attributes = (change: (attributes: JsonObject) => JsonObject): ((original: Handle) => Handle) =>
  reply((given) => {
    const body = given.body as { data: JsonObject | JsonObject[] }
    const changed = (one: JsonObject): JsonObject => ({ ...one, attributes: change(one.attributes as JsonObject) })
    return { ...given, body: { ...body, data: Array.isArray(body.data) ? body.data.map(changed) : changed(body.data) } }
  })

rule('shape-list-masked-token', 'AGENT-TOKENS-SECRET-03', 'a list shows a mask in the place of the secret', {
  secretText: (original) => (token, occasion, secret) => (occasion === 'listed' ? '********' : original(token, occasion, secret)),
})

route(
  'shape-show-trims-description',
  'AGENT-TOKENS-FIELD-11',
  'a token is shown with its description trimmed',
  'agentTokens.show',
  attributes((given) => ({ ...given, description: String(given.description).trim() })),
)

route(
  'shape-list-escapes-description',
  'AGENT-TOKENS-FIELD-11',
  'a list escapes descriptions for HTML',
  'agentTokens.list',
  attributes((given) => ({
    ...given,
    description: String(given.description).replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;'),
  })),
)

rule('shape-description-composed', 'AGENT-TOKENS-FIELD-11', 'a description is stored with its accents composed', {
  description: (original) => (body, wantedType) => original(body, wantedType).normalize('NFC'),
})

route(
  'shape-list-created-at-seconds',
  'AGENT-TOKENS-FIELD-03',
  'created-at of a list has no milliseconds',
  'agentTokens.list',
  attributes((given) => ({ ...given, 'created-at': String(given['created-at']).replace(/\.\d+Z$/, 'Z') })),
)

rule('shape-description-array-joined', 'AGENT-TOKENS-CREATE-11', 'a description that is an array is joined with commas', {
  description: (original) => (body, wantedType) => {
    const { data } = body as { data?: { attributes?: JsonObject } }
    const given = data?.attributes?.description
    if (!Array.isArray(given) || given.length === 0) return original(body, wantedType)
    return original({ data: { ...data, attributes: { ...data?.attributes, description: given.join(',') } } } as JsonObject, wantedType)
  },
})
