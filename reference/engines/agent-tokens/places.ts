/** Where the operators apply to agent tokens. */
import { applied, type Places } from '../../faults/apply.ts'
import type { World } from '../../run-management/world.ts'
import { agentTokens } from './engine.ts'

const CREATE = 'agentTokens.create'
const SHOW = 'agentTokens.show'
const LIST = 'agentTokens.list'
const DESTROY = 'agentTokens.destroy'

const NULL = 'a token that nobody used has null'
const OBJECTS = 'the list holds objects'

const clause = (name: string): [string] => [`AGENT-TOKENS-${name}`]

type Replies = NonNullable<Places['replies']>

/** A member of the answers to an operation. */
const shown = (operation: string, member: string, name: string, more: Partial<Replies[string]> = {}): Replies => ({
  [`${operation.slice('agentTokens.'.length)}/${member}`]: {
    operations: [operation],
    member,
    clauses: clause(name),
    ...more,
  },
})

const ATTRIBUTES = 'data.attributes'
const PAGINATION = 'meta.pagination'

export const faults = applied(agentTokens, {
  except: {
    'no check finds it: whether it is promised is not judged yet': `
      create/data.id/stale create/data.id/neighbours create/data.attributes.description/stale
      create/data.attributes.created-at/neighbours show/data.attributes.last-used-at/emptied show/data.attributes.last-used-at/stale
      show/data.relationships.created-by.data.id/neighbours list/data.attributes.description/stale
      list/data.attributes.description/neighbours list/data.id/neighbours list/data.relationships.created-by.data.id/neighbours
      list/links.self/emptied token/first-read
    `,
    'the schema of the answer decides it; fields.faults.ts breaks it where more checks come by': `
      show/data.attributes.created-at/other show/data.id/left-out show/data.id/null show/data.id/retyped show/data.type/left-out
      show/data.type/null show/data.type/retyped show/data.attributes.created-at/left-out show/data.attributes.created-at/null
      show/data.attributes.created-at/retyped show/data.attributes.description/left-out show/data.attributes.description/null
      show/data.attributes.description/retyped show/data.relationships.created-by.data.id/left-out
      show/data.relationships.created-by.data.id/null show/data.relationships.created-by.data.id/retyped
    `,
  },
  texts: {
    description: {
      clauses: clause('FIELD-11'),
      by: { lost: 'AGENT-TOKENS-CREATE-01' },
      operations: [CREATE],
      member: `${ATTRIBUTES}.description`,
    },
  },
  parameters: {
    description: {
      clauses: clause('FIELD-11'),
      by: { ignored: 'AGENT-TOKENS-CREATE-01', 'carried-over': 'AGENT-TOKENS-CREATE-06' },
      operations: [CREATE],
      member: `${ATTRIBUTES}.description`,
    },
    type: {
      clauses: clause('CREATE-09'),
      by: { ignored: 'AGENT-TOKENS-CREATE-01', 'first-kept': 'AGENT-TOKENS-CREATE-10' },
      operations: [CREATE],
      member: 'data.type',
    },
  },
  needed: {
    description: {
      clauses: ['AGENT-TOKENS-CREATE-06', 'AGENT-TOKENS-CREATE-18'],
      not: { 'made-up-for-empty': 'whether an empty description is one is open' },
      operations: [CREATE],
      member: `${ATTRIBUTES}.description`,
      value: 'text',
    },
    type: {
      clauses: clause('CREATE-09'),
      operations: [CREATE],
      member: 'data.type',
      value: 'authentication-tokens',
    },
  },
  lists: {
    list: {
      clauses: clause('PAGE-04'),
      by: { 'of-ten': 'AGENT-TOKENS-PAGE-01', twice: 'AGENT-TOKENS-PAGE-24', stale: 'AGENT-TOKENS-LIST-04' },
      not: { 'of-objects': OBJECTS, 'alone-only': OBJECTS },
      operations: [LIST],
      member: 'data',
    },
  },
  replies: {
    ...shown(CREATE, 'data.id', 'CREATE-03'),
    ...shown(CREATE, `${ATTRIBUTES}.description`, 'CREATE-02'),
    ...shown(CREATE, `${ATTRIBUTES}.token`, 'SECRET-01', {
      by: { other: 'AGENT-TOKENS-AUTH-08', stale: 'AGENT-TOKENS-SECRET-07', neighbours: 'AGENT-TOKENS-SECRET-07' },
    }),
    ...shown(CREATE, `${ATTRIBUTES}.created-at`, 'FIELD-08', { by: { other: 'AGENT-TOKENS-FIELD-03' } }),
    ...shown(SHOW, 'data.id', 'SHOW-02', { not: { stale: 'a path shows one token' } }),
    ...shown(SHOW, `${ATTRIBUTES}.description`, 'FIELD-11', { not: { stale: 'a description never changes' } }),
    ...shown(SHOW, `${ATTRIBUTES}.created-at`, 'FIELD-14', { by: { other: 'AGENT-TOKENS-FIELD-03' }, not: { stale: 'it never changes' } }),
    ...shown(SHOW, `${ATTRIBUTES}.last-used-at`, 'FIELD-10', { not: { other: NULL, neighbours: NULL } }),
    ...shown(SHOW, 'data.relationships.created-by.data.id', 'FIELD-12', { not: { stale: 'it never changes' } }),
    ...shown(LIST, `${ATTRIBUTES}.description`, 'LIST-05'),
    ...shown(LIST, 'data.id', 'CREATE-04'),
    ...shown(LIST, 'data.relationships.created-by.data.id', 'FIELD-12', { by: { stale: 'AGENT-TOKENS-FIELD-13' } }),
    ...shown(LIST, `${PAGINATION}.current-page`, 'PAGE-13'),
    ...shown(LIST, `${PAGINATION}.next-page`, 'PAGE-14'),
    ...shown(LIST, `${PAGINATION}.total-count`, 'PAGE-15'),
    ...shown(LIST, `${PAGINATION}.total-pages`, 'PAGE-16'),
    ...shown(LIST, 'links.self', 'PAGE-11'),
    ...shown(LIST, 'links.first', 'PAGE-10', { not: { stale: 'it is the same for every page' } }),
    ...shown(LIST, 'links.last', 'PAGE-10'),
    ...shown(LIST, 'links.next', 'PAGE-09'),
  },
  shapes: {
    ...shown(SHOW, 'data.id', 'FIELD-01'),
    ...shown(SHOW, 'data.type', 'FIELD-02'),
    ...shown(SHOW, `${ATTRIBUTES}.created-at`, 'FIELD-03'),
    ...shown(SHOW, `${ATTRIBUTES}.description`, 'FIELD-05'),
    ...shown(CREATE, `${ATTRIBUTES}.token`, 'FIELD-06'),
    ...shown(SHOW, 'data.relationships.created-by.data.id', 'FIELD-07'),
    ...shown(LIST, 'links.self', 'PAGE-06', { by: { 'left-out': 'AGENT-TOKENS-PAGE-05' } }),
    ...shown(LIST, 'links.last', 'PAGE-06', { by: { 'left-out': 'AGENT-TOKENS-PAGE-05' } }),
    ...shown(LIST, `${PAGINATION}.total-count`, 'PAGE-25', { by: { 'left-out': 'AGENT-TOKENS-PAGE-12' } }),
    ...shown(LIST, `${PAGINATION}.total-pages`, 'PAGE-25', { by: { 'left-out': 'AGENT-TOKENS-PAGE-12' } }),
  },
  types: {
    description: {
      clauses: clause('CREATE-11'),
      not: { 'object-left-out': 'a missing description is refused in the same way' },
      operations: [CREATE],
      member: `${ATTRIBUTES}.description`,
      value: 'text',
    },
  },
  memory: {
    token: {
      clauses: clause('DESTROY-02'),
      by: { 'first-read': 'AGENT-TOKENS-FIELD-10' },
      not: { 'second-write-lost': 'a creation names a pool', 'new-one-lost': 'a creation names a pool' },
      write: CREATE,
      read: SHOW,
      remove: DESTROY,
    },
  },
  neighbours: {
    destruction: {
      clauses: clause('DESTROY-05'),
      not: { 'with-prefix': 'no id begins like another', 'same-length': 'all ids are of one length' },
      operations: [DESTROY],
      parameter: 'id',
      things: ({ tokens }: World) => tokens,
    },
  },
})
