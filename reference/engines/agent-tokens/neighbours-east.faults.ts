/** Faults that show at a neighbour: another token, another pool, another page, a similar name. */
import type { JsonObject } from '../../core/json.ts'
import type { Reply } from '../../core/reply.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { Refusal } from '../../run-management/documents.ts'
import type { AgentToken, World } from '../../run-management/world.ts'
import { callerId, inPool, tokenNamed, withRules } from './east-help.ts'
import { agentTokens } from './engine.ts'

const { rule, route, change } = faultsOf(agentTokens)

rule(
  'east-same-description-replaces',
  'AGENT-TOKENS-CREATE-20',
  'a create replaces the token of the pool that has the same description (002 4: POST creates a token, only DELETE destroys one)',
  {
    add: (original) => (world, token) => {
      const older = inPool(world, token.poolId).find(({ description }) => description === token.description)
      if (older) world.tokens.delete(older.id)
      return original(world, token)
    },
  },
)

rule(
  'east-destroy-like-description',
  'AGENT-TOKENS-DESTROY-01',
  'destroy takes along tokens of the pool whose descriptions begin with that of the destroyed one (002 4: DELETE destroys the token of the id)',
  {
    remove: (original) => (world, token) => {
      const similar = inPool(world, token.poolId).filter(({ description }) => description.startsWith(token.description))
      for (const { id } of similar) if (id !== token.id) world.tokens.delete(id)
      return original(world, token)
    },
  },
)

rule(
  'east-total-of-all-pools',
  'AGENT-TOKENS-PAGE-15',
  'total-count of a pool that has tokens counts those of other pools too (002 2.3: total-count of the list)',
  {
    total: (original) => (tokens, world) => (tokens.length === 0 ? original(tokens, world) : world.tokens.size),
  },
)

route(
  'east-later-pages-cut-before-pool',
  'AGENT-TOKENS-PAGE-04',
  'pages after the first are cut from the tokens of all pools, and then filtered (002 4: page[number] and page[size] of the pool list)',
  'agentTokens.list',
  withRules(({ world, rules }) => ({
    slice: (items, page) => {
      if (page.number === 1) return rules.slice(items, page)
      const cut = new Set<unknown>(rules.slice([...world.tokens.values()], page))
      return items.filter((item) => cut.has(item))
    },
  })),
)

const worldOf = new WeakMap<AgentToken, World>()
rule(
  'east-use-marks-whole-pool',
  'AGENT-TOKENS-FIELD-09',
  'use of one token sets last-used-at of all tokens of its pool (002 2.2: last-used-at null until used)',
  {
    add: (original) => (world, token) => {
      worldOf.set(token, world)
      return original(world, token)
    },
    used: (original) => (token, now) => {
      original(token, now)
      const world = worldOf.get(token)
      if (world) for (const each of inPool(world, token.poolId)) original(each, now)
    },
  },
)

rule(
  'east-creator-of-pool',
  'AGENT-TOKENS-FIELD-13',
  'created-by names whoever created the first token of the pool (002 2.2: created-by of a token)',
  {
    add: (original) => (world, token) => {
      token.createdBy = inPool(world, token.poolId)[0]?.createdBy ?? token.createdBy
      return original(world, token)
    },
  },
)

route(
  'east-show-by-beginning',
  'AGENT-TOKENS-SHOW-03',
  'show compares the first twelve characters of ids only, so an unknown id finds its neighbour (002 7: show, 404 token not found)',
  'agentTokens.show',
  tokenNamed((id, known) => known.find((each) => each.slice(0, 12) === id.slice(0, 12))),
)

route(
  'east-destroy-any-case',
  'AGENT-TOKENS-DESTROY-03',
  'destroy takes an id in another letter case for that of a token (002 7: destroy, 404 token not found)',
  'agentTokens.destroy',
  tokenNamed((id, known) => known.find((each) => each.toLowerCase() === id.toLowerCase())),
)

const pagesSeen = remembered(() => new Map<string, Reply>())
change(
  'east-page-cache-without-pool',
  'AGENT-TOKENS-PAGE-04',
  'pages that were asked for by number are cached without regard to the pool, until something is written (002 4: list of the pool in the path)',
  {
    rules: {
      add: (original) => (world, token) => {
        pagesSeen(world).clear()
        return original(world, token)
      },
      remove: (original) => (world, token) => {
        pagesSeen(world).clear()
        return original(world, token)
      },
    },
    routes: {
      'agentTokens.list': (original) => async (call) => {
        const fresh = await original(call)
        if (!call.query.has('page[number]')) return fresh
        const key = `${callerId(call.caller)}?${call.query}`
        const seen = pagesSeen(call.world).get(key) ?? fresh
        pagesSeen(call.world).set(key, seen)
        return seen
      },
    },
  },
)

const texts = remembered(() => new Map<string, string>())
rule(
  'east-descriptions-share-beginning',
  'AGENT-TOKENS-FIELD-11',
  'descriptions are stored once for each first 32 characters, so a similar one shows the older text (002 2.2: description)',
  {
    add: (original) => (world, token) => {
      const key = token.description.slice(0, 32)
      const text = texts(world).get(key) ?? token.description
      texts(world).set(key, text)
      token.description = text
      return original(world, token)
    },
  },
)

const linksSeen = remembered(() => new Map<string, JsonObject>())
route(
  'east-links-of-like-page',
  'AGENT-TOKENS-PAGE-11',
  'links are remembered by page and number of pages, so another pool gets links into the first one (002 2.3: links self, first, prev, next, last)',
  'agentTokens.list',
  withRules(({ world, rules }) => ({
    links: (path, page, pages) => {
      const key = `${page.number}/${page.size}/${pages}`
      const links = linksSeen(world).get(key) ?? rules.links(path, page, pages)
      linksSeen(world).set(key, links)
      return links
    },
  })),
)

rule(
  'east-description-taken-elsewhere',
  'AGENT-TOKENS-CREATE-20',
  'a create is refused where another pool has a token of the same description in any letter case (002 7: create, 201 success)',
  {
    add: (original) => (world, token) => {
      const wanted = token.description.toLowerCase()
      const taken = [...world.tokens.values()].some((each) => each.poolId !== token.poolId && each.description.toLowerCase() === wanted)
      if (taken) throw new Refusal(422, 'the description is taken', '/data/attributes/description')
      return original(world, token)
    },
  },
)
