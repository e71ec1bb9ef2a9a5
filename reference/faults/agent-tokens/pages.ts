/** Faults in which tokens a page holds. */
import { fault } from '../../core/mutation.ts'
import { agentTokens } from '../../run-management/agent-tokens/index.ts'

const engine = 'agent-tokens'

export const pagesFaults = [
  fault(
    agentTokens,
    { id: 'agent-tokens-default-100', engine, title: 'a page holds 100 tokens by default', clauses: ['AGENT-PAGE-01'] },
    {
      rules: { defaultPageSize: () => () => 100 },
    },
  ),
  fault(
    agentTokens,
    { id: 'agent-tokens-default-last', engine, title: 'without a number the second page is returned', clauses: ['AGENT-PAGE-02'] },
    {
      rules: {
        page: (original) => (query, size) => (query.has('page[number]') ? original(query, size) : { ...original(query, size), number: 2 }),
      },
    },
  ),
  fault(
    agentTokens,
    { id: 'agent-tokens-size-ignored', engine, title: 'page[size] is ignored', clauses: ['AGENT-PAGE-03', 'AGENT-PAGE-18'] },
    {
      rules: { page: (original) => (query, size) => ({ ...original(query, size), size }) },
    },
  ),
  fault(
    agentTokens,
    { id: 'agent-tokens-brackets-encoded', engine, title: 'percent-encoded brackets are refused', clauses: ['AGENT-PAGE-18'] },
    {
      routes: {
        'agentTokens.list': (original) => (call) =>
          call.query.has('page[number]') && call.query.has('page[size]') ? { status: 400, body: { errors: [] } } : original(call),
      },
    },
  ),
  fault(
    agentTokens,
    { id: 'agent-tokens-number-ignored', engine, title: 'page[number] is ignored', clauses: ['AGENT-PAGE-04', 'AGENT-PAGE-09'] },
    {
      rules: { slice: (original) => (items, page) => original(items, { ...page, number: 1 }) },
    },
  ),
  fault(
    agentTokens,
    { id: 'agent-tokens-pages-overlap', engine, title: 'a page begins with the last token of the one before', clauses: ['AGENT-PAGE-04'] },
    {
      rules: {
        slice:
          () =>
          (items, { number, size }) =>
            items.slice((number - 1) * (size - 1), (number - 1) * (size - 1) + size),
      },
    },
  ),
  fault(
    agentTokens,
    { id: 'agent-tokens-odd-page-500', engine, title: 'a page that is no number makes the server fail', clauses: ['AGENT-PAGE-21'] },
    {
      rules: {
        page: (original) => (query, size) => {
          const number = BigInt(query.get('page[number]') ?? '1')
          return { ...original(query, size), number: Number(number) }
        },
      },
    },
  ),
]
