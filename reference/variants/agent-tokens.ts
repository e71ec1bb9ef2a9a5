/** Legal alternatives of the agent tokens: one per branch that the document or its readings leave open. */
import { type Variant, variant } from '../core/mutation.ts'
import { agentTokens } from '../run-management/agent-tokens/index.ts'
import { MEDIA_TYPE, Refusal } from '../run-management/documents.ts'
import { laggingList } from './lagging-list.ts'

const engine = 'agent-tokens'

type Handle = (typeof agentTokens.routes)[number]['handle']

const everywhere = (wrap: (original: Handle) => Handle) => Object.fromEntries(agentTokens.routes.map(({ id }) => [id, wrap]))

export const agentTokenVariants: Variant[] = [
  variant(
    agentTokens,
    {
      id: 'agent-tokens-client-type',
      engine,
      title: 'the type that known clients send is accepted',
      reading: 'never use agent-tokens as the wrong type',
    },
    {
      rules: { wantedType: (original) => (type) => original(type) || type === 'agent-tokens' },
    },
  ),
  variant(
    agentTokens,
    { id: 'agent-tokens-type-conflict', engine, title: 'another type is a conflict', reading: 'a wrong data.type: 422 or 409' },
    {
      rules: {
        description: (original) => (body, wantedType) => {
          const { data } = (body ?? {}) as { data?: { type?: unknown } }
          if (typeof data?.type === 'string' && !wantedType(data.type)) throw new Refusal(409, 'another type than the list has')
          return original(body, wantedType)
        },
      },
    },
  ),
  variant(
    agentTokens,
    { id: 'agent-tokens-syntax-422', engine, title: 'broken JSON is answered with 422', reading: 'broken JSON: 400 or 422' },
    {
      routes: {
        'agentTokens.create': (original) => async (call) => {
          try {
            return await original(call)
          } catch (error) {
            throw error instanceof Refusal && error.status === 400 ? new Refusal(422, error.message) : error
          }
        },
      },
    },
  ),
  variant(
    agentTokens,
    {
      id: 'agent-tokens-number-description',
      engine,
      title: 'numbers and the empty text are descriptions',
      reading: 'values that can be coerced are open',
    },
    {
      rules: {
        description: (original) => (body, wantedType) => {
          const { data } = (body ?? {}) as { data?: { type?: string; attributes?: { description?: unknown } } }
          const given = data?.attributes?.description
          if (wantedType(data?.type) && (typeof given === 'number' || typeof given === 'boolean' || given === '')) return String(given)
          return original(body, wantedType)
        },
      },
    },
  ),
  variant(
    agentTokens,
    { id: 'agent-tokens-token-absent', engine, title: 'show and list leave attributes.token out', reading: 'absent: advised only' },
    {
      rules: {
        secretText: (original) => (token, occasion, secret) => (occasion === 'created' ? original(token, occasion, secret) : undefined),
      },
    },
  ),
  variant(
    agentTokens,
    { id: 'agent-tokens-newest-first', engine, title: 'the newest token is listed first', reading: 'the order is not stated' },
    {
      rules: { tokensOf: (original) => (world, pool) => original(world, pool).toReversed() },
    },
  ),
  variant(
    agentTokens,
    {
      id: 'agent-tokens-whole-links',
      engine,
      title: 'links are whole addresses, and first and last have raw brackets',
      reading: 'the form of links is not stated',
    },
    {
      rules: {
        links: (original) => (path, page, pages) =>
          Object.fromEntries(
            Object.entries(original(path, page, pages)).map(([name, link]) => [
              name,
              typeof link === 'string' ? `https://runs.example.test${link.replaceAll('%5B', '[').replaceAll('%5D', ']')}` : link,
            ]),
          ),
      },
    },
  ),
  variant(
    agentTokens,
    { id: 'agent-tokens-query-links', engine, title: 'links are no more than a query', reading: 'the form of links is not stated' },
    {
      rules: {
        links: (original) => (path, page, pages) =>
          Object.fromEntries(
            Object.entries(original(path, page, pages)).map(([name, link]) => [
              name,
              typeof link === 'string' ? link.slice(link.indexOf('?')) : link,
            ]),
          ),
      },
    },
  ),
  variant(
    agentTokens,
    {
      id: 'agent-tokens-list-lags',
      engine,
      title: 'lists show creations and destructions 150 ms late',
      reading: 'nothing says that a list shows at once what was done',
    },
    { rules: laggingList(150) },
  ),
  variant(
    agentTokens,
    { id: 'agent-tokens-empty-no-pages', engine, title: 'an empty pool has no pages', reading: 'total-pages of an empty pool is open' },
    {
      rules: {
        meta: (original) => (page, pages, total) =>
          total === 0 ? { ...original(page, pages, total), 'total-pages': 0 } : original(page, pages, total),
      },
    },
  ),
  variant(
    agentTokens,
    {
      id: 'agent-tokens-odd-pages-clamped',
      engine,
      title: 'paging values that make no sense are replaced',
      reading: 'out of range, zero and non-numeric values are open',
    },
    {
      rules: {
        page: (original) => (query, size) => {
          try {
            return original(query, size)
          } catch {
            return { number: 1, size }
          }
        },
      },
    },
  ),
  variant(
    agentTokens,
    { id: 'agent-tokens-agents-see-nothing', engine, title: 'an agent may not read its pool', reading: 'what a token may do is not shown' },
    {
      rules: {
        mayUsePool: (original) => (caller, pool) => caller.kind === 'user' && original(caller, pool),
        maySee: (original) => (caller, token) => caller.kind === 'user' && original(caller, token),
      },
    },
  ),
  variant(
    agentTokens,
    { id: 'agent-tokens-unauthenticated-404', engine, title: 'a missing bearer is answered with 404', reading: '401 or 404 advised' },
    {
      rules: { unauthenticatedStatus: () => () => 404 },
    },
  ),
  variant(
    agentTokens,
    { id: 'agent-tokens-use-not-noted', engine, title: 'last-used-at is not kept up to date', reading: 'what counts as use is not shown' },
    {
      rules: { used: () => () => undefined },
    },
  ),
  variant(
    agentTokens,
    {
      id: 'agent-tokens-more-members',
      engine,
      title: 'answers have members that the document does not name, and these change from one reading to the next',
      reading: 'additional members are allowed',
    },
    {
      rules: { extras: () => () => ({ 'expired-at': null, 'age-ns': Number(process.hrtime.bigint() % 1_000_000_000n) }) },
      routes: everywhere((original) => async (call) => {
        const reply = await original(call)
        const location: Record<string, string> = reply.status === 201 ? { location: `${call.path}/x` } : {}
        if (reply.body === undefined) return reply
        return { ...reply, headers: { ...reply.headers, ...location }, body: { ...(reply.body as object), jsonapi: { version: '1.1' } } }
      }),
    },
  ),
  variant(
    agentTokens,
    {
      id: 'agent-tokens-errors-detailed',
      engine,
      title: 'errors have ids, times and traces of their own',
      reading: 'error ids, request ids and timestamps are taken out',
    },
    {
      routes: everywhere((original) => async (call) => {
        try {
          return await original(call)
        } catch (error) {
          if (!(error instanceof Refusal)) throw error
          const meta = { timestamp: new Date().toISOString(), 'trace-id': call.random.word(16) }
          const body = {
            errors: [{ id: call.random.uuid(), status: String(error.status), title: error.message, meta }],
            meta: { request_id: call.random.word(20) },
          }
          return { status: error.status, body, headers: { 'content-type': MEDIA_TYPE } }
        }
      }),
    },
  ),
  variant(
    agentTokens,
    { id: 'agent-tokens-any-media-type', engine, title: 'bodies of any media type are read', reading: 'other media types are open' },
    {
      rules: { acceptsMediaType: () => () => true },
    },
  ),
  variant(
    agentTokens,
    {
      id: 'agent-tokens-validates-first',
      engine,
      title: 'a body is judged before permission',
      reading: 'no row says which of the two refusals wins',
    },
    {
      routes: {
        'agentTokens.create': (original) => (call) => {
          let body: Parameters<typeof call.rules.description>[0] = null
          try {
            body = JSON.parse(new TextDecoder().decode(call.body))
          } catch {
            return original(call)
          }
          call.rules.description(body, call.rules.wantedType)
          return original(call)
        },
      },
    },
  ),
]
