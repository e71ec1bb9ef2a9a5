/** Faults of encoding and decoding: names of members, bodies, secrets. */
import { secret } from '../../core/envelope.ts'
import { ApiError } from '../../core/errors.ts'
import { textOf } from '../../core/fields.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { insteadOfRefusal, refusal, replyData, requestNestedAs } from '../../mutations/wrappers.ts'
import { transformEngine } from './engine.ts'
import { byRules, CODING, dataOf } from './wrappers.ts'

const { rule, route } = faultsOf(transformEngine)

route(
  'encode-named-otherwise',
  'TRANSFORM-ENCODE-01',
  'the encoded value stands under value',
  'transform.encode',
  replyData(({ encoded_value: value, ...rest }) => (value === undefined ? rest : { value, ...rest })),
)
route(
  'decode-named-otherwise',
  'TRANSFORM-DECODE-01',
  'the decoded value stands under value',
  'transform.decode',
  replyData(({ decoded_value: value, ...rest }) => (value === undefined ? rest : { value, ...rest })),
)
for (const operation of CODING) {
  const action = operation.split('.')[1]!
  const topic = action.toUpperCase()
  const coding = (tweak: string): string => (action === 'encode' ? 'TRANSFORM-TWEAK-15' : tweak)
  route(
    `${action}-without-value`,
    `TRANSFORM-${topic}-02`,
    'without a value an empty one is coded',
    operation,
    (original) => (call) =>
      call.body.value === undefined && call.body.batch_input === undefined ? secret({ [`${action}d_value`]: '' }) : original(call),
  )
  route(
    `${action}-value-object`,
    `TRANSFORM-${topic}-03`,
    'an object is coded as a text',
    operation,
    insteadOfRefusal(
      () => secret({ [`${action}d_value`]: 'object' }),
      ({ body }) => typeof body.value === 'object',
    ),
  )
  route(
    `${action}-transformation-object`,
    `TRANSFORM-${topic}-04`,
    'an object for transformation is left out',
    operation,
    requestNestedAs('transformation'),
  )
  route(
    `${action}-tweak-object`,
    coding('TRANSFORM-TWEAK-16'),
    'an object for tweak is coded with',
    operation,
    requestNestedAs('tweak', 'AAAAAAAAAA=='),
  )
  route(
    `${action}-without-tweak`,
    action === 'encode' ? 'TRANSFORM-TWEAK-01' : 'TRANSFORM-TWEAK-05',
    'a tweak that is missing or short is filled with zeros',
    operation,
    byRules((rules) => ({
      tweakOf: (item) => {
        const bytes = Buffer.from(textOf(item, 'tweak'), 'base64')
        return bytes.length > 7 ? rules.tweakOf(item) : Uint8Array.from({ length: 7 }, (_, place) => bytes[place] ?? 0)
      },
    })),
  )
}
route(
  'value-in-refusal',
  'TRANSFORM-SECRET-01',
  'a refusal repeats the value',
  CODING,
  refusal((refused, { body }) => new ApiError(refused.status, `${refused.message}: ${body.value}`)),
)
route(
  'value-in-read',
  'TRANSFORM-SECRET-02',
  'a read of a transformation shows the last value',
  ['transform.encode', 'transform.readTransformation'],
  (() => {
    let last = ''
    return (original) => async (call) => {
      if (typeof call.body.value === 'string') last = call.body.value
      const reply = await original(call)
      return call.method === 'GET' ? replyData(() => ({ ...dataOf(reply), last }))(() => reply)(call) : reply
    }
  })(),
)
route('strange-text-fails', 'TRANSFORM-SECRET-03', 'a character beyond 16 bits is an internal error', CODING, (original) => (call) => {
  if (textOf({ value: typeof call.body.value === 'string' ? call.body.value : '' }, 'value').length > 500_000)
    throw new ApiError(500, 'internal error')
  return original(call)
})
rule('pattern-folds-case', 'TRANSFORM-ENCODE-06', 'a pattern matches capitals as small letters', {
  spansOf: (original) => (pattern, value) => original(`(?i)${pattern}`, value),
})
rule('metadata-in-tweak', 'TRANSFORM-ENCODE-07', 'metadata take part in the encryption', {
  tweakOf: (original) => (item) => original(item).map((byte) => (item.metadata === undefined ? byte : byte ^ 1)),
})
