/** Faults that reach a neighbour: another token, another pool, another creator, a similar id. */
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { changedDocument, changedResources, objectIn } from '../../run-management/answer-changes.ts'
import { idIn, poolIn, type Rules, slotted, whoIs, withParams } from './dawn-help.ts'
import { agentTokens } from './engine.ts'

const { rule, route, change } = faultsOf(agentTokens)

route(
  'dawn-show-by-short-id',
  'AGENT-TOKENS-SHOW-03',
  'an id cut short shows the one token that begins with it (002 7: show, token not found)',
  'agentTokens.show',
  (original) => (call) => {
    const asked = idIn(call)
    const ids = [...call.world.tokens.keys()].filter((id) => id.startsWith(asked))
    return original(ids.length === 1 ? withParams(call, { id: ids[0]! }) : call)
  },
)

rule(
  'dawn-namesakes-destroyed',
  'AGENT-TOKENS-DESTROY-01',
  'destroying a token takes those of the same description in its pool along (002 4: destroy)',
  {
    remove: (original) => (world, token) => {
      const namesakes = [...world.tokens.values()].filter(
        ({ poolId, description }) => poolId === token.poolId && description === token.description,
      )
      for (const namesake of namesakes) if (namesake !== token) world.tokens.delete(namesake.id)
      return original(world, token)
    },
  },
)

rule(
  'dawn-create-replaces-like-named',
  'AGENT-TOKENS-CREATE-20',
  'a new token replaces one whose description differs by letter case at most (002 4: create)',
  {
    add: (original) => (world, token) => {
      const name = token.description.toLowerCase()
      for (const other of [...world.tokens.values()]) {
        if (other.poolId === token.poolId && other.description.toLowerCase() === name) world.tokens.delete(other.id)
      }
      return original(world, token)
    },
  },
)

const unlisted = remembered(() => new Set<string>())
rule('dawn-next-one-unlisted', 'AGENT-TOKENS-LIST-04', 'destroying a token takes the one created after it out of the list (002 4: list)', {
  remove: (original) => (world, token) => {
    const tokens = [...world.tokens.values()].filter(({ poolId }) => poolId === token.poolId)
    const next = tokens[tokens.indexOf(token) + 1]
    if (next) unlisted(world).add(next.id)
    return original(world, token)
  },
  tokensOf: (original) => (world, pool) => original(world, pool).filter(({ id }) => !unlisted(world).has(id)),
})

route(
  'dawn-total-of-own-tokens',
  'AGENT-TOKENS-PAGE-15',
  'total-count counts what the caller created, the list shows all (002 2.3: total-count)',
  'agentTokens.list',
  changedDocument<Rules>((body, call) => {
    const own = [...call.world.tokens.values()].filter(
      ({ poolId, createdBy }) => poolId === poolIn(call) && createdBy === whoIs(call.caller),
    )
    return { ...body, meta: { pagination: { ...objectIn(objectIn(body, 'meta'), 'pagination'), 'total-count': own.length } } }
  }),
)

route(
  'dawn-list-one-creator',
  'AGENT-TOKENS-FIELD-13',
  'all tokens of a page have the creator of its first (002 2.2: created-by)',
  'agentTokens.list',
  changedResources<Rules>((resource, _call, _index, all) => ({ ...resource, relationships: all[0]?.relationships ?? {} })),
)

route(
  'dawn-show-first-of-that-description',
  'AGENT-TOKENS-DESTROY-05',
  'show finds the oldest token of the same creator and description (002 4: show)',
  'agentTokens.show',
  (original) => (call) => {
    const wanted = call.world.tokens.get(idIn(call))
    if (!wanted) return original(call)
    const first = [...call.world.tokens.values()].find(
      ({ createdBy, description }) => createdBy === wanted.createdBy && description === wanted.description,
    )
    return original(withParams(call, { id: first?.id ?? wanted.id }))
  },
)

const firstPaths = remembered(() => ({ path: '' }))
route(
  'dawn-links-into-first-pool',
  'AGENT-TOKENS-PAGE-11',
  'links of every list lead to the pool that was listed first (002 2.3: links)',
  'agentTokens.list',
  (original) => (call) => {
    const first = firstPaths(call.world)
    first.path ||= call.path
    return original({ ...call, path: first.path })
  },
)

route(
  'dawn-show-extension-cut',
  'AGENT-TOKENS-SHOW-03',
  'what follows a period in an id is taken for a format and cut off (002 7: show, token not found)',
  'agentTokens.show',
  (original) => (call) => original(withParams(call, { id: idIn(call).replace(/\.\w*$/, '') })),
)

const counters = remembered(() => ({ latest: '', listed: '', off: new Map<string, number>() }))
rule(
  'dawn-total-of-wrong-pool-lowered',
  'AGENT-TOKENS-PAGE-15',
  'destroying lowers the total of the pool where a token was created last (002 2.3: total-count)',
  {
    add: (original) => (world, token) => {
      counters(world).latest = token.poolId
      return original(world, token)
    },
    remove: (original) => (world, token) => {
      const { latest, off } = counters(world)
      if (latest !== token.poolId) {
        off.set(latest, (off.get(latest) ?? 0) - 1)
        off.set(token.poolId, (off.get(token.poolId) ?? 0) + 1)
      }
      return original(world, token)
    },
    tokensOf: (original) => (world, pool) => {
      counters(world).listed = pool
      return original(world, pool)
    },
    total: (original) => (tokens, world) => {
      const { listed, off } = counters(world)
      return Math.max(0, original(tokens, world) + (off.get(listed) ?? 0))
    },
  },
)

rule('dawn-empty-pool-lists-all', 'AGENT-TOKENS-LIST-06', 'a pool without tokens lists those of all pools (002 4: list of a pool)', {
  tokensOf: (original) => (world, pool) => {
    const tokens = original(world, pool)
    return tokens.length > 0 ? tokens : [...world.tokens.values()]
  },
})

change(
  'dawn-pages-cut-before-pool',
  'AGENT-TOKENS-PAGE-03',
  'pages are cut from the tokens of all pools and then narrowed to the pool (002 4: page[size])',
  {
    rules: slotted((world) => [...world.tokens.keys()]),
  },
)
