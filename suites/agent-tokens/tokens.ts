/** Words that the checks of agent tokens share. */
import type { Answer, Bench, Caller, CallInput, Json, JsonObject } from '../../harness/checks/index.ts'

export const asObject = (value: Json | undefined): JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}

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

/** Most pages that a reader follows; a list that goes on longer is cut, so that a broken server cannot hold a check. */
const MOST_PAGES = 60

/** Every page from the first, while the answers say that there is a next one. */
export const pagesOf = async (bench: Bench, pool: string, size: number): Promise<Answer[]> => {
  const pages: Answer[] = []
  for (let number = 1; number <= MOST_PAGES; number += 1) {
    const page = await bench.call('agentTokens.list', { path: { agent_pool_id: pool }, query: pageQuery(number, size) })
    pages.push(page)
    if (!page.ok || typeof paginationOf(page)['next-page'] !== 'number') break
  }
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

const CHANGING = /^(id|request-?id|timestamp|time)$/i
const TIME_OR_UUID = /\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:?\d\d)?|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi

const withoutChanging = (value: Json): Json => {
  if (Array.isArray(value)) return value.map(withoutChanging)
  if (typeof value === 'string') return value.replaceAll(TIME_OR_UUID, '*')
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !CHANGING.test(key))
      .map(([key, item]) => [key, withoutChanging(item)]),
  )
}

/** Status and body of a refusal without what may differ between two equal ones: the ids asked for, error ids, request ids and times. */
export const essence = (answer: Answer, asked: string): Json => {
  const text = answer.text.replaceAll(asked, '<asked>')
  let body: Json = text
  try {
    body = JSON.parse(text) as Json
  } catch {
    // A body that is not JSON is compared as text.
  }
  return { status: answer.status, body: withoutChanging(body) }
}
