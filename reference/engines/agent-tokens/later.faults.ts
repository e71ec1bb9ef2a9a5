/** Faults of agent tokens that show on neighbours in a pool, on later pages or after the use of a secret. */
import type { JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { reply } from '../../mutations/wrappers.ts'
import type { Caller } from '../../run-management/world.ts'
import { agentTokens } from './engine.ts'
import type { Call } from './wrappers.ts'

const { rule, route } = faultsOf(agentTokens)

/** Another answer of the list, item by item. */
const items = (change: (item: JsonObject, all: JsonObject[]) => JsonObject) =>
  reply<Call>((given) => {
    const body = given.body as JsonObject & { data: JsonObject[] }
    return { ...given, body: { ...body, data: body.data.map((item) => change(item, body.data)) } }
  })

route(
  'list-creator-of-first',
  'AGENT-TOKENS-FIELD-13',
  'the list names the creator of its first token for all',
  'agentTokens.list',
  items((item, all) => ({ ...item, relationships: all[0]?.relationships ?? null })),
)

rule('third-page-one-early', 'AGENT-TOKENS-PAGE-04', 'from the third page on, a page begins with the last token of the one before', {
  slice: (original) => (tokens, page) => {
    const { number, size } = page
    return number < 3 ? original(tokens, page) : tokens.slice((number - 1) * size - 1, number * size - 1)
  },
})

const used = new Map<string, Caller>()

rule('used-secret-outlives-token', 'AGENT-TOKENS-SECRET-10', 'a secret that was used before its token was destroyed goes on working', {
  caller: (original) => (world, bearer, recognises) => {
    const caller = original(world, bearer, recognises)
    if (caller?.kind === 'agent') used.set(bearer, caller)
    return caller ?? used.get(bearer)
  },
})

route(
  'list-trims-description',
  'AGENT-TOKENS-FIELD-11',
  'the list shows descriptions without the blanks around them',
  'agentTokens.list',
  items((item) => {
    const attributes = item.attributes as JsonObject
    return { ...item, attributes: { ...attributes, description: String(attributes.description).trim() } }
  }),
)
