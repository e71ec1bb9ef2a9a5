/** Faults at the edges: empty, one, many, first, last, exactly full, long. */
import { faultsOf } from '../../mutations/declare.ts'
import { changedDocument, objectIn } from '../../run-management/answer-changes.ts'
import { Refusal } from '../../run-management/documents.ts'
import { agentTokens } from './engine.ts'
import { attributesOf, describedAs, isObject, LIST, poolNamed, SHOW, withRules } from './south-help.ts'

const { rule, route } = faultsOf(agentTokens)

rule(
  'south-page-more-when-full',
  'AGENT-TOKENS-PAGE-16',
  'a list that fills its last page has one page more, which is empty (002 2.3: total-pages, next, last)',
  {
    pages: () => (total, size) => Math.floor(total / size) + 1,
  },
)

rule('south-size-of-one-ignored', 'AGENT-TOKENS-PAGE-18', 'a page size of one counts as none (002 4: page[size])', {
  page: (original) => (query, defaultSize) => {
    const page = original(query, defaultSize)
    return page.size > 1 ? page : { ...page, size: defaultSize }
  },
})

rule(
  'south-single-rest-on-page-before',
  'AGENT-TOKENS-PAGE-03',
  'a token that would stand alone on the last page is added to the page before (002 4: page[size])',
  {
    pages: (original) => (total, size) => original(size > 1 && total > size && total % size === 1 ? total - 1 : total, size),
    slice: (original) => (items, page) => {
      const end = page.number * page.size
      if (page.size === 1) return original(items, page)
      if (page.number > 1 && end - page.size === items.length - 1) return []
      return end === items.length - 1 ? items.slice(end - page.size) : original(items, page)
    },
  },
)

route(
  'south-empty-list-not-found',
  'AGENT-TOKENS-MODEL-01',
  'the list of a pool without tokens answers 404 (002 7: list 200, 404 for pool not found)',
  LIST,
  (original) => (call) =>
    original(
      withRules(call, {
        tokensOf: (world, pool) => {
          const tokens = call.rules.tokensOf(world, pool)
          if (tokens.length === 0) throw new Refusal(404, call.rules.hiddenDetail('agent pool', poolNamed(call), false))
          return tokens
        },
      }),
    ),
)

rule(
  'south-ten-on-numbered-pages',
  'AGENT-TOKENS-PAGE-14',
  'pages that are asked for by number alone hold ten tokens (002 4: page[size], default 20 items per page)',
  {
    page: (original) => (query, defaultSize) => original(query, query.has('page[number]') ? 10 : defaultSize),
  },
)

rule(
  'south-no-attributes-no-check',
  'AGENT-TOKENS-CREATE-06',
  'an empty object of attributes passes as an empty description (002 7: create 422, missing attributes)',
  {
    description: (original) => (body, wantedType) => {
      const attributes = isObject(body) ? objectIn(body, 'data').attributes : undefined
      if (!isObject(attributes) || Object.keys(attributes).length > 0) return original(body, wantedType)
      original(describedAs(body, 'none'), wantedType)
      return ''
    },
  },
)

route(
  'south-description-cut-at-255',
  'AGENT-TOKENS-FIELD-11',
  'list and show have the first 255 characters of a description (002 2.2: description)',
  [LIST, SHOW],
  (original) => (call) => original(withRules(call, { describe: (token) => call.rules.describe(token).slice(0, 255) })),
)

rule(
  'south-two-characters-at-least',
  'AGENT-TOKENS-CREATE-01',
  'a description of one character is refused (002 4: data.attributes.description, string; 7: create 201)',
  {
    description: (original) => (body, wantedType) => {
      const { description } = attributesOf(body)
      if (typeof description === 'string' && description.length === 1) {
        throw new Refusal(422, 'the description is too short', '/data/attributes/description')
      }
      return original(body, wantedType)
    },
  },
)

rule(
  'south-offset-by-default-size',
  'AGENT-TOKENS-PAGE-03',
  'a later page begins where it would with the default size (002 4: page[number], page[size])',
  {
    slice:
      (original) =>
      (items, { number, size }) =>
        original(items.slice((number - 1) * 20), { number: 1, size }),
  },
)

rule(
  'south-twenty-read-at-most',
  'AGENT-TOKENS-PAGE-15',
  'the store is asked for twenty tokens, so that no list has more (002 2.3: total-count; 4: page[number])',
  {
    tokensOf: (original) => (world, pool) => original(world, pool).slice(0, 20),
  },
)

rule('south-second-page-without-prev', 'AGENT-TOKENS-PAGE-14', 'the second page has no page before it (002 2.3: prev, prev-page)', {
  links: (original) => (path, page, pages) => ({ ...original(path, page, pages), ...(page.number === 2 ? { prev: null } : {}) }),
  meta: (original) => (page, pages, total) => ({ ...original(page, pages, total), ...(page.number === 2 ? { 'prev-page': null } : {}) }),
})

route(
  'south-one-is-no-list',
  'AGENT-TOKENS-LIST-02',
  'a list of one token has it as data, not in an array (002 4: list; 7: JSON:API document)',
  LIST,
  changedDocument((body) => (Array.isArray(body.data) && body.data.length === 1 ? { ...body, data: body.data[0] ?? null } : body)),
)
