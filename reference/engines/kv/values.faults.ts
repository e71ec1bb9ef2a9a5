/** Faults of stored values: members, numbers and texts that change on their way. */
import { type Json, type JsonObject, mapNumbers } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { kv1Engine } from './kv1.ts'
import { kv2Engine } from './kv2.ts'

const one = faultsOf(kv1Engine, 'kv')

const two = faultsOf(kv2Engine, 'kv')

const isMap = (value: Json): value is JsonObject =>
  value !== null && typeof value === 'object' && Object.getPrototypeOf(value) === Object.prototype

/** The value with the members of its objects changed, from the inside out; exact numbers stay what they are. */
const walked = (value: Json, change: (value: Json, depth: number) => Json, depth = 0): Json => {
  if (Array.isArray(value))
    return change(
      value.map((item) => walked(item, change, depth + 1)),
      depth,
    )
  if (!isMap(value)) return change(value, depth)
  return change(Object.fromEntries(Object.entries(value).map(([name, member]) => [name, walked(member, change, depth + 1)])), depth)
}

const withoutMembers = (value: Json, unwanted: (member: Json) => boolean): Json =>
  isMap(value) ? Object.fromEntries(Object.entries(value).filter(([, member]) => !unwanted(member))) : value

one.rule('shape-numbers-in-arrays', ['KV-V1-06', 'KV-V1-15'], 'numbers in arrays are kept as doubles', {
  replaced: (original) => (previous, written) =>
    walked(original(previous, written), (value) =>
      Array.isArray(value) ? mapNumbers(value, (text) => (/^-?\d+$/.test(text) ? BigInt(Number(text)).toString() : text)) : value,
    ),
})
two.rule('shape-nested-null', 'KV-V2-03', 'null members of nested objects are dropped', {
  replaced: (original) => (previous, written) =>
    walked(original(previous, written), (value, depth) => (depth > 0 ? withoutMembers(value, (member) => member === null) : value)),
})
two.rule('shape-text-end-trimmed', 'KV-V2-03', 'blanks and line ends at the end of text values are dropped', {
  replaced: (original) => (previous, written) =>
    walked(original(previous, written), (value) => (typeof value === 'string' ? value.trimEnd() : value)),
})
one.rule('boundary-empty-text', 'KV-V1-06', 'members that are empty text are not stored', {
  replaced: (original) => (previous, written) => withoutMembers(original(previous, written), (member) => member === ''),
})
