/** Faults that only a second caller sees: what one made is not what another has, though the role and the transformation allow both. */
import { createHash } from 'node:crypto'
import type { JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { transformEngine } from './engine.ts'
import { dataOf, withData, withRules } from './frank-help.ts'

const { route, change } = faultsOf(transformEngine)

route(
  'internal-tweak-of-the-caller',
  ['TRANSFORM-DECODE-01', 'TRANSFORM-FPE-05'],
  'an internal tweak is another one for each caller',
  ['transform.encode', 'transform.decode'],
  (original) => (call) => {
    const { internalTweak } = call.rules
    const own = createHash('sha256')
      .update(call.token?.accessor ?? '')
      .digest()
    return original(
      withRules(call, { internalTweak: (transformation) => internalTweak(transformation).map((byte, place) => byte ^ own[place]!) }),
    )
  },
)

type Handle = (typeof transformEngine.routes)[number]['handle']

const makers = remembered(() => new Map<string, string>())
const askedByMaker = (answer: string, told: JsonObject) => ({
  'transform.encode': (original: Handle): Handle => {
    return async (call) => {
      const reply = await original(call)
      const by = call.token?.accessor ?? ''
      makers(call.state)
        .set(String(dataOf(reply).encoded_value), by)
        .set(String(call.body.value), by)
      return reply
    }
  },
  [`transform.${answer}`]: (original: Handle): Handle => {
    return async (call) => {
      const reply = await original(call)
      const maker = makers(call.state).get(String(call.body.value))
      const isAnothers = maker !== undefined && maker !== call.token?.accessor
      return isAnothers ? withData(reply, { ...dataOf(reply), ...told }) : reply
    }
  },
})

for (const [answer, clause, told] of [
  ['validate', 'TRANSFORM-VALIDATE-01', { valid: false }],
  ['tokenized', 'TRANSFORM-TOKENIZED-01', { tokenized: false }],
  ['metadata', 'TRANSFORM-METADATA-01', { metadata: '' }],
] as const)
  change(`${answer}-of-the-maker`, clause, `the question ${answer} is answered as if there were nothing to all but the maker of a token`, {
    routes: askedByMaker(answer, told),
  })
