/** Faults of alphabets and templates. */
import { secret } from '../../core/envelope.ts'
import { ApiError } from '../../core/errors.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { insteadOfRefusal, replyData, requestDefault, requestNestedAs } from '../../mutations/wrappers.ts'
import type { TransformCall } from './batches.ts'
import { transformEngine } from './engine.ts'
import { firstWriteWins, withoutContinued } from './wrappers.ts'

const { rule, route } = faultsOf(transformEngine)

route('alphabet-dropped', 'TRANSFORM-ALPHABET-01', 'a write of an alphabet stores nothing', 'transform.writeAlphabet', () => () => ({
  status: 204,
}))
route(
  'alphabet-first-wins',
  'TRANSFORM-ALPHABET-02',
  'a second write of an alphabet is dropped',
  'transform.writeAlphabet',
  firstWriteWins((state) => state.alphabets),
)
rule('alphabet-sorted', ['TRANSFORM-ALPHABET-03', 'TRANSFORM-ALPHABET-01'], 'an alphabet is kept sorted', {
  alphabetOf: (original) => (body, previous) => [...original(body, previous)].sort().join(''),
})
rule('alphabet-trimmed', 'TRANSFORM-ALPHABET-03', 'white space around an alphabet is cut', {
  alphabetOf: (original) => (body, previous) => original(body, previous).trim(),
})
rule('alphabet-lowered', 'TRANSFORM-ALPHABET-03', 'an alphabet is kept in lower case', {
  alphabetOf: (original) => (body, previous) => original(body, previous).toLowerCase(),
})
rule('alphabet-half-characters', 'TRANSFORM-ALPHABET-03', 'half of each character beyond 16 bits is lost', {
  shownAlphabet: (original) => (alphabet) => original([...alphabet].map((letter) => letter[0]).join('')),
})
route(
  'alphabet-unknown-empty',
  'TRANSFORM-ALPHABET-04',
  'an unknown alphabet reads as empty',
  'transform.readAlphabet',
  insteadOfRefusal(() => secret({ alphabet: '' })),
)
rule('alphabet-list-short', 'TRANSFORM-ALPHABET-05', 'the listing of alphabets leaves out names that continue another', {
  alphabetNames: (original) => (state) => withoutContinued(original(state)),
})
rule('alphabet-kept', 'TRANSFORM-ALPHABET-06', 'the deletion of an alphabet does nothing', { forgetsAlphabet: () => () => false })
route(
  'alphabet-deletes-prefix',
  'TRANSFORM-ALPHABET-06',
  'a deletion takes along the alphabets whose names begin with it',
  'transform.deleteAlphabet',
  (original) => (call) => {
    for (const name of [...call.state.alphabets.keys()]) if (name.startsWith(`${call.params.name}-`)) call.state.alphabets.delete(name)
    return original(call)
  },
)
route(
  'alphabet-never-anew',
  'TRANSFORM-ALPHABET-12',
  'what was deleted once is never created again',
  'transform.writeAlphabet',
  (original) => {
    const known = new Set<string>()
    return (call) => {
      const name = call.params.name ?? ''
      if (known.has(name) && !call.state.alphabets.has(name)) return { status: 204 }
      known.add(name)
      return original(call)
    }
  },
)
route(
  'alphabet-optional',
  'TRANSFORM-ALPHABET-07',
  'an alphabet without characters is created',
  'transform.writeAlphabet',
  requestDefault('alphabet', '0123456789'),
)
route(
  'alphabet-object',
  'TRANSFORM-ALPHABET-08',
  'an object is an empty alphabet',
  'transform.writeAlphabet',
  requestNestedAs('alphabet', ''),
)
route('template-dropped', 'TRANSFORM-TEMPLATE-01', 'a write of a template stores nothing', 'transform.writeTemplate', () => () => ({
  status: 204,
}))
route(
  'template-first-wins',
  'TRANSFORM-TEMPLATE-02',
  'a second write of a template is dropped',
  'transform.writeTemplate',
  firstWriteWins((state) => state.templates),
)
for (const field of ['alphabet', 'pattern', 'type'])
  route(
    `template-no-${field}`,
    'TRANSFORM-TEMPLATE-03',
    `the read of a template shows an empty ${field}`,
    'transform.readTemplate',
    replyData((data) => ({ ...data, [field]: '' })),
  )
rule('template-escapes', 'TRANSFORM-TEMPLATE-03', 'backslashes of a pattern are lost on read', {
  shownTemplate: (original) => (template) => original({ ...template, pattern: template.pattern.replaceAll('\\', '') }),
})
route(
  'template-unknown-200',
  'TRANSFORM-TEMPLATE-04',
  'an unknown template reads as one that takes all',
  'transform.readTemplate',
  insteadOfRefusal(() => secret({ type: 'regex', pattern: '(.*)', alphabet: '' })),
)
rule('template-list-short', 'TRANSFORM-TEMPLATE-05', 'the listing of templates leaves out names that continue another', {
  templateNames: (original) => (state) => withoutContinued(original(state)),
})
rule('template-kept', 'TRANSFORM-TEMPLATE-06', 'the deletion of a template does nothing', { forgetsTemplate: () => () => false })
route(
  'template-without-type',
  'TRANSFORM-TEMPLATE-07',
  'type of a template is optional',
  'transform.writeTemplate',
  requestDefault('type', 'regex'),
)
rule('template-any-type', 'TRANSFORM-TEMPLATE-08', 'any type of template is taken', { templateTypeKnown: () => () => true })
route(
  'template-without-pattern',
  'TRANSFORM-TEMPLATE-09',
  'pattern of a template is optional',
  'transform.writeTemplate',
  requestDefault('pattern', '(.*)'),
)
route(
  'template-pattern-object',
  'TRANSFORM-TEMPLATE-11',
  'an object is an empty pattern',
  'transform.writeTemplate',
  requestNestedAs('pattern', ''),
)
route(
  'template-alphabet-object',
  'TRANSFORM-TEMPLATE-12',
  'an object is no alphabet',
  'transform.writeTemplate',
  requestNestedAs('alphabet', ''),
)
route('template-never-anew', 'TRANSFORM-TEMPLATE-13', 'a deleted template comes back as it was', 'transform.writeTemplate', (original) => {
  const first = new Map<string, TransformCall['body']>()
  return (call) => {
    const name = call.params.name ?? ''
    const before = call.state.templates.has(name) ? undefined : first.get(name)
    if (!first.has(name)) first.set(name, call.body)
    return original(before === undefined ? call : { ...call, body: before })
  }
})
rule('pattern-fails', 'TRANSFORM-TEMPLATE-14', 'a broken pattern is an internal error', {
  checkPattern: (original) => (pattern) => {
    try {
      original(pattern)
    } catch {
      throw new ApiError(500, 'internal error')
    }
  },
})
