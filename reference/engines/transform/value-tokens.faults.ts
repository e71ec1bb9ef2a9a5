/** Faults of tokens: what they hold, how long they live, their metadata, and the questions about them. */
import { createHash } from 'node:crypto'
import { secret } from '../../core/envelope.ts'
import { type ApiError, invalid } from '../../core/errors.ts'
import type { JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../faults/declare.ts'
import { insteadOfHandling, isNested, refusal, replyData } from '../../faults/wrappers.ts'
import type { TransformCall } from './batches.ts'
import { transformEngine } from './engine.ts'
import { after, beside, byRules, dataOf, overInternalStore, QUESTIONS } from './wrappers.ts'

const { rule, route, change, declared } = faultsOf(transformEngine)

const ENCODE = 'transform.encode'
const textIn = ({ body }: TransformCall): string => (typeof body.value === 'string' ? body.value : '')

/** What was encoded alone, by its token. */
const made = beside(() => new Map<string, { value: string; transformation: string; by: string }>())
const noting = after((state, _name, call, reply) => {
  const { encoded_value: token } = dataOf(reply)
  if (typeof token === 'string')
    made(state).set(token, { value: textIn(call), transformation: String(call.body.transformation), by: call.token?.accessor ?? '' })
})
/** The token of the request, or one of its value. */
const noted = (call: TransformCall) =>
  made(call.state).get(textIn(call)) ?? [...made(call.state).values()].find(({ value }) => value === textIn(call))

rule('token-is-digest', ['TRANSFORM-TOKEN-08', 'TRANSFORM-TOKEN-07'], 'a token is the digest of its value', {
  newToken: () => (_random, value) => createHash('sha256').update(value).digest('hex').slice(0, 40),
})
rule('token-holds-value', 'TRANSFORM-TOKEN-02', 'a token ends with its value in base64', {
  newToken: (original) => (random, value, transformation) =>
    original(random, value, transformation).slice(0, 8) + Buffer.from(value).toString('base64url').slice(0, 24),
})
rule('token-of-two', 'TRANSFORM-TOKEN-03', 'there are two tokens', {
  newToken: () => (_random, value) => `t${createHash('sha256').update(value).digest()[0]! % 2}`,
})
route(
  'tokens-of-one-key',
  ['TRANSFORM-TOKEN-09', 'TRANSFORM-VALIDATE-02'],
  'tokens of one transformation are tokens of every other of the mount',
  'transform.writeTokenization',
  after(({ transformations }, name) => {
    const other = [...transformations].find(([another, { type }]) => another !== name && type === 'tokenization')?.[1]
    if (other !== undefined) Object.assign(transformations.get(name)!, { key: other.key, cipher: other.cipher, id: other.id })
  }),
)
const isUnknown = ({ message }: ApiError): boolean => message === 'no such token'
const everywhere = new Map<string, string>()
route(
  'tokens-of-every-mount',
  'TRANSFORM-TOKEN-04',
  'a token of another mount is decoded',
  [ENCODE, 'transform.decode'],
  (original) => async (call) => {
    try {
      const reply = await original(call)
      const { encoded_value: token } = dataOf(reply)
      if (typeof token === 'string') everywhere.set(token, textIn(call))
      return reply
    } catch (cause) {
      const value = everywhere.get(textIn(call))
      if (value === undefined || !isUnknown(cause as ApiError)) throw cause
      return secret({ decoded_value: value })
    }
  },
)
change('metadata-of-cut-token', 'TRANSFORM-METADATA-06', 'a token that is cut short shows the metadata of the whole', {
  routes: {
    [ENCODE]: noting,
    'transform.metadata': (original) => (call) => {
      const whole = [...made(call.state).keys()].find((token) => token.slice(0, -1) === textIn(call))
      return original(whole === undefined ? call : { ...call, body: { ...call.body, value: whole } })
    },
  },
})
route(
  'token-unknown-fails',
  'TRANSFORM-TOKEN-05',
  'a text other than a token is an internal error',
  'transform.decode',
  refusal((refused) => (isUnknown(refused) ? refused.with(500) : refused)),
)
rule('max-ttl-without-ttl', 'TRANSFORM-MAXTTL-02', 'max_ttl counts only where a ttl is given', {
  tokenTtl: (original) => (requested, maximum) => (requested === 0 ? 0 : original(requested, maximum)),
})
rule('max-ttl-above', 'TRANSFORM-MAXTTL-03', 'a ttl above the maximum counts', {
  tokenTtl: () => (requested, maximum) => requested || maximum,
})
rule('ttl-at-maximum-endless', 'TRANSFORM-MAXTTL-03', 'a token whose ttl equals the maximum never ends', {
  tokenTtl: (original) => (requested, maximum) => (requested === maximum ? 0 : original(requested, maximum)),
})
rule('ttl-at-maximum-refused', 'TRANSFORM-MAXTTL-04', 'a ttl equal to max_ttl is refused', {
  tokenTtl: (original) => (requested, maximum) => {
    if (maximum > 0 && requested >= maximum) throw invalid('ttl is above max_ttl')
    return original(requested, maximum)
  },
})
rule('max-ttl-always', ['TRANSFORM-MAXTTL-04', 'TRANSFORM-MAXTTL-01'], 'every token lives as long as the maximum, or an hour', {
  tokenTtl: () => (_requested, maximum) => maximum || 3600,
})
rule('ttl-whole-minutes', 'TRANSFORM-TTL-02', 'tokens end at whole minutes only', {
  tokenTtl: (original) => (requested, maximum) => Math.ceil(original(requested, maximum) / 60) * 60,
})
rule('ttl-text-ignored', 'TRANSFORM-TTL-07', 'a ttl with a unit is ignored', {
  requestedTtl: (original) => (item) => (/[a-z]/.test(String(item.ttl)) && item.ttl !== '1h' ? 0 : original(item)),
})
rule('ttl-digits-ignored', 'TRANSFORM-TTL-07', 'a ttl of digits without a unit limits no time', {
  requestedTtl: (original) => (item) => (typeof item.ttl === 'string' && /^\d+$/.test(item.ttl) ? 0 : original(item)),
})
rule('ttl-over-at-once', 'TRANSFORM-TTL-01', 'a token with a ttl has ended at once', {
  expiresAt: (original) => (ttl, now) => (ttl === 0 ? original(ttl, now) : now - 1),
})
for (const [operation, clause] of [
  ['decode', 'TRANSFORM-TTL-02'],
  ['validate', 'TRANSFORM-TTL-03'],
  ['tokenized', 'TRANSFORM-TTL-04'],
] as const)
  route(
    `${operation}-ended`,
    clause,
    'what has ended counts',
    `transform.${operation}`,
    byRules(() => ({ isAlive: () => true })),
  )
const fiveSeconds = byRules(({ isAlive }) => ({ isAlive: (token, now) => isAlive(token, now - 5) }))
route('validate-five-seconds-more', 'TRANSFORM-TTL-03', 'what has ended is valid for five seconds more', 'transform.validate', fiveSeconds)
route(
  'tokenized-five-seconds-more',
  'TRANSFORM-TTL-04',
  'what has ended is tokenized for five seconds more',
  'transform.tokenized',
  fiveSeconds,
)
for (const [id, title, chosen] of [
  ['newest', 'newest', <T>(tokens: T[]) => tokens.slice(-1)],
  ['first', 'first', <T>(tokens: T[]) => tokens.slice(0, 1)],
] as const)
  route(
    `tokenized-by-${id}`,
    'TRANSFORM-TTL-06',
    `the ${title} token of a value decides whether it is tokenized`,
    'transform.tokenized',
    overInternalStore(({ byValue }) => ({
      byValue: async (owner, digests) => (await Promise.all(digests.map(async (digest) => chosen(await byValue(owner, [digest]))))).flat(),
    })),
  )
for (const [id, clause, part, title] of [
  ['end', 'TRANSFORM-TTL-06', 'expiresAt', 'the same end'],
  ['metadata', 'TRANSFORM-METADATA-03', 'metadata', 'its metadata'],
] as const)
  route(
    `new-token-sets-${id}`,
    clause,
    `a further token for a value gives the others ${title}`,
    ENCODE,
    overInternalStore(({ put, byValue }) => ({
      async put(tokens) {
        await put(tokens)
        for (const token of tokens)
          for (const other of await byValue(token.owner, [token.value])) Object.assign(other, { [part]: token[part] })
      },
    })),
  )

const inAnotherForm = (form: (time: string) => string | number) => ({
  shownMetadata: (original: (token: never) => JsonObject) => (token: { expiresAt: number | undefined }) => {
    const shown = original(token as never)
    return typeof shown.expiration_time === 'string' ? { ...shown, expiration_time: form(shown.expiration_time) } : shown
  },
})
rule(
  'expiration-epoch',
  'TRANSFORM-METADATA-05',
  'expiration_time is seconds since the epoch',
  inAnotherForm((time) => String(Date.parse(time) / 1000)),
)
rule(
  'expiration-local',
  'TRANSFORM-METADATA-05',
  'expiration_time has no offset',
  inAnotherForm((time) => time.replace('Z', '')),
)

route(
  'valid-by-length',
  'TRANSFORM-VALIDATE-03',
  'whatever is as long as a token is valid',
  'transform.validate',
  replyData((data, call) => ('valid' in data ? { valid: data.valid === true || textIn(call).length === 40 } : data)),
)
route(
  'valid-refused',
  'TRANSFORM-VALIDATE-04',
  'a text other than a token is refused',
  'transform.validate',
  after((_state, _name, _call, reply) => {
    if (dataOf(reply).valid === false) throw invalid('no such token')
  }),
)
change('tokenized-elsewhere', 'TRANSFORM-TOKENIZED-03', 'a value counts as tokenized where another transformation has it', {
  routes: {
    [ENCODE]: noting,
    'transform.tokenized': replyData((data, call) => ('tokenized' in data ? { tokenized: noted(call) !== undefined } : data)),
  },
})
for (const [question, clause, otherwise, forOthers, without, told] of [
  ['validate', 'VALIDATE-05', 'VALIDATE-09', 'VALIDATE-01', true, { valid: false }],
  ['tokenized', 'TOKENIZED-04', '', 'TOKENIZED-01', false, { tokenized: false }],
  ['metadata', 'METADATA-07', 'METADATA-10', 'METADATA-01', true, { metadata: '', expiration_time: null }],
] as const) {
  const operation = `transform.${question}`
  route(
    `${question}-of-every-type`,
    `TRANSFORM-${clause}`,
    'the question is answered for every type',
    operation,
    refusal((refused) => (refused.message.includes('tokenization only') ? secret({ ...told }) : refused)),
  )
  if (without)
    route(
      `${question}-without-value`,
      `TRANSFORM-${otherwise}`,
      'without a value the answer is empty',
      operation,
      insteadOfHandling<TransformCall>(
        () => secret({ ...told }),
        ({ body }) => body.value === undefined && body.batch_input === undefined,
      ),
    )
  change(`${question}-of-the-maker`, `TRANSFORM-${forOthers}`, 'the question is answered to the maker of a token only', {
    routes: {
      [ENCODE]: noting,
      [operation]: replyData((data, call) =>
        (noted(call)?.by ?? call.token?.accessor) === call.token?.accessor ? data : { ...data, ...told },
      ),
    },
  })
  change(`${question}-shows-value`, 'TRANSFORM-SECRET-04', 'the answer shows the value', {
    routes: { [ENCODE]: noting, [operation]: replyData((data, call) => ({ ...data, of: noted(call)?.value ?? '' })) },
  })
}
change('tokenized-shows-token', 'TRANSFORM-TOKENIZED-05', 'the answer holds the token', {
  routes: {
    [ENCODE]: noting,
    'transform.tokenized': replyData((data, call) => ({
      ...data,
      token: [...made(call.state)].find(([, { value }]) => value === textIn(call))?.[0] ?? '',
    })),
  },
})
route(
  'question-batch-object',
  'TRANSFORM-VALIDATE-08',
  'an object as batch is answered',
  QUESTIONS,
  insteadOfHandling<TransformCall>(
    () => secret({ batch_results: [] }),
    ({ body }) => isNested(body.batch_input) && !Array.isArray(body.batch_input),
  ),
)

export const faults = declared
