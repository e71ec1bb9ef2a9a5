/** Faults of tweaks, given, generated and internal. */
import { ApiError } from '../../core/errors.ts'
import { textOf } from '../../core/fields.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { replyDataWithout } from '../../mutations/wrappers.ts'
import { transformEngine } from './engine.ts'
import { CODING, dataOf } from './wrappers.ts'

const { rule, route } = faultsOf(transformEngine)

route(
  'decode-last-tweak',
  'TRANSFORM-TWEAK-02',
  'without a tweak the last one is used',
  CODING,
  (() => {
    let last = ''
    return (original) => (call) => {
      const tweak = textOf(call.body, 'tweak')
      if (tweak !== '') last = tweak
      return original(tweak === '' && call.body.batch_input === undefined ? { ...call, body: { ...call.body, tweak: last } } : call)
    }
  })(),
)
rule('tweak-long-cut', ['TRANSFORM-TWEAK-04', 'TRANSFORM-TWEAK-05'], 'a longer tweak is cut to seven bytes', {
  tweakOf: (original) => (item) => {
    const bytes = Buffer.from(textOf(item, 'tweak'), 'base64')
    return bytes.length > 7 ? bytes.subarray(0, 7) : original(item)
  },
})
rule('tweak-text-length', ['TRANSFORM-TWEAK-03', 'TRANSFORM-TWEAK-04'], 'seven characters are counted instead of seven bytes', {
  tweakOf: () => (item) => {
    const text = Buffer.from(textOf(item, 'tweak'))
    if (text.length < 7) throw new ApiError(400, 'tweak is too short')
    return text.subarray(0, 7)
  },
})
rule('tweak-lenient', 'TRANSFORM-TWEAK-06', 'characters that are not base64 are skipped', {
  tweakOf: () => (item) => Uint8Array.from({ length: 7 }, (_, place) => Buffer.from(textOf(item, 'tweak'), 'base64')[place] ?? 0),
})
route('tweak-of-no-use', 'TRANSFORM-TWEAK-03', 'a tweak of zeros counts as none', CODING, (original) => (call) => {
  if (call.body.tweak === 'AAAAAAAAAAA='.slice(0, 10) + '==') throw new ApiError(400, 'tweak is missing')
  return original(call)
})
route('generated-not-returned', 'TRANSFORM-TWEAK-07', 'the generated tweak is not returned', 'transform.encode', replyDataWithout('tweak'))
rule('generated-short', 'TRANSFORM-TWEAK-07', 'a byte is missing in the returned tweak', {
  shownTweak: (original) => (tweak) => original(tweak.subarray(1)),
})
rule('generated-fixed', 'TRANSFORM-TWEAK-08', 'the generated tweak is always the same', {
  generatedTweak: () => () => Uint8Array.of(1, 2, 3, 4, 5, 6, 7),
})
rule('generated-other', 'TRANSFORM-TWEAK-10', 'another tweak is returned than was used', {
  shownTweak: (original) => (tweak) => original(Uint8Array.from(tweak).reverse()),
})
route(
  'generated-remembered',
  'TRANSFORM-TWEAK-09',
  'what was generated is found again without the caller',
  CODING,
  (() => {
    const tweaks = new Map<string, string>()
    return (original) => async (call) => {
      const known = tweaks.get(textOf(call.body, 'value'))
      const reply = await original(
        known !== undefined && call.body.tweak === undefined ? { ...call, body: { ...call.body, tweak: known } } : call,
      )
      const { encoded_value: encoded, tweak } = dataOf(reply)
      if (typeof tweak === 'string') tweaks.set(String(encoded), tweak)
      return reply
    }
  })(),
)
rule('internal-asks', 'TRANSFORM-TWEAK-11', 'a transformation with internal tweaks asks for one', {
  internalTweak: () => () => {
    throw new ApiError(400, 'tweak is missing')
  },
})
rule('internal-fresh', ['TRANSFORM-TWEAK-11', 'TRANSFORM-TWEAK-12'], 'an internal tweak is another one each time', {
  internalTweak: () => () => Uint8Array.from({ length: 7 }, () => Math.floor(Math.random() * 256)),
})
route(
  'tweak-default',
  'TRANSFORM-TWEAK-01',
  'without a tweak zeros are used',
  'transform.encode',
  (original) => (call) => original(call.body.batch_input === undefined ? { ...call, body: { tweak: 'AAAAAAAAAA==', ...call.body } } : call),
)
