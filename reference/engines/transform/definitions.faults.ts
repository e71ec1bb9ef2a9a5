/** Faults of alphabets and templates: how they are kept, shown and listed, what outlives them, and what their deletion takes along. */
import { secret } from '../../core/envelope.ts'
import { ApiError } from '../../core/errors.ts'
import { faultsOf } from '../../faults/declare.ts'
import { remembered } from '../../faults/remembering.ts'
import { insteadOfRefusal } from '../../faults/wrappers.ts'
import type { TransformCall } from './batches.ts'
import { nameOf } from './definitions.ts'
import { transformEngine } from './engine.ts'
import type { Template, Transformation } from './state.ts'
import { after, all, before, beside, byState, CODING, deletedRemembered } from './wrappers.ts'

const { rule, route, change, declared } = faultsOf(transformEngine)

rule('alphabet-sorted', ['TRANSFORM-ALPHABET-03', 'TRANSFORM-ALPHABET-01'], 'an alphabet is kept sorted', {
  alphabetOf: (original) => (body, previous) => [...original(body, previous)].sort().join(''),
})
route(
  'alphabet-unknown-empty',
  'TRANSFORM-ALPHABET-04',
  'an unknown alphabet reads as empty',
  'transform.readAlphabet',
  insteadOfRefusal(() => secret({ alphabet: '' })),
)
const namesUsed = beside(() => new Set<string>())
route(
  'alphabet-once',
  'TRANSFORM-ALPHABET-12',
  'an alphabet that was deleted is never created again',
  'transform.writeAlphabet',
  (original) => (call) => {
    const used = namesUsed(call.state)
    if (used.has(nameOf(call)) && !call.state.alphabets.has(nameOf(call))) return { status: 204 }
    used.add(nameOf(call))
    return original(call)
  },
)

const deletedAlphabets = beside(() => new Map<string, string>())
change('alphabet-recreated-old', 'TRANSFORM-ALPHABET-12', 'an alphabet that is created again codes with its old characters', {
  routes: {
    'transform.deleteAlphabet': before((state, name) => deletedAlphabets(state).set(name, state.alphabets.get(name) ?? '')),
    'transform.writeAlphabet': before((state, name) => state.alphabets.has(name) && deletedAlphabets(state).delete(name)),
    ...all(
      CODING,
      byState((state) => ({
        alphabets: new Map([...state.alphabets].map(([name, alphabet]) => [name, deletedAlphabets(state).get(name) || alphabet])),
      })),
    ),
  },
})

const usedAlphabets = beside(() => new Map<string, string>())
route(
  'alphabet-cached',
  'TRANSFORM-ALPHABET-13',
  'values are coded with the characters that an alphabet had at its first use',
  CODING,
  byState((state, call) => {
    const used = usedAlphabets(state)
    for (const name of state.roles.get(call.params.role_name ?? '') ?? []) {
      const alphabet = state.templates.get(state.transformations.get(name)?.template ?? '')?.alphabet ?? ''
      if (state.alphabets.has(alphabet) && !used.has(alphabet)) used.set(alphabet, state.alphabets.get(alphabet)!)
    }
    return { alphabets: new Map([...state.alphabets, ...used]) }
  }),
)
route(
  'alphabet-leaves-templates',
  'TRANSFORM-APART-01',
  'deleting an alphabet empties the field in the templates that name it',
  'transform.deleteAlphabet',
  before((state, name) => {
    for (const template of state.templates.values()) if (template.alphabet === name) template.alphabet = ''
  }),
)

/** What any mount of a server wrote last under a name. */
const latestOfAll = remembered(() => new Map<string, string>())
change('alphabet-of-any-mount', 'CORE-MOUNT-02', 'an alphabet that one mount lacks is read from another', {
  routes: {
    'transform.writeAlphabet': after((state, name, call) => latestOfAll(call.services).set(name, state.alphabets.get(name) ?? '')),
    'transform.readAlphabet': byState(({ alphabets }, call) => ({ alphabets: new Map([...latestOfAll(call.services), ...alphabets]) })),
    'transform.deleteAlphabet': before((state, name, call) => state.alphabets.has(name) && latestOfAll(call.services).delete(name)),
  },
})

route(
  'template-unknown-all',
  'TRANSFORM-TEMPLATE-04',
  'an unknown template reads as one that takes all',
  'transform.readTemplate',
  insteadOfRefusal(() => secret({ type: 'regex', pattern: '(.*)', alphabet: '' })),
)
rule('template-any-type', 'TRANSFORM-TEMPLATE-08', 'any type of template is taken', { templateTypeKnown: () => () => true })
rule('pattern-fails', 'TRANSFORM-TEMPLATE-14', 'a broken pattern is an internal error', {
  checkPattern: (original) => (pattern) => {
    try {
      original(pattern)
    } catch {
      throw new ApiError(500, 'internal error')
    }
  },
})
change(
  'template-recreated-alphabet',
  'TRANSFORM-TEMPLATE-13',
  'a template that is created again without an alphabet has that of the deleted one',
  deletedRemembered('writeTemplate', 'deleteTemplate', ({ templates }, name) => {
    const known = templates.get(name)
    return known && { alphabet: known.alphabet }
  }),
)
const firstTemplates = beside(() => new Map<string, TransformCall['body']>())
route(
  'template-recreated-old',
  'TRANSFORM-TEMPLATE-13',
  'a deleted template comes back as it was',
  'transform.writeTemplate',
  (original) => (call) => {
    const first = firstTemplates(call.state)
    const old = call.state.templates.has(nameOf(call)) ? undefined : first.get(nameOf(call))
    if (!first.has(nameOf(call))) first.set(nameOf(call), call.body)
    return original(old === undefined ? call : { ...call, body: old })
  },
)
const usedTemplates = beside(() => new Map<string, Template>())
change('template-recreated-codes', 'TRANSFORM-TEMPLATE-13', 'a template that is created again codes by its old pattern', {
  routes: {
    'transform.writeTemplate': before((state, name) => state.templates.has(name) && usedTemplates(state).delete(name)),
    ...all(
      CODING,
      byState((state) => {
        const used = usedTemplates(state)
        for (const [name, template] of state.templates) if (!used.has(name)) used.set(name, template)
        return { templates: new Map([...state.templates.keys()].map((name) => [name, used.get(name)!])) }
      }),
    ),
  },
})
const copies = beside(() => new Map<string, Template>())
change('template-fixed', 'TRANSFORM-TEMPLATE-18', 'a masking goes by its template as it was when the masking was written', {
  routes: {
    'transform.writeMasking': after((state, name) => {
      const template = state.templates.get(state.transformations.get(name)?.template ?? '')
      if (template !== undefined) copies(state).set(name, template)
    }),
    'transform.encode': byState((state) => ({
      transformations: new Map(
        [...state.transformations].map(([name, one]): [string, Transformation] => [
          name,
          copies(state).has(name) ? { ...one, template: `${name} ` } : one,
        ]),
      ),
      templates: new Map([...state.templates, ...[...copies(state)].map(([name, template]) => [`${name} `, template] as const)]),
    })),
  },
})
export const faults = declared
