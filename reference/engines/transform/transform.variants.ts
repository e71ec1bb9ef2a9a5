/** Legal alternatives of encryption, masking and batches. */
import { createHmac } from 'node:crypto'
import { empty } from '../../core/envelope.ts'
import { ApiError, invalid, notFound } from '../../core/errors.ts'
import { textOf } from '../../core/fields.ts'
import type { JsonObject } from '../../core/json.ts'
import { variantsOf } from '../../mutations/declare.ts'
import { replyData, replyInsteadOf204 } from '../../mutations/wrappers.ts'
import type { Cipher } from './cipher.ts'
import { transformEngine } from './engine.ts'
import { dataOf } from './wrappers.ts'

const { rule, route, change } = variantsOf(transformEngine)

const ROUNDS = 10

/** Another permutation of the domain: a Feistel network whose halves exchange their places, under HMAC. */
const otherCipher = (key: Uint8Array): Cipher => {
  const numberOf = (numerals: readonly number[], radix: number): bigint =>
    numerals.reduce((sum, one) => sum * BigInt(radix) + BigInt(one), 0n)
  const numeralsOf = (value: bigint, radix: number, length: number): number[] => {
    const numerals: number[] = []
    let rest = value
    for (let place = 0; place < length; place += 1) {
      numerals.unshift(Number(rest % BigInt(radix)))
      rest /= BigInt(radix)
    }
    return numerals
  }
  const step = (
    half: readonly number[],
    other: readonly number[],
    radix: number,
    tweak: Uint8Array,
    round: number,
    sign: bigint,
  ): number[] => {
    const mixed = createHmac('sha256', key)
      .update(tweak)
      .update(`${round} ${other.join(',')}`)
      .digest('hex')
    const modulus = BigInt(radix) ** BigInt(half.length)
    const sum = (numberOf(half, radix) + sign * (BigInt(`0x${mixed}`) % modulus)) % modulus
    return numeralsOf(sum < 0n ? sum + modulus : sum, radix, half.length)
  }
  const coded = (numerals: readonly number[], radix: number, tweak: Uint8Array, forward: boolean): number[] => {
    let [left, right] = [numerals.slice(0, numerals.length >> 1), numerals.slice(numerals.length >> 1)]
    for (let index = 0; index < ROUNDS; index += 1) {
      const round = forward ? index : ROUNDS - 1 - index
      if (round % 2 === 0) left = step(left, right, radix, tweak, round, forward ? 1n : -1n)
      else right = step(right, left, radix, tweak, round, forward ? 1n : -1n)
    }
    return [...left, ...right]
  }
  return {
    encrypt: (numerals, radix, tweak) => coded(numerals, radix, tweak, true),
    decrypt: (numerals, radix, tweak) => coded(numerals, radix, tweak, false),
  }
}

const writes = [
  'writeAlphabet',
  'writeTemplate',
  'writeTransformation',
  'writeFpe',
  'writeMasking',
  'writeTokenization',
  'writeRole',
  'deleteAlphabet',
  'deleteTemplate',
  'deleteTransformation',
  'deleteRole',
]

rule('other-cipher', 'the algorithm behind fpe is not named', 'another permutation of the domain encrypts', { cipher: () => otherCipher })
change('writes-200', 'success of a write without a stated status', 'writes answer 200 with an empty envelope', {
  routes: Object.fromEntries(writes.map((operation) => [`transform.${operation}`, replyInsteadOf204()])),
})
rule('delete-absent-404', 'deleting what is absent: 204, 200 or 404', 'deleting what is absent is answered with 404', {
  absentDeleteStatus: () => () => 404,
})
rule('unknown-role-400', 'unknown role in an action: 400 or 404', 'an unknown role is a bad request', {
  unknownRole: () => (name) => invalid(`no role ${name}`),
})
rule('decoded-items', 'batch decode items carry decoded_value or encoded_value', 'items to decode carry decoded_value', {
  shownDecodedItem: () => (value) => ({ decoded_value: value }),
})
route(
  'batch-fails-whole',
  'failing batch items in place: advised',
  'a batch with an item that fails is refused',
  ['transform.encode', 'transform.decode'],
  (original) => async (call) => {
    const reply = await original(call)
    const failed = ((dataOf(reply).batch_results ?? []) as JsonObject[]).find((result) => 'error' in result)
    if (failed !== undefined) throw new ApiError(400, String(failed.error))
    return reply
  },
)
rule('one-read-shape', 'one read shape for all types: fields foreign to a type', 'a read shows the fields of every type', {
  shownTransformation: (original) => (transformation) => ({
    templates: null,
    tweak_source: null,
    masking_character: null,
    mapping_mode: null,
    stores: [],
    ...original(transformation),
  }),
})
rule('groups-apart', 'several groups: open', 'each group is transformed alone', {
  replacedIn: (original) => (value, spans, transform) =>
    [...spans].reverse().reduce((text, span) => original(text, [span], transform), value),
})
rule('unmatched-returned', 'values that do not match: refused or returned', 'a value that does not match is returned as it is', {
  unmatched: () => (value) => value,
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
rule(
  'mask-decodes-to-itself',
  'decoding of what was masked is refused, or gives not the value',
  'decoding what was masked gives it as it is',
  { maskDecodable: () => () => true },
)
rule('url-safe-tweaks', 'the URL-safe spelling of base64: open', 'tweaks are taken in either spelling of base64', {
  tweakOf: (original) => (item) => original({ ...item, tweak: textOf(item, 'tweak').replaceAll('-', '+').replaceAll('_', '/') }),
})
rule('role-star', 'a star among allowed roles: open', 'a star stands for any role', {
  transformationAllows: (original) => (transformation, role) => transformation.allowedRoles.includes('*') || original(transformation, role),
})
route(
  'foreign-fields-refused',
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
  'internal-tweak-refused',
  'a tweak with source internal: open',
  'a tweak that nobody asked for is refused',
  'transform.encode',
  (original) => (call) => {
    const [only] = call.state.roles.get(call.params.role_name ?? '') ?? []
    const source = call.state.transformations.get(textOf(call.body, 'transformation') || (only ?? ''))?.tweakSource
    if (call.body.tweak !== undefined && source === 'internal') throw invalid('tweak is not taken')
    return original(call)
  },
)
route(
  'tweak-always-shown',
  'further members of answers',
  'an answer shows the tweak that was used',
  'transform.encode',
  replyData((data, call) => ('encoded_value' in data && typeof call.body.tweak === 'string' ? { ...data, tweak: call.body.tweak } : data)),
)
route(
  'empty-batch-refused',
  'an empty batch: open',
  'an empty batch is refused',
  ['transform.encode', 'transform.decode'],
  (original) => (call) => {
    if (Array.isArray(call.body.batch_input) && call.body.batch_input.length === 0) throw invalid('batch_input is empty')
    return original(call)
  },
)
route(
  'no-role-404',
  'what a role may not: 4xx',
  'what a role may not is not found',
  ['transform.encode', 'transform.decode'],
  (original) => async (call) => {
    try {
      return await original(call)
    } catch (error) {
      if (error instanceof ApiError && /may not use|does not allow|no transformation/.test(error.message)) throw notFound(error.message)
      throw error
    }
  },
)

rule('ttl-refused', 'ttl above max_ttl: refused or capped', 'a ttl above the maximum is refused', {
  tokenTtl: (original) => (requested, maximum) => {
    if (maximum > 0 && requested > maximum) throw invalid('ttl is above the maximum')
    return original(requested, maximum)
  },
})
rule('metadata-spaced', 'a string of key=value pairs, whatever their order', 'metadata come back sorted, with white space between', {
  shownMetadata: (original) => (token) => ({ ...original(token), metadata: token.metadata.split(',').sort().join(', ') }),
})
rule('expiration-offset', 'RFC 3339, Z or offset', 'expiration_time has an offset', {
  shownMetadata: (original) => (token) => {
    const shown = original(token)
    return token.expiresAt === undefined
      ? shown
      : { ...shown, expiration_time: new Date((token.expiresAt + 3600) * 1000).toISOString().replace('Z', '+01:00') }
  },
})
route(
  'invalid-token-404',
  'what is no token: refused',
  'what is no token is not found',
  ['transform.decode', 'transform.metadata'],
  (original) => async (call) => {
    try {
      return await original(call)
    } catch (error) {
      if (error instanceof ApiError && error.message === 'no such token') throw notFound(error.message)
      throw error
    }
  },
)
route(
  'tokenization-store-first',
  'when the store is looked up is not said',
  'an unknown store is refused when it is written',
  'transform.writeTokenization',
  (original) => (call) => {
    if (Array.isArray(call.body.stores) && call.body.stores.some((name) => name !== 'builtin/internal')) throw invalid('unknown store')
    return original(call)
  },
)
