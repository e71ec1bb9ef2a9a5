/** Legal alternatives of writing, reading, listing and deleting what the engine keeps. */
import { empty } from '../../core/envelope.ts'
import { invalid } from '../../core/errors.ts'
import { textOf } from '../../core/fields.ts'
import { variantsOf } from '../../faults/declare.ts'
import { replyInsteadOf204 } from '../../faults/wrappers.ts'
import { transformEngine } from './engine.ts'

const { rule, route, change, declared } = variantsOf(transformEngine)

const writes = [
  'writeAlphabet',
  'writeTemplate',
  'writeTransformation',
  'writeFpe',
  'writeMasking',
  'writeTokenization',
  'writeRole',
  'writeStore',
  'makeSchema',
  'deleteAlphabet',
  'deleteTemplate',
  'deleteTransformation',
  'deleteRole',
  'deleteStore',
]

change('writes-200', 'success of a write without a stated status', 'writes answer 200 with an empty envelope', {
  routes: Object.fromEntries(writes.map((operation) => [`transform.${operation}`, replyInsteadOf204()])),
})
rule('delete-absent-404', 'deleting what is absent: 204, 200 or 404', 'deleting what is absent is answered with 404', {
  absentDeleteStatus: () => () => 404,
})
rule('one-read-shape', 'one read shape for all types: fields that a type does not have', 'a read shows the fields of every type', {
  shownTransformation: (original) => (transformation) => ({
    templates: null,
    tweak_source: null,
    masking_character: null,
    mapping_mode: null,
    stores: [],
    ...original(transformation),
  }),
})
rule('filter-empty-listing', 'an empty filter: open', 'an empty filter fits no name', {
  filterOf: (original) => (query) => (query.get('filter') === '' ? 'none' : original(query)),
})
rule('alphabet-first', 'when the alphabet is looked up is not said', 'a template of an unknown alphabet is refused', {
  alphabetKnown: () => (alphabets, name) => alphabets.has(name),
})
rule('pattern-late', 'when the pattern is read is not said', 'a broken pattern is stored and refused when it is used', {
  checkPattern: () => () => {},
  spansOf: (original) => (pattern, value) => {
    try {
      return original(pattern, value)
    } catch {
      throw invalid('the pattern of the template means nothing')
    }
  },
})
route(
  'immutable-ignored',
  'immutable fields: refused, or the stored value does not change',
  'a write of another type is answered and dropped',
  ['transform.writeFpe', 'transform.writeMasking', 'transform.writeTransformation'],
  (original) => async (call) => {
    const kind = call.path.includes('/transformation/fpe/')
      ? 'fpe'
      : call.path.includes('/transformation/masking/')
        ? 'masking'
        : textOf({ type: call.body.type ?? '' }, 'type')
    const previous = call.state.transformations.get(call.params.name ?? '')
    return previous !== undefined && kind !== '' && call.rules.kindKnown(kind) && previous.type !== kind ? empty() : original(call)
  },
)
route(
  'no-second-write',
  'whether a second write is taken is not said',
  'alphabets and templates are written once',
  ['transform.writeAlphabet', 'transform.writeTemplate'],
  (original) => (call) => {
    const name = call.params.name ?? ''
    if ((call.path.includes('/alphabet/') ? call.state.alphabets : call.state.templates).has(name))
      throw invalid(`${name} is there already`)
    return original(call)
  },
)
route(
  'other-fields-refused',
  'fields of another type: refused or without effect',
  'fields of another type are refused',
  ['transform.writeFpe', 'transform.writeMasking'],
  (original) => (call) => {
    if (call.body[call.path.includes('/transformation/fpe/') ? 'masking_character' : 'tweak_source'] !== undefined)
      throw invalid('a field of another type')
    return original(call)
  },
)

route(
  'template-read-in-any-case',
  'name-case: two names or one',
  'a template is read by its name in any letter case',
  'transform.readTemplate',
  (original) => (call) => {
    const { name = '' } = call.params
    const known = [...call.state.templates.keys()]
    const close = known.find((one) => one === name) ?? known.find((one) => one.toLowerCase() === name.toLowerCase())
    return original(close === undefined ? call : { ...call, params: { ...call.params, name: close } })
  },
)

export const variants = declared
