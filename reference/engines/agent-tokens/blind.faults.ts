/** Faults of agent tokens as a developer in a hurry makes them, written from the document alone. */
import type { Json, JsonObject } from '../../core/json.ts'
import type { Reply } from '../../core/reply.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { refusal, reply } from '../../mutations/wrappers.ts'
import { document, Refusal } from '../../run-management/documents.ts'
import type { PartCall } from '../../run-management/part.ts'
import type { AgentToken, World } from '../../run-management/world.ts'
import { agentTokens } from './engine.ts'
import type { AgentTokenRules } from './tokens.rules.ts'

type Call = PartCall<AgentTokenRules>
type Handle = (call: Call) => Reply | Promise<Reply>

const { rule, route, change } = faultsOf(agentTokens)

const ofPool = (world: World, { poolId }: AgentToken): AgentToken[] => [...world.tokens.values()].filter((other) => other.poolId === poolId)

const managing = (call: Call): Call =>
  call.caller.kind === 'user'
    ? { ...call, caller: { kind: 'user', user: { ...call.caller.user, rights: { readRuns: true, overrideChecks: true, managePools: true } } } }
    : call

/** Changes the attributes of each token of an answer. */
const attributes = (change: (attributes: JsonObject) => JsonObject): ((original: Handle) => Handle) =>
  reply((given) => {
    const body = given.body as { data: JsonObject | JsonObject[] }
    const changed = (one: JsonObject): JsonObject => ({ ...one, attributes: change(one.attributes as JsonObject) })
    return { ...given, body: { ...body, data: Array.isArray(body.data) ? body.data.map(changed) : changed(body.data) } }
  })

// neighbour

rule('neighbour-delete-next', [], 'destroying a token destroys the next one of its pool too', {
  remove: (original) => async (world, token) => {
    const all = ofPool(world, token)
    const next = all[all.indexOf(token) + 1]
    if (next) world.tokens.delete(next.id)
    return original(world, token)
  },
})

rule('neighbour-delete-same-description', [], 'destroying a token destroys all of its pool that have its description', {
  remove: (original) => async (world, token) => {
    for (const other of ofPool(world, token)) if (other.description === token.description && other !== token) world.tokens.delete(other.id)
    return original(world, token)
  },
})

rule('neighbour-create-replaces-description', [], 'a token with a description that its pool has already replaces the older one', {
  add: (original) => async (world, token) => {
    for (const other of ofPool(world, token)) if (other.description === token.description) world.tokens.delete(other.id)
    return original(world, token)
  },
})

const worldOf = new WeakMap<AgentToken, World>()

rule('neighbour-use-marks-pool', [], 'using a token marks every token of its pool as used', {
  caller: (original) => (world, bearer, recognises) => {
    const caller = original(world, bearer, recognises)
    if (caller?.kind === 'agent') worldOf.set(caller.token, world)
    return caller
  },
  used: (original) => (token, now) => {
    const world = worldOf.get(token)
    for (const other of world ? ofPool(world, token) : []) original(other, now)
    original(token, now)
  },
})

rule('neighbour-total-of-all-pools', [], 'total-count counts the tokens of all pools', {
  total: () => (_tokens, world) => world.tokens.size,
})

rule('neighbour-links-of-first-pool', [], 'links of a list name the pool that was listed first', {
  links: (original) => {
    let first: string | undefined
    return (path, page, pages) => {
      first ??= path
      return original(first, page, pages)
    }
  },
})

// boundary

rule('boundary-pages-when-exact', [], 'total-pages is one too high where the last page is exactly full', {
  pages: () => (total, size) => Math.floor(total / size) + 1,
})

rule('boundary-last-page-has-next', [], 'the last page has a next link where the tokens fill more than one page', {
  links: (original) => (path, page, pages) => {
    const links = original(path, page, pages)
    const beyond = original(path, { ...page, number: page.number + 1 }, pages)
    return pages > 1 && page.number === pages ? { ...links, next: beyond.self! } : links
  },
})

rule('boundary-empty-pool-404', [], 'the list of a pool without tokens is 404', {
  tokensOf: (original) => (world, pool) => {
    const found = original(world, pool)
    if (found.length === 0) throw new Refusal(404, 'no such agent pool, or it is not yours')
    return found
  },
})

rule('boundary-second-page-no-prev', [], 'prev of the second page is null', {
  links: (original) => (path, page, pages) => (page.number === 2 ? { ...original(path, page, pages), prev: null } : original(path, page, pages)),
})

rule('boundary-number-alone-ten', [], 'page[number] without page[size] gives pages of ten', {
  page: (original) => (query, size) => original(query, query.has('page[number]') ? 10 : size),
})

rule('boundary-description-cut', [], 'a description is cut after 255 characters', {
  description: (original) => (body, wantedType) => original(body, wantedType).slice(0, 255),
})

// time

route('time-destroy-twice', [], 'destroying a token that was destroyed is 204 again', 'agentTokens.destroy', (original) => {
  const gone = new Set<string>()
  return async (call) => {
    const id = call.params.id!
    if (gone.has(id)) return { status: 204 }
    const given = await original(call)
    gone.add(id)
    return given
  }
})

const removed = new WeakMap<World, Set<AgentToken>>()
const removedOf = (world: World): Set<AgentToken> => {
  const known = removed.get(world) ?? new Set()
  removed.set(world, known)
  return known
}

rule('time-destroyed-still-works', [], 'the secret of a destroyed token is still taken as a bearer', {
  remove: (original) => (world, token) => {
    removedOf(world).add(token)
    return original(world, token)
  },
  caller: (original) => (world, bearer, recognises) => {
    const token = [...removedOf(world)].find((candidate) => recognises(candidate, bearer))
    return original(world, bearer, recognises) ?? (token && { kind: 'agent', token })
  },
})

route('time-destroyed-still-shown', [], 'a token that was shown once is still shown after it was destroyed', 'agentTokens.show', (original) => {
  const shown = new Map<string, Reply>()
  return async (call) => {
    const id = call.params.id!
    const before = shown.get(id)
    if (before && !call.world.tokens.has(id)) return before
    const given = await original(call)
    shown.set(id, given)
    return given
  }
})

change('time-total-with-destroyed', [], 'total-count counts tokens of the pool that were destroyed', {
  rules: {
    remove: (original) => (world, token) => {
      removedOf(world).add(token)
      return original(world, token)
    },
    total: (original) => (tokens, world) =>
      original(tokens, world) + [...removedOf(world)].filter(({ poolId }) => poolId === tokens[0]?.poolId).length,
  },
})

rule('time-use-moves-created-at', [], 'using a token moves its created-at', {
  used: (original) => (token, now) => {
    original(token, now)
    token.createdAt = now
  },
})

route('time-show-counts-as-use', [], 'showing a token counts as its use', 'agentTokens.show', (original) => async (call) => {
  const given = await original(call)
  const token = call.world.tokens.get(call.params.id!)
  if (token) call.rules.used(token, call.now())
  return given
})

// identity

rule('identity-pool-404-differs', [], 'the 404 of a pool that is not the caller says so', {
  hiddenDetail: (original) => (kind, id, exists) => (exists && kind === 'agent pool' ? 'this agent pool is not yours' : original(kind, id, exists)),
})

route('identity-refused-create-done', [], 'a create of a caller without permission is answered 404 and done', 'agentTokens.create', (original) => async (call) => {
  try {
    return await original(call)
  } catch (cause) {
    if (cause instanceof Refusal && cause.status === 404 && call.world.pools.has(call.params.agent_pool_id!)) await original(managing(call))
    throw cause
  }
})

route('identity-reader-destroy-done', [], 'a destroy of a reader is answered 404 and done; that of a stranger is not', 'agentTokens.destroy', (original) => async (call) => {
  const reads = call.caller.kind === 'user' && call.caller.user.rights.readRuns && !call.caller.user.rights.managePools
  const token = call.world.tokens.get(call.params.id!)
  if (!reads || !token) return original(call)
  await original(managing(call))
  throw new Refusal(404, call.rules.hiddenDetail('agent token', token.id, true))
})

route('identity-stranger-empty-list', [], 'a caller without permission gets an empty list instead of 404', 'agentTokens.list', (original) =>
  refusal<Call>((refused, call) =>
    refused.status === 404 && call.world.pools.has(call.params.agent_pool_id!)
      ? document(200, {
          data: [],
          links: call.rules.links(call.path, { number: 1, size: 20 }, 1),
          meta: { pagination: call.rules.meta({ number: 1, size: 20 }, 1, 0) },
        })
      : refused,
  )(original),
)

route('identity-created-by-asker', [], 'a token that is shown was created by whoever asks', 'agentTokens.show', (original) =>
  reply<Call>((given, call) => {
    const body = given.body as { data: JsonObject }
    const id = call.caller.kind === 'user' ? call.caller.user.id : call.caller.token.createdBy
    return { ...given, body: { data: { ...body.data, relationships: { 'created-by': { data: { id, type: 'users' } } } } } }
  })(original),
)

route('identity-body-before-permission', [], 'a malformed create is 422 for a caller who may not know the pool', 'agentTokens.create', (original) => (call) => {
  if (call.world.pools.has(call.params.agent_pool_id!)) {
    try {
      call.rules.description(JSON.parse(new TextDecoder().decode(call.body)) as Json, call.rules.wantedType)
    } catch (cause) {
      if (cause instanceof Refusal) throw cause
    }
  }
  return original(call)
})

// shape

rule('shape-list-masked-token', [], 'a list shows a mask in the place of the secret', {
  secretText: (original) => (token, occasion, secret) => (occasion === 'listed' ? '********' : original(token, occasion, secret)),
})

route(
  'shape-show-trims-description',
  [],
  'a token is shown with its description trimmed',
  'agentTokens.show',
  attributes((given) => ({ ...given, description: String(given.description).trim() })),
)

route(
  'shape-list-escapes-description',
  [],
  'a list escapes descriptions for HTML',
  'agentTokens.list',
  attributes((given) => ({
    ...given,
    description: String(given.description).replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;'),
  })),
)

rule('shape-description-composed', [], 'a description is stored with its accents composed', {
  description: (original) => (body, wantedType) => original(body, wantedType).normalize('NFC'),
})

route(
  'shape-list-created-at-seconds',
  [],
  'created-at of a list has no milliseconds',
  'agentTokens.list',
  attributes((given) => ({ ...given, 'created-at': String(given['created-at']).replace(/\.\d+Z$/, 'Z') })),
)

rule('shape-description-array-joined', [], 'a description that is an array is joined with commas', {
  description: (original) => (body, wantedType) => {
    const { data } = body as { data?: { attributes?: JsonObject } }
    const given = data?.attributes?.description
    if (!Array.isArray(given) || given.length === 0) return original(body, wantedType)
    return original({ data: { ...data, attributes: { ...data?.attributes, description: given.join(',') } } } as JsonObject, wantedType)
  },
})
