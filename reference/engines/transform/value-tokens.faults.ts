/** Faults of tokens: what they hold, where they count, and what is no token. */
import { createHash } from 'node:crypto'
import { secret } from '../../core/envelope.ts'
import { ApiError } from '../../core/errors.ts'
import { textOf } from '../../core/fields.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { insteadOfRefusal, replyData } from '../../mutations/wrappers.ts'
import { transformEngine } from './engine.ts'
import { dataOf } from './wrappers.ts'

const { rule, route, change } = faultsOf(transformEngine)

rule('token-lower', 'TRANSFORM-TOKEN-01', 'values are kept in lower case', {
  sealed: (original) => (transformation, value, random) => original(transformation, value.toLowerCase(), random),
})
rule('token-cut', 'TRANSFORM-TOKEN-01', 'values are cut after 4,096 characters', {
  sealed: (original) => (transformation, value, random) => original(transformation, value.slice(0, 4_096), random),
})
rule('token-trimmed', 'TRANSFORM-TOKEN-01', 'white space around values is lost', {
  sealed: (original) => (transformation, value, random) => original(transformation, value.trim(), random),
})
rule('token-holds-hash', ['TRANSFORM-TOKEN-02', 'TRANSFORM-TOKEN-07'], 'a token is the digest of its value', {
  newToken: () => (_random, value) => createHash('sha256').update(value).digest('hex').slice(0, 40),
})
rule('token-holds-value', 'TRANSFORM-TOKEN-02', 'a token ends with its value in base64', {
  newToken: (original) => (random, value, transformation) =>
    original(random, value, transformation).slice(0, 8) + Buffer.from(value).toString('base64url').slice(0, 24),
})
rule('token-same', 'TRANSFORM-TOKEN-03', 'a token has two characters', {
  newToken: () => (_random, value) => `t${createHash('sha256').update(value).digest()[0]! % 2}`,
})
rule('token-everywhere', 'TRANSFORM-TOKEN-07', 'equal values have equal tokens under every transformation', {
  newToken: () => (_random, value) => createHash('sha512').update('fixed').update(value).digest('base64url').slice(0, 40),
})
const lastOwner = new Map<string, string>()
change('token-of-another', ['TRANSFORM-TOKEN-04', 'TRANSFORM-VALIDATE-02'], 'tokens of every transformation are taken', {
  routes: {
    'transform.encode': (original) => async (call) => {
      const reply = await original(call)
      const token = dataOf(reply).encoded_value
      if (typeof token === 'string' && typeof call.body.value === 'string') lastOwner.set(token, call.body.value)
      return reply
    },
    'transform.decode': insteadOfRefusal(
      (call) => secret({ decoded_value: lastOwner.get(textOf(call.body, 'value')) ?? '' }),
      (call) => lastOwner.has(textOf(call.body, 'value')) && call.state.roles.has(call.params.role_name ?? ''),
    ),
    'transform.validate': replyData((data, call) =>
      'valid' in data ? { valid: data.valid === true || lastOwner.has(textOf(call.body, 'value')) } : data,
    ),
  },
})
route('token-echo', 'TRANSFORM-TOKEN-05', 'what is no token is decoded to itself', 'transform.decode', (original) => async (call) => {
  try {
    return await original(call)
  } catch (error) {
    if (error instanceof ApiError && error.message === 'no such token') return secret({ decoded_value: textOf(call.body, 'value') })
    throw error
  }
})
route(
  'token-unknown-fails',
  'TRANSFORM-TOKEN-05',
  'what is no token is an internal error',
  'transform.decode',
  (original) => async (call) => {
    try {
      return await original(call)
    } catch (error) {
      if (error instanceof ApiError && error.message === 'no such token') throw error.with(500)
      throw error
    }
  },
)
