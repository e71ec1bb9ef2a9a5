/** Faults of the questions that are asked about tokens. */
import { secret } from '../../core/envelope.ts'
import { ApiError, invalid } from '../../core/errors.ts'
import { textOf } from '../../core/fields.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { isNested, replyData, requestNestedAs } from '../../mutations/wrappers.ts'
import { transformEngine } from './engine.ts'
import { byRules, dataOf } from './wrappers.ts'

const { rule, route, change } = faultsOf(transformEngine)

const QUESTIONS = ['validate', 'tokenized', 'metadata'] as const

route(
  'valid-always-false',
  'TRANSFORM-VALIDATE-01',
  'no token is valid',
  'transform.validate',
  replyData((data) => ('valid' in data ? { valid: false } : data)),
)
route(
  'valid-by-length',
  'TRANSFORM-VALIDATE-03',
  'whatever is as long as a token is valid',
  'transform.validate',
  replyData((data, call) =>
    'valid' in data ? { valid: data.valid === true || /^[A-Za-z0-9]{40}$/.test(textOf(call.body, 'value')) } : data,
  ),
)
route('valid-refused', 'TRANSFORM-VALIDATE-04', 'what is no token is refused', 'transform.validate', (original) => async (call) => {
  const reply = await original(call)
  if (dataOf(reply).valid === false) throw invalid('no such token')
  return reply
})
route(
  'tokenized-never',
  ['TRANSFORM-TOKENIZED-01', 'TRANSFORM-TTL-01'],
  'no value is tokenized',
  'transform.tokenized',
  replyData((data) => ('tokenized' in data ? { tokenized: false } : data)),
)
rule('tokenized-near', 'TRANSFORM-TOKENIZED-02', 'values are compared without white space around them', {
  digestOf: (original) => (transformation, purpose, text) => original(transformation, purpose, purpose === 'value' ? text.trim() : text),
})
route(
  'tokenized-anything',
  'TRANSFORM-TOKENIZED-02',
  'every value counts as tokenized',
  'transform.tokenized',
  replyData((data) => ('tokenized' in data ? { tokenized: true } : data)),
)
const everywhere = new Set<string>()
change('tokenized-elsewhere', 'TRANSFORM-TOKENIZED-03', 'a value counts as tokenized where another transformation has it', {
  routes: {
    'transform.encode': (original) => (call) => {
      everywhere.add(textOf({ value: typeof call.body.value === 'string' ? call.body.value : '' }, 'value'))
      return original(call)
    },
    'transform.tokenized': replyData((data, call) =>
      'tokenized' in data ? { tokenized: everywhere.has(textOf(call.body, 'value')) } : data,
    ),
  },
})
const tokenOf = new Map<string, string>()
change('tokenized-shows-token', 'TRANSFORM-TOKENIZED-05', 'the answer holds the token', {
  routes: {
    'transform.encode': (original) => async (call) => {
      const reply = await original(call)
      if (typeof call.body.value === 'string') tokenOf.set(call.body.value, String(dataOf(reply).encoded_value))
      return reply
    },
    'transform.tokenized': replyData((data, call) => ({ ...data, token: tokenOf.get(textOf(call.body, 'value')) ?? '' })),
  },
})
for (const [question, clause, hollow] of [
  ['validate', 'TRANSFORM-VALIDATE-05', { valid: false }],
  ['tokenized', 'TRANSFORM-TOKENIZED-04', { tokenized: false }],
  ['metadata', 'TRANSFORM-METADATA-07', { metadata: '', expiration_time: null }],
] as const)
  route(`${question}-of-fpe`, clause, 'the question is answered for every type', `transform.${question}`, (original) => async (call) => {
    try {
      return await original(call)
    } catch (error) {
      if (error instanceof ApiError && error.message.includes('tokenization only')) return secret({ ...hollow })
      throw error
    }
  })
for (const [question, clause, hollow] of [
  ['validate', 'TRANSFORM-VALIDATE-09', { valid: false }],
  ['metadata', 'TRANSFORM-METADATA-10', { metadata: '', expiration_time: null }],
] as const)
  route(
    `${question}-without-value`,
    clause,
    'without a value the answer is empty',
    `transform.${question}`,
    (original) => (call) => (call.body.value === undefined && call.body.batch_input === undefined ? secret({ ...hollow }) : original(call)),
  )
for (const [field, clause] of [
  ['value', 'TRANSFORM-VALIDATE-06'],
  ['transformation', 'TRANSFORM-VALIDATE-07'],
] as const)
  route(
    `question-${field}-object`,
    clause,
    `an object for ${field} is left out`,
    'transform.validate',
    field === 'value' ? requestNestedAs('value', 'none') : requestNestedAs('transformation'),
  )
route(
  'question-batch-object',
  'TRANSFORM-VALIDATE-08',
  'an object as batch is answered',
  QUESTIONS.map((name) => `transform.${name}`),
  (original) => (call) =>
    isNested(call.body.batch_input) && !Array.isArray(call.body.batch_input) ? secret({ batch_results: [] }) : original(call),
)
for (const [question, role, transformation] of [
  ['validate', 'TRANSFORM-ACCESS-14', 'TRANSFORM-ACCESS-15'],
  ['tokenized', 'TRANSFORM-ACCESS-16', 'TRANSFORM-ACCESS-17'],
  ['metadata', 'TRANSFORM-ACCESS-18', 'TRANSFORM-ACCESS-19'],
] as const) {
  route(
    `${question}-ignores-role`,
    role,
    'the list of the role is not looked at',
    `transform.${question}`,
    byRules(() => ({ roleAllows: () => true })),
  )
  route(
    `${question}-ignores-transformation`,
    transformation,
    'allowed_roles is not looked at',
    `transform.${question}`,
    byRules(() => ({ transformationAllows: () => true })),
  )
}
const tokenValues = new Map<string, string>()
change('valid-shows-value', 'TRANSFORM-SECRET-04', 'validation shows the value', {
  routes: {
    'transform.encode': (original) => async (call) => {
      const reply = await original(call)
      if (typeof call.body.value === 'string') tokenValues.set(String(dataOf(reply).encoded_value), call.body.value)
      return reply
    },
    'transform.validate': replyData((data, call) => ({ ...data, of: tokenValues.get(textOf(call.body, 'value')) ?? '' })),
  },
})
