/** Faults in which tokens a page holds. */

import { faultsOf } from '../../mutations/declare.ts'
import { agentTokens } from './engine.ts'

const { rule, route } = faultsOf(agentTokens)

rule('default-100', 'AGENT-TOKENS-PAGE-01', 'a page holds 100 tokens by default', { defaultPageSize: () => () => 100 })
rule('default-last', 'AGENT-TOKENS-PAGE-02', 'without a number the second page is returned', {
  page: (original) => (query, size) => (query.has('page[number]') ? original(query, size) : { ...original(query, size), number: 2 }),
})
rule('size-ignored', ['AGENT-TOKENS-PAGE-03', 'AGENT-TOKENS-PAGE-18'], 'page[size] is ignored', {
  page: (original) => (query, size) => ({ ...original(query, size), size }),
})
route(
  'brackets-encoded',
  'AGENT-TOKENS-PAGE-18',
  'percent-encoded brackets are refused',
  'agentTokens.list',
  (original) => (call) =>
    call.query.has('page[number]') && call.query.has('page[size]') ? { status: 400, body: { errors: [] } } : original(call),
)
rule('number-ignored', ['AGENT-TOKENS-PAGE-04', 'AGENT-TOKENS-PAGE-09'], 'page[number] is ignored', {
  slice: (original) => (items, page) => original(items, { ...page, number: 1 }),
})
rule('pages-overlap', 'AGENT-TOKENS-PAGE-04', 'a page begins with the last token of the one before', {
  slice:
    () =>
    (items, { number, size }) =>
      items.slice((number - 1) * (size - 1), (number - 1) * (size - 1) + size),
})
rule('odd-page-500', 'AGENT-TOKENS-PAGE-21', 'a page that is no number makes the server fail', {
  page: (original) => (query, size) => {
    const number = BigInt(query.get('page[number]') ?? '1')
    return { ...original(query, size), number: Number(number) }
  },
})
