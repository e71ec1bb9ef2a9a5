/** Faults of hurried work on agent tokens. */
import type { JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { reply } from '../../mutations/wrappers.ts'
import { readDocument } from '../../run-management/documents.ts'
import type { Caller } from '../../run-management/world.ts'
import { agentTokens } from './engine.ts'
import type { Call } from './wrappers.ts'

const { rule, route } = faultsOf(agentTokens)

const LONGEST = 60
const listed = (change: (attributes: JsonObject) => JsonObject) =>
  reply<Call>((given) => {
    const body = given.body as JsonObject
    const data = (body.data as JsonObject[]).map((one) => ({ ...one, attributes: change(one.attributes as JsonObject) }))
    return { ...given, body: { ...body, data } }
  })

rule(
  'shortcut-links-by-page',
  ['AGENT-TOKENS-PAGE-10', 'AGENT-TOKENS-PAGE-11'],
  'the links of a page are made once and then given for the same page of every pool',
  {
    links: (original) => {
      const made = new Map<string, JsonObject>()
      return (path, page, pages) => {
        const kind = `${page.number} ${page.size} ${pages}`
        const links = made.get(kind) ?? original(path, page, pages)
        made.set(kind, links)
        return links
      }
    },
  },
)
route(
  'shortcut-links-count-items',
  ['AGENT-TOKENS-PAGE-09', 'AGENT-TOKENS-PAGE-10'],
  'the links of a page name the number of its items as the size, which is too few on the last page',
  'agentTokens.list',
  reply((given) => {
    const body = given.body as JsonObject
    const items = (body.data as JsonObject[]).length
    const links = Object.entries(body.links as JsonObject).map(([name, link]) => [
      name,
      typeof link === 'string' && items > 0 ? link.replace(/size%5D=\d+/, `size%5D=${items}`) : link,
    ])
    return { ...given, body: { ...body, links: Object.fromEntries(links) as JsonObject } }
  }),
)
rule(
  'shortcut-agent-remembered',
  ['AGENT-TOKENS-SECRET-10'],
  'an agent that called once is still known by its secret after its token is destroyed',
  {
    caller: (original) => {
      const agents = new Map<string, Caller>()
      return (world, bearer, recognises) => {
        const caller = agents.get(bearer) ?? original(world, bearer, recognises)
        if (caller?.kind === 'agent') agents.set(bearer, caller)
        return caller
      }
    },
  },
)
route(
  'shortcut-body-before-caller',
  ['AGENT-TOKENS-HIDE-06'],
  'who may not use a pool is told what is wrong with the body',
  'agentTokens.create',
  (original) => (call) => {
    const { world, rules, params } = call
    if (world.pools.has(params.agent_pool_id ?? '')) {
      rules.description(readDocument(call.headers, call.body, rules.acceptsMediaType), rules.wantedType)
    }
    return original(call)
  },
)
route(
  'shortcut-list-cuts-description',
  ['AGENT-TOKENS-FIELD-11'],
  'the list cuts long descriptions off',
  'agentTokens.list',
  listed((attributes) => {
    const description = String(attributes.description)
    return description.length > LONGEST ? { ...attributes, description: `${description.slice(0, LONGEST)}...` } : attributes
  }),
)
route(
  'shortcut-list-whole-seconds',
  ['AGENT-TOKENS-FIELD-03'],
  'the list gives the time of creation in whole seconds',
  'agentTokens.list',
  listed((attributes) => ({ ...attributes, 'created-at': String(attributes['created-at']).replace(/\.\d+Z$/, 'Z') })),
)
