/** Faults in what is shown of objects and of answers, and in routes that differ from their siblings. */

import { faultsOf } from '../../mutations/declare.ts'
import { requestBody, requestWithout } from '../../mutations/wrappers.ts'
import { nameOf } from './definitions.ts'
import { transformEngine } from './engine.ts'

const { rule, route } = faultsOf(transformEngine)

rule('shape-templates-of-masking', ['TRANSFORM-READ-03'], 'a masking transformation shows no templates (001 4.4, GET transformation)', {
  shownTransformation: (original) => (transformation) => ({
    ...original(transformation),
    ...(transformation.type === 'masking' ? { templates: [] } : {}),
  }),
})

route(
  'shape-alphabet-characters',
  ['TRANSFORM-TEMPLATE-03'],
  'a template shows the characters of its alphabet instead of its name (001 4.4, GET template)',
  'transform.readTemplate',
  (original) => (call) =>
    original({
      ...call,
      rules: {
        ...call.rules,
        shownTemplate: (template) => ({
          ...call.rules.shownTemplate(template),
          alphabet: call.state.alphabets.get(template.alphabet) ?? template.alphabet,
        }),
      },
    }),
)

rule(
  'shape-alphabet-sorted',
  ['TRANSFORM-ALPHABET-03'],
  'the characters of an alphabet are read in their order by code (001 4.4, GET alphabet)',
  {
    shownAlphabet: (original) => (alphabet) => original([...alphabet].sort().join('')),
  },
)

rule('shape-metadata-lower', ['TRANSFORM-METADATA-01'], 'keys of metadata come back in lower case (001 4.4, metadata)', {
  shownMetadata: (original) => (token) =>
    original({
      ...token,
      metadata: token.metadata.replace(/(^|,)([^=,]*)=/g, (_all, comma: string, key: string) => `${comma}${key.toLowerCase()}=`),
    }),
})

route(
  'shape-older-path-roles',
  ['TRANSFORM-READ-02'],
  'the older path leaves allowed_roles as they are when it updates (001 4.4, POST transformation)',
  'transform.writeTransformation',
  (original) => (call) =>
    call.state.transformations.has(nameOf(call)) ? requestWithout<typeof call>('allowed_roles')(original)(call) : original(call),
)

rule('shape-filter-of-get', ['TRANSFORM-FILTER-02'], 'a filter counts with LIST but not with GET and list=true (000 1.5, listing)', {
  filterOf: (original) => (query) => (query.get('list') === 'true' ? '*' : original(query)),
})

route(
  'shape-update-drops-tweak-source',
  ['TRANSFORM-FPE-09'],
  'an update of an fpe transformation cannot change its tweak_source (001 4.4, tweak_source)',
  'transform.writeFpe',
  (original) => (call) =>
    call.state.transformations.has(nameOf(call)) ? requestWithout<typeof call>('tweak_source')(original)(call) : original(call),
)

route(
  'shape-update-drops-empty-list',
  ['TRANSFORM-ROLE-02'],
  'an empty list does not empty the transformations of a role (001 4.4, transformations)',
  'transform.writeRole',
  requestBody((body) =>
    Array.isArray(body.transformations) && body.transformations.length === 0 ? { ...body, transformations: null } : body,
  ),
)

route(
  'shape-update-drops-alphabet',
  ['TRANSFORM-TEMPLATE-02'],
  'a template that is written again cannot change its alphabet (001 4.4, alphabet)',
  'transform.writeTemplate',
  (original) => (call) =>
    call.state.templates.has(nameOf(call)) ? requestWithout<typeof call>('alphabet')(original)(call) : original(call),
)
