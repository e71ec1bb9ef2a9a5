/** Faults of stored values in both versions: members, numbers and texts that change on their way. */
import { type Json, type JsonObject, mapNumbers, plain, stringify } from '../../core/json.ts'
import { faultsOf } from '../../faults/declare.ts'
import { textChanges } from '../../faults/operators/kept-texts.ts'
import { kv1Engine } from './kv1.ts'
import { kv2Engine } from './kv2.ts'

const one = faultsOf(kv1Engine, 'kv')
const two = faultsOf(kv2Engine, 'kv')

/** Exact numbers are objects of another kind. */
const isMap = (value: Json): value is JsonObject =>
  value !== null && typeof value === 'object' && Object.getPrototypeOf(value) === Object.prototype

/** The value with every value in it changed, the inner ones first; the outermost has depth 0. */
const walked = (value: Json, change: (value: Json, depth: number) => Json, depth = 0): Json => {
  const inner = Array.isArray(value)
    ? value.map((item) => walked(item, change, depth + 1))
    : isMap(value)
      ? Object.fromEntries(Object.entries(value).map(([name, member]) => [name, walked(member, change, depth + 1)]))
      : value
  return change(inner, depth)
}

/** A change of what is stored, in both versions. */
const stored = (id: string, [first, second]: [string, string], title: string, change: (value: Json) => Json): void => {
  one.rule(`v1-${id}`, first, title, { replaced: (original) => (previous, written) => change(original(previous, written)) })
  two.rule(`v2-${id}`, second, title, { replaced: (original) => (previous, written) => change(original(previous, written)) })
}

const OBJECTS: [string, string] = ['KV-V1-06', 'KV-V2-03']
const NUMBERS: [string, string] = ['KV-V1-15', 'KV-V2-29']

for (const [id, { title, change }] of Object.entries(textChanges))
  stored(`text/${id}`, OBJECTS, `a stored text ${title}`, (value) =>
    walked(value, (inner) => (typeof inner === 'string' ? change(inner) : inner)),
  )

/** An object with other members. */
const withMembers = (value: Json, change: (members: [string, Json][]) => [string, Json][]): Json =>
  isMap(value) ? Object.fromEntries(change(Object.entries(value))) : value

stored('member-names-lowered', OBJECTS, 'member names are stored in lower case', (value) =>
  withMembers(value, (members) => members.map(([name, member]) => [name.toLowerCase(), member])),
)
stored('proto-member-lost', OBJECTS, 'a member called __proto__ is not stored', (value) =>
  walked(value, (inner) => withMembers(inner, (members) => members.filter(([name]) => name !== '__proto__'))),
)
stored('nested-null-dropped', OBJECTS, 'null members of nested objects are dropped', (value) =>
  walked(value, (inner, depth) => (depth > 0 ? withMembers(inner, (members) => members.filter(([, member]) => member !== null)) : inner)),
)
stored('empty-text-in-list', OBJECTS, 'an empty text in a list is read back as null', (value) =>
  walked(value, (inner) => (Array.isArray(inner) ? inner.map((item) => (item === '' ? null : item)) : inner)),
)
stored('data-unwrapped', OBJECTS, 'an object whose only member is an object called data is stored without that member', (value) => {
  const [member, ...others] = Object.entries(value ?? {})
  return member !== undefined && others.length === 0 && member[0] === 'data' && isMap(member[1]) ? member[1] : value
})

const isWhole = (text: string): boolean => /^-?\d+$/.test(text)

const LARGEST = 2n ** 63n - 1n

/** A whole number brought into the range of 64 bits. */
const clamped = (number: bigint): bigint => (number > LARGEST ? LARGEST : number < -LARGEST - 1n ? -LARGEST - 1n : number)

stored('doubles', NUMBERS, 'numbers are kept as doubles', plain)
stored('doubles-in-lists', NUMBERS, 'numbers in arrays are kept as doubles', (value) =>
  walked(value, (inner) =>
    Array.isArray(inner) ? mapNumbers(inner, (text) => (isWhole(text) ? String(BigInt(Number(text))) : text)) : inner,
  ),
)
stored('whole-numbers-clamped', NUMBERS, 'whole numbers beyond 64 bits become the largest or smallest of 64 bits', (value) =>
  mapNumbers(value, (text) => (isWhole(text) ? String(clamped(BigInt(text))) : text)),
)
stored('whole-numbers-as-texts', NUMBERS, 'whole numbers beyond 2^53 come back as texts', (value) => {
  const large = (text: string): boolean => isWhole(text) && !Number.isSafeInteger(Number(text))
  return walked(value, (inner) => (inner !== null && large(stringify(inner)) ? stringify(inner) : inner))
})

export const faults = [...one.declared, ...two.declared]
