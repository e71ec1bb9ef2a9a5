/** Faults in the form of agent tokens: times, null and text, blanks, escapes, types, statuses of answers. */
import { faultsOf } from '../../mutations/declare.ts'
import { replyStatus } from '../../mutations/wrappers.ts'
import { changedAttributes, changedResources, without } from '../../run-management/answer-changes.ts'
import { Refusal } from '../../run-management/documents.ts'
import type { PartCall } from '../../run-management/part.ts'
import type { AgentTokenRules } from './agent-tokens.rules.ts'
import { agentTokens } from './engine.ts'

const { rule, route } = faultsOf(agentTokens)

rule(
  'created-at-without-milliseconds',
  ['AGENT-TOKENS-FIELD-03'],
  'created-at has whole seconds (002 2.2, ISO 8601 UTC with milliseconds)',
  {
    createdAt: (original) => (token) => original(token).replace(/\.\d+Z$/, 'Z'),
  },
)

rule('last-used-at-empty', ['AGENT-TOKENS-FIELD-09'], 'last-used-at is an empty text before the first use (002 2.2, null until used)', {
  lastUsedAt: (original) => (token) => original(token) ?? '',
})

rule('listed-token-masked', ['AGENT-TOKENS-SECRET-03'], 'lists show a mask as token (002 2.2, non-null only in the create response)', {
  secretText: (original) => (token, occasion, secret) => (occasion === 'listed' ? '********' : original(token, occasion, secret)),
})

route(
  'list-without-creator',
  ['AGENT-TOKENS-FIELD-07'],
  'resources of a list have no created-by (002 2.2, relationships.created-by.data)',
  'agentTokens.list',
  changedResources<AgentTokenRules>((resource) => without(resource, 'relationships')),
)

route(
  'show-description-escaped',
  ['AGENT-TOKENS-FIELD-11'],
  'a token is shown with its description escaped for HTML (002 2.2, description)',
  'agentTokens.show',
  changedAttributes<AgentTokenRules>((attributes) => ({
    ...attributes,
    description: String(attributes.description).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;'),
  })),
)

rule('description-trimmed-anew', ['AGENT-TOKENS-FIELD-11'], 'blanks at the ends of a description are cut (002 2.2, description)', {
  description: (original) => (body, wantedType) => original(body, wantedType).trim(),
})

rule('description-first-line', ['AGENT-TOKENS-FIELD-11'], 'only the first line of a description is kept (002 2.2, description)', {
  description: (original) => (body, wantedType) => original(body, wantedType).split('\n')[0] ?? '',
})

rule(
  'description-latin',
  ['AGENT-TOKENS-FIELD-11'],
  'letters beyond Latin-1 in descriptions become question marks (002 2.2, description)',
  {
    describe: (original) => (token) => original(token).replaceAll(/[\u0100-\u{10ffff}]/gu, '?'),
  },
)

rule(
  'type-unchecked',
  ['AGENT-TOKENS-CREATE-09'],
  'a create with another data.type is accepted (002 4, data.type: must be authentication-tokens)',
  {
    wantedType: () => () => true,
  },
)

rule(
  'number-as-description',
  ['AGENT-TOKENS-CREATE-11'],
  'a number or object as description is stored as text (002 7, create: 422 wrong types)',
  {
    description: (original) => (body, wantedType) => {
      const { data } = (body ?? {}) as { data?: { attributes?: { description?: number | object | string } } }
      const given = data?.attributes?.description
      if (given === undefined || given === null || typeof given === 'string') return original(body, wantedType)
      return typeof given === 'object' ? JSON.stringify(given) : String(given)
    },
  },
)

route(
  'missing-attributes-400',
  ['AGENT-TOKENS-CREATE-07'],
  'a create without attributes is answered with 400 (002 7, create: 422)',
  'agentTokens.create',
  (original) => {
    const rules = (own: AgentTokenRules): AgentTokenRules => ({
      ...own,
      description: (body, wantedType) => {
        const { data } = (body ?? {}) as { data?: { attributes?: object } }
        if (data !== undefined && data.attributes === undefined) throw new Refusal(400, 'data.attributes is missing', '/data')
        return own.description(body, wantedType)
      },
    })
    return (call: PartCall<AgentTokenRules>) => original({ ...call, rules: rules(call.rules) })
  },
)

route(
  'destroy-200',
  ['AGENT-TOKENS-DESTROY-01'],
  'a destroy is answered with 200 (002 7, destroy: 204)',
  'agentTokens.destroy',
  replyStatus(200),
)
