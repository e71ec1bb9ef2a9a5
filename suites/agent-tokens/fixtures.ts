/** Words that the checks of agent tokens share. */
import { type Answer, asObject, type Bench, type Caller, type CallInput, type Json, type JsonObject } from '../../harness/checks/index.ts'

/** Body of a create request. */
export const creation = (description: string): JsonObject => ({ data: { type: 'authentication-tokens', attributes: { description } } })

/** Resources of a list answer. */
export const itemsOf = (answer: Answer): JsonObject[] => {
  const data = asObject(answer.body).data
  return Array.isArray(data) ? data.map(asObject) : []
}

export const idsOf = (answer: Answer): string[] => itemsOf(answer).map(({ id }) => String(id))

export const attributesOf = (resource: JsonObject): JsonObject => asObject(resource.attributes)

export const paginationOf = (answer: Answer): JsonObject => asObject(asObject(asObject(answer.body).meta).pagination)

export const linksOf = (answer: Answer): JsonObject => asObject(asObject(answer.body).links)

/** Query of one page. */
export const pageQuery = (number: number, size: number): Record<string, string> => ({
  'page[number]': String(number),
  'page[size]': String(size),
})

/**
 * Forms in which a list can be asked for, one behind the first page among them: that page is there where the pool has two tokens. Who may not read a pool may not
 * read it in any of them.
 */
export const LIST_FORMS: Record<string, string>[] = [{}, { 'page[number]': '1' }, { 'page[size]': '1' }, pageQuery(2, 1), pageQuery(1, 20)]

/** Queries that a server may know, ignore or refuse: none of them opens what is hidden. */
export const ASKED_ANEW: Record<string, string>[] = [
  { include: 'created-by' },
  { 'fields[authentication-tokens]': 'description' },
  { 'filter[description]': 'a', q: 'a' },
]

/** Most pages that a reader follows, so that a list without end cannot hold a check. */
const MOST_PAGES = 60

/** The number of the page before or behind one; null where there is none, for which 0 stands as well. */
export const neighbour = (value: Json | undefined): Json => (value === 0 ? null : (value ?? null))

/** Every page from the first, while the answers name a next one; a list too long to be read whole blocks. */
export const pagesOf = async (bench: Bench, pool: string, size: number): Promise<Answer[]> => {
  const pages: Answer[] = []
  for (let number = 1; number <= MOST_PAGES; number += 1) {
    const page = await bench.call('agentTokens.list', { path: { agent_pool_id: pool }, query: pageQuery(number, size) })
    pages.push(page)
    if (!page.ok || typeof neighbour(paginationOf(page)['next-page']) !== 'number') return pages
  }
  const total = paginationOf(pages[0]!)['total-count']
  if (typeof total === 'number' && total > MOST_PAGES * size)
    bench.blocked(`the pool has ${total} tokens, too many to read in pages of ${size}`, 'give an empty pool under fixtures.agent-pool')
  return pages
}

/** Ids of all tokens of a pool, in an order of their own: that of the list may change between two readings. */
export const allIds = async (bench: Bench, pool: string): Promise<string[]> => (await pagesOf(bench, pool, 20)).flatMap(idsOf).sort()

/** The request that creates a token in a pool. */
export const inPool = (pool: string, body: Json): CallInput => ({ path: { agent_pool_id: pool }, body })

export interface Created {
  id: string
  secret: string
  description: string
  answer: Answer
}

/** Creates a token as set-up. */
export const createToken = async (bench: Bench, pool: string, options: { description?: string; as?: Caller } = {}): Promise<Created> => {
  const description = options.description ?? bench.fresh('token')
  const answer = await bench.given('agentTokens.create', { ...inPool(pool, creation(description)), as: options.as ?? 'root' })
  const { token } = attributesOf(answer.data)
  return { id: String(answer.data.id), secret: typeof token === 'string' ? token : '', description, answer }
}

/** An id of the same shape that nobody has. */
export const otherId = (bench: Bench, id: string): string => {
  const cut = id.lastIndexOf('-') + 1
  return id.slice(0, cut) + bench.random.word(Math.max(16, id.length - cut))
}

export const showToken = (bench: Bench, id: string, as: Caller = 'root'): Promise<Answer> =>
  bench.call('agentTokens.show', { path: { id }, as })

/** One token in the answer that created it, shown, in the list by default, and in pages of two; empty where a list lacks it. */
export const placesOf = async (bench: Bench, pool: string, id: string, created: JsonObject): Promise<Record<string, JsonObject>> => {
  const inList = (pages: Answer[]): JsonObject => pages.flatMap(itemsOf).find((token) => token.id === id) ?? {}
  return {
    'when created': created,
    shown: (await showToken(bench, id)).data,
    listed: inList([await bench.call('agentTokens.list', { path: { agent_pool_id: pool } })]),
    'in a page': inList(await pagesOf(bench, pool, 2)),
  }
}

/** Who created a token, as one of its resources says. */
export const creatorOf = (resource: JsonObject): Json | undefined =>
  asObject(asObject(asObject(resource.relationships)['created-by']).data).id

/** What the document names of a token: a server may show more, and that may change from one reading to the next. */
export const documented = (resource: JsonObject): JsonObject => {
  const { 'created-at': createdAt, 'last-used-at': lastUsedAt, description } = attributesOf(resource)
  const { id, type } = resource
  const named = { id, type, 'created-at': createdAt, 'last-used-at': lastUsedAt, description, 'created-by': creatorOf(resource) }
  return Object.fromEntries(Object.entries(named).map(([name, value]) => [name, value ?? null]))
}

/** What the document names of each token of a pool, by route and id: the list, pages of 20 and of two, and each token shown. */
export const wholePool = async (bench: Bench, pool: string): Promise<Record<string, JsonObject>> => {
  const seen: Record<string, JsonObject> = {}
  const note = (route: string, token: JsonObject): void => {
    seen[`${route} ${String(token.id)}`] = documented(token)
  }
  for (const token of itemsOf(await bench.call('agentTokens.list', { path: { agent_pool_id: pool } }))) note('list', token)
  for (const token of (await pagesOf(bench, pool, 20)).flatMap(itemsOf)) note('large page', token)
  for (const token of (await pagesOf(bench, pool, 2)).flatMap(itemsOf)) {
    note('page', token)
    note('show', (await showToken(bench, String(token.id))).data)
  }
  return seen
}

/** A reading of a whole pool without one of its tokens. */
export const without = (seen: Record<string, JsonObject>, id: string): Record<string, JsonObject> =>
  Object.fromEntries(Object.entries(seen).filter(([place]) => !place.endsWith(` ${id}`)))
