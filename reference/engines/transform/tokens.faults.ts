/** Faults of tokens, of their lives, and of what is told of them. */
import { createHash } from 'node:crypto'
import { secret } from '../../core/envelope.ts'
import { ApiError, invalid } from '../../core/errors.ts'
import { textOf } from '../../core/fields.ts'
import type { JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { insteadOfRefusal, isNested, replyData, requestBody, requestDefault, requestNestedAs } from '../../mutations/wrappers.ts'
import type { TransformCall } from './batches.ts'
import { transformEngine } from './engine.ts'
import { byRules, dataOf, firstWriteWins, requestItems } from './wrappers.ts'

const { rule, route, change } = faultsOf(transformEngine)

const TYPED = 'transform.writeTokenization'
const QUESTIONS = ['validate', 'tokenized', 'metadata'] as const

route('tokenization-dropped', 'TF-TOKENIZATION-01', 'a write of the typed path stores nothing', TYPED, () => () => ({ status: 204 }))
route(
  'tokenization-first-wins',
  'TF-ACCESS-10',
  'a second write of a tokenization is dropped',
  TYPED,
  firstWriteWins((state) => state.transformations),
)
route(
  'tokenization-again-empty',
  'TF-TOKENIZATION-03',
  'a second write of a tokenization forgets its tokens',
  TYPED,
  (original) => async (call) => {
    const reply = await original(call)
    const made = call.state.transformations.get(call.params.name ?? '')
    if (made !== undefined) made.id = call.services.random.uuid()
    return reply
  },
)
rule('tokenization-open', 'TF-TOKENIZATION-02', 'empty allowed_roles of a tokenization mean any role', {
  transformationAllows: (original) => (transformation, role) =>
    (transformation.type === 'tokenization' && transformation.allowedRoles.length === 0) || original(transformation, role),
})
route('tokenization-allowed-object', 'TF-TOKENIZATION-04', 'an object allows no roles', TYPED, requestNestedAs('allowed_roles', []))
route(
  'tokenization-stores-object',
  'TF-TOKENIZATION-05',
  'an object is no list of stores',
  TYPED,
  requestNestedAs('stores', ['builtin/internal']),
)
route(
  'tokenization-no-store',
  ['TF-TOKENIZATION-06', 'TF-TOKENIZATION-01'],
  'without stores there are none',
  TYPED,
  requestDefault('stores', ['none']),
)
rule('tokenization-tweak', 'TF-TOKENIZATION-07', 'a token needs a tweak where a source was written', {
  storesOf: (original) => (body, kind, previous) => (body.tweak_source === undefined ? original(body, kind, previous) : ['none']),
})
rule('tokenization-any-store', 'TF-TOKENIZATION-08', 'an unknown store is taken for the internal one', {
  storesOf: (original) => (body, kind, previous) => original(body, kind, previous).map(() => 'builtin/internal'),
})
route(
  'older-tokenization-template',
  'TF-TYPED-03',
  'the older path asks for the template of a tokenization',
  'transform.writeTransformation',
  (original) => (call) => {
    if (call.body.type === 'tokenization' && !call.state.templates.has(textOf(call.body, 'template'))) throw invalid('unknown template')
    return original(call)
  },
)
route(
  'older-tokenization-is-fpe',
  'TF-TYPED-03',
  'the older path makes an encryption of a tokenization',
  'transform.writeTransformation',
  requestBody((body) => (body.type === 'tokenization' ? { ...body, type: 'fpe' } : body)),
)
rule('mapping-default-only', 'TF-MAPPING-01', 'exportable is refused', { mappingModeKnown: () => (mode) => mode === 'default' })
rule('mapping-anything', 'TF-MAPPING-03', 'any mapping_mode is taken', { mappingModeKnown: () => () => true })
rule('max-ttl-default', 'TF-MAXTTL-01', 'without max_ttl tokens live five seconds', {
  maxTtlOf: (original) => (body, kind, previous) =>
    kind === 'tokenization' && body.max_ttl === undefined ? 5 : original(body, kind, previous),
})
rule('max-ttl-without-ttl', 'TF-MAXTTL-02', 'max_ttl counts only where a ttl is given', {
  tokenTtl: (original) => (requested, maximum) => (requested === 0 ? 0 : original(requested, maximum)),
})
rule('max-ttl-above', 'TF-MAXTTL-03', 'a ttl above the maximum counts', { tokenTtl: () => (requested, maximum) => requested || maximum })
rule('max-ttl-always', ['TF-MAXTTL-04', 'TF-MAXTTL-02'], 'every token lives as long as the maximum', {
  tokenTtl: () => (_requested, maximum) => maximum || 3600,
})
route('max-ttl-object', 'TF-MAXTTL-05', 'an object is no maximum', TYPED, requestNestedAs('max_ttl', 0))
rule('max-ttl-minutes', 'TF-MAXTTL-02', 'a maximum in seconds is taken for minutes', {
  maxTtlOf: (original) => (body, kind, previous) => original(body, kind, previous) * 60,
})
rule('ttl-ignored', ['TF-TTL-02', 'TF-TTL-07', 'TF-MAXTTL-04'], 'ttl is ignored', { requestedTtl: () => () => 0 })
rule('ttl-text-ignored', 'TF-TTL-07', 'a ttl with a unit is ignored', {
  requestedTtl: (original) => (item) => (/[a-z]/.test(String(item.ttl)) && item.ttl !== '1h' ? 0 : original(item)),
})
rule('ttl-zero', 'TF-TTL-01', 'a token with a ttl has ended at once', {
  expiresAt: (original) => (ttl, now) => (ttl === 0 ? original(ttl, now) : now - 1),
})
route(
  'ttl-decodes-on',
  'TF-TTL-02',
  'what has ended is decoded',
  'transform.decode',
  byRules(() => ({ isAlive: () => true })),
)
route(
  'ttl-valid-on',
  'TF-TTL-03',
  'what has ended is valid',
  'transform.validate',
  byRules(() => ({ isAlive: () => true })),
)
route(
  'ttl-tokenized-on',
  'TF-TTL-04',
  'what has ended counts as tokenized',
  'transform.tokenized',
  byRules(() => ({ isAlive: () => true })),
)
route(
  'ttl-object',
  'TF-TTL-05',
  'what is no ttl is left out',
  'transform.encode',
  requestBody((body) => (isNested(body.ttl) || body.ttl === 'soon' ? { ...body, ttl: 0 } : body)),
)
route(
  'ttl-of-first',
  'TF-TTL-06',
  'the first token of a value decides whether it is tokenized',
  'transform.tokenized',
  byRules((rules) => {
    const ended = new Set<string>()
    return {
      isAlive: (token, now) => {
        if (!rules.isAlive(token, now)) ended.add(token.value)
        return !ended.has(token.value) && rules.isAlive(token, now)
      },
    }
  }),
)
rule('token-lower', 'TF-TOKEN-01', 'values are kept in lower case', {
  sealed: (original) => (transformation, value, random) => original(transformation, value.toLowerCase(), random),
})
rule('token-cut', 'TF-TOKEN-01', 'values are cut after 4,096 characters', {
  sealed: (original) => (transformation, value, random) => original(transformation, value.slice(0, 4_096), random),
})
rule('token-trimmed', 'TF-TOKEN-01', 'white space around values is lost', {
  sealed: (original) => (transformation, value, random) => original(transformation, value.trim(), random),
})
rule('token-holds-hash', ['TF-TOKEN-02', 'TF-TOKEN-07'], 'a token is the digest of its value', {
  newToken: () => (_random, value) => createHash('sha256').update(value).digest('hex').slice(0, 40),
})
rule('token-holds-value', 'TF-TOKEN-02', 'a token ends with its value in base64', {
  newToken: (original) => (random, value) => original(random, value).slice(0, 8) + Buffer.from(value).toString('base64url').slice(0, 24),
})
rule('token-same', 'TF-TOKEN-03', 'a token has two characters', {
  newToken: () => (_random, value) => `t${createHash('sha256').update(value).digest()[0]! % 2}`,
})
rule('token-everywhere', 'TF-TOKEN-07', 'equal values have equal tokens under every transformation', {
  newToken: () => (_random, value) => createHash('sha512').update('fixed').update(value).digest('base64url').slice(0, 40),
})
const lastOwner = new Map<string, string>()
change('token-foreign', ['TF-TOKEN-04', 'TF-VALIDATE-02'], 'tokens of every transformation are taken', {
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
route('token-echo', 'TF-TOKEN-05', 'what is no token is decoded to itself', 'transform.decode', (original) => async (call) => {
  try {
    return await original(call)
  } catch (error) {
    if (error instanceof ApiError && error.message === 'no such token') return secret({ decoded_value: textOf(call.body, 'value') })
    throw error
  }
})
route('token-unknown-fails', 'TF-TOKEN-05', 'what is no token is an internal error', 'transform.decode', (original) => async (call) => {
  try {
    return await original(call)
  } catch (error) {
    if (error instanceof ApiError && error.message === 'no such token') throw error.with(500)
    throw error
  }
})
route(
  'valid-always-false',
  'TF-VALIDATE-01',
  'no token is valid',
  'transform.validate',
  replyData((data) => ('valid' in data ? { valid: false } : data)),
)
route(
  'valid-by-length',
  'TF-VALIDATE-03',
  'whatever is as long as a token is valid',
  'transform.validate',
  replyData((data, call) =>
    'valid' in data ? { valid: data.valid === true || /^[A-Za-z0-9]{40}$/.test(textOf(call.body, 'value')) } : data,
  ),
)
route('valid-refused', 'TF-VALIDATE-04', 'what is no token is refused', 'transform.validate', (original) => async (call) => {
  const reply = await original(call)
  if (dataOf(reply).valid === false) throw invalid('no such token')
  return reply
})
route(
  'tokenized-never',
  ['TF-TOKENIZED-01', 'TF-TTL-01'],
  'no value is tokenized',
  'transform.tokenized',
  replyData((data) => ('tokenized' in data ? { tokenized: false } : data)),
)
rule('tokenized-near', 'TF-TOKENIZED-02', 'values are compared without white space around them', {
  digestOf: (original) => (transformation, purpose, text) => original(transformation, purpose, purpose === 'value' ? text.trim() : text),
})
route(
  'tokenized-anything',
  'TF-TOKENIZED-02',
  'every value counts as tokenized',
  'transform.tokenized',
  replyData((data) => ('tokenized' in data ? { tokenized: true } : data)),
)
const everywhere = new Set<string>()
change('tokenized-elsewhere', 'TF-TOKENIZED-03', 'a value counts as tokenized where another transformation has it', {
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
change('tokenized-shows-token', 'TF-TOKENIZED-05', 'the answer holds the token', {
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
  ['validate', 'TF-VALIDATE-05', { valid: false }],
  ['tokenized', 'TF-TOKENIZED-04', { tokenized: false }],
  ['metadata', 'TF-METADATA-07', { metadata: '', expiration_time: null }],
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
  ['validate', 'TF-VALIDATE-09', { valid: false }],
  ['metadata', 'TF-METADATA-10', { metadata: '', expiration_time: null }],
] as const)
  route(
    `${question}-without-value`,
    clause,
    'without a value the answer is empty',
    `transform.${question}`,
    (original) => (call) => (call.body.value === undefined && call.body.batch_input === undefined ? secret({ ...hollow }) : original(call)),
  )
for (const [field, clause] of [
  ['value', 'TF-VALIDATE-06'],
  ['transformation', 'TF-VALIDATE-07'],
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
  'TF-VALIDATE-08',
  'an object as batch is answered',
  QUESTIONS.map((name) => `transform.${name}`),
  (original) => (call) =>
    isNested(call.body.batch_input) && !Array.isArray(call.body.batch_input) ? secret({ batch_results: [] }) : original(call),
)
for (const [question, role, transformation] of [
  ['validate', 'TF-ACCESS-14', 'TF-ACCESS-15'],
  ['tokenized', 'TF-ACCESS-16', 'TF-ACCESS-17'],
  ['metadata', 'TF-ACCESS-18', 'TF-ACCESS-19'],
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
rule('metadata-lost', 'TF-METADATA-01', 'metadata are not kept', { metadataOf: () => () => '' })
rule('metadata-first-pair', 'TF-METADATA-01', 'of metadata the first pair is kept', {
  metadataOf: (original) => (item) => original(item).split(',')[0]!,
})
route(
  'metadata-of-neighbour',
  ['TF-METADATA-01', 'TF-METADATA-03'],
  'a token has the metadata of the one before',
  'transform.encode',
  (original) => {
    let before = ''
    return (call) => {
      const metadata = before
      if (call.body.metadata !== undefined) before = textOf(call.body, 'metadata')
      return original(
        call.body.metadata === undefined || isNested(call.body.metadata) ? call : { ...call, body: { ...call.body, metadata } },
      )
    }
  },
)
const byValue = new Map<string, string>()
rule('metadata-of-value', 'TF-METADATA-03', 'the metadata of a value are those of its first token', {
  metadataOf: (original) => (item) => {
    const value = textOf(item, 'value')
    if (!byValue.has(value)) byValue.set(value, original(item))
    return byValue.get(value)!
  },
})
rule('expiration-now', 'TF-METADATA-02', 'expiration_time is when it is asked', {
  shownMetadata: (original) => (token) => ({ ...original(token), expiration_time: new Date().toISOString() }),
})
rule('expiration-hour', 'TF-METADATA-02', 'expiration_time is an hour off', {
  shownMetadata: (original) => (token) =>
    original({ ...token, expiresAt: token.expiresAt === undefined ? undefined : token.expiresAt + 3600 }),
})
rule('expiration-epoch', 'TF-METADATA-05', 'expiration_time is seconds since the epoch', {
  shownMetadata: (original) => (token) => ({ ...original(token), expiration_time: String(token.expiresAt ?? 0) }),
})
route(
  'metadata-unknown-last',
  'TF-METADATA-06',
  'what is no token shows the last metadata',
  ['transform.encode', 'transform.metadata'],
  (() => {
    let last = ''
    return (original) => async (call) => {
      if (typeof call.body.metadata === 'string') last = call.body.metadata
      try {
        return await original(call)
      } catch (error) {
        if (error instanceof ApiError && error.message === 'no such token') return secret({ metadata: last, expiration_time: null })
        throw error
      }
    }
  })(),
)
route('metadata-object', 'TF-METADATA-08', 'an object is no metadata', 'transform.encode', requestNestedAs('metadata', ''))
const tokenValues = new Map<string, string>()
change('valid-shows-value', 'TF-SECRET-04', 'validation shows the value', {
  routes: {
    'transform.encode': (original) => async (call) => {
      const reply = await original(call)
      if (typeof call.body.value === 'string') tokenValues.set(String(dataOf(reply).encoded_value), call.body.value)
      return reply
    },
    'transform.validate': replyData((data, call) => ({ ...data, of: tokenValues.get(textOf(call.body, 'value')) ?? '' })),
  },
})
const itemsTake = (field: string) =>
  requestItems((item, _index, body) => (body[field] === undefined ? item : { ...item, [field]: body[field] }))
route('batch-scalar-ttl', 'TF-BATCH-19', 'the scalar ttl goes before that of an item', 'transform.encode', itemsTake('ttl'))
route(
  'batch-default-ttl',
  'TF-BATCH-19',
  'an item without ttl takes the scalar one',
  'transform.encode',
  requestItems((item, _index, body) => (body.ttl === undefined ? item : { ttl: body.ttl, ...item })),
)
route(
  'batch-scalar-metadata',
  'TF-BATCH-20',
  'an item without metadata takes those beside the batch',
  'transform.encode',
  requestItems((item, _index, body) => (body.metadata === undefined ? item : { metadata: body.metadata, ...item })),
)
route(
  'batch-metadata-lost',
  'TF-BATCH-20',
  'metadata of items are dropped',
  'transform.encode',
  requestItems(({ metadata: _metadata, ...item }) => item),
)
const reversed = replyData<TransformCall>((data) =>
  Array.isArray(data.batch_results) ? { ...data, batch_results: [...(data.batch_results as JsonObject[])].reverse() } : data,
)
route('batch-tokens-reversed', 'TF-BATCH-21', 'items to decode are answered in reverse', 'transform.decode', reversed)
route(
  'batch-questions-empty',
  'TF-BATCH-22',
  'batches of questions are answered without results',
  QUESTIONS.map((name) => `transform.${name}`),
  replyData((data) => (Array.isArray(data.batch_results) ? {} : data)),
)
