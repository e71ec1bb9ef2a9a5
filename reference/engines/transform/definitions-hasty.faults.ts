/** Faults of definitions, roles and stores as a hurry makes them: tidied up too much, cached by too little, compared too loosely. */
import { coreEngine } from '../../core/core-engine.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { transformEngine } from './engine.ts'
import type { Template } from './state.ts'
import { beside, byRules, CODING, type Handle, withState } from './wrappers.ts'

const { rule, route, change } = faultsOf(transformEngine)
const core = faultsOf(coreEngine, 'transform')

route(
  'hasty-role-leaves-allowed',
  ['TRANSFORM-ACCESS-09'],
  'deleting a role takes it from the lists of all transformations, so that it may not use them when it is made again',
  'transform.deleteRole',
  (original) => (call) => {
    for (const transformation of call.state.transformations.values())
      transformation.allowedRoles = transformation.allowedRoles.filter((role) => role !== call.params.name)
    return original(call)
  },
)

route(
  'hasty-alphabet-leaves-templates',
  ['TRANSFORM-APART-01'],
  'deleting an alphabet empties the field in the templates that name it',
  'transform.deleteAlphabet',
  (original) => (call) => {
    for (const template of call.state.templates.values()) if (template.alphabet === call.params.name) template.alphabet = ''
    return original(call)
  },
)

const lettersBySize = beside(() => new Map<number, string[]>())

route(
  'hasty-letters-by-size',
  ['TRANSFORM-ALPHABET-12'],
  'the letters of an alphabet are cached by their number, so that another alphabet as long gets those of the first',
  CODING,
  byRules(({ lettersOf }, { state }) => {
    const known = lettersBySize(state)
    return {
      lettersOf(alphabet) {
        const letters = known.get(alphabet.length) ?? lettersOf(alphabet)
        known.set(alphabet.length, letters)
        return letters
      },
    }
  }),
)

const usedTemplates = beside(() => new Map<string, Template>())

/** Codes by the templates as they were when they were used first. */
const byUsedTemplates =
  (original: Handle): Handle =>
  (call) => {
    const used = usedTemplates(call.state)
    for (const [name, template] of call.state.templates) if (!used.has(name)) used.set(name, template)
    return original(withState(call, { templates: new Map([...call.state.templates.keys()].map((name) => [name, used.get(name)!])) }))
  }

change('hasty-template-made-again', ['TRANSFORM-TEMPLATE-13'], 'a template that is deleted and made again codes by its old pattern', {
  routes: {
    'transform.encode': byUsedTemplates,
    'transform.decode': byUsedTemplates,
    'transform.writeTemplate': (original) => (call) => {
      const name = call.params.name ?? ''
      if (call.state.templates.has(name)) usedTemplates(call.state).delete(name)
      return original(call)
    },
  },
})

rule('hasty-allowed-in-any-case', ['TRANSFORM-ACCESS-04'], 'the roles that a transformation allows are compared without regard to case', {
  transformationAllows: (original) => (transformation, role) =>
    original({ ...transformation, allowedRoles: transformation.allowedRoles.map((name) => name.toLowerCase()) }, role.toLowerCase()),
})

core.rule('hasty-typed-update-by-create', ['CORE-CAP-07'], 'changing a transformation by the path of its type needs no more than create', {
  capabilityGranted: (original) => (granted, needed, call) =>
    original(granted, needed, call) ||
    (needed === 'update' &&
      /\/transformation\/(fpe|masking|tokenization)\/[^/]+$/.test(call?.path ?? '') &&
      original(granted, 'create', call)),
})

rule('hasty-type-by-template', ['TRANSFORM-TYPED-12'], 'a transformation with a template becomes any other type that has one', {
  mayBecome: (original) => (previous, kind) => original(previous, kind) || (previous.type !== 'tokenization' && kind !== 'tokenization'),
})

rule('hasty-filter-dot', ['TRANSFORM-FILTER-06'], 'a dot in a filter stands for any character', {
  fits: (original) => (name, filter) =>
    original(name, filter) || new RegExp(`^${filter.replace(/[+?^${}()|[\]\\]/g, '\\$&').replace(/\*+/g, '.*')}$`, 's').test(name),
})

rule(
  'hasty-connection-without-options',
  ['TRANSFORM-STORE-01'],
  'a store is shown without what follows the question mark in its connection string',
  {
    shownStore: (original) => (settings) => original({ ...settings, connectionString: settings.connectionString.split('?', 1)[0]! }),
  },
)
