/** Faults of key-value, version 1, in members, items of lists, like keys and absent ones. */
import type { Json, JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { kv1Engine } from './kv1.ts'

const { rule, route } = faultsOf(kv1Engine, 'kv')

const isObject = (value: Json): value is JsonObject =>
  value !== null && typeof value === 'object' && Object.getPrototypeOf(value) === Object.prototype

/** The value with every item of its lists changed, at any depth. */
const withItems = (value: Json, changed: (item: Json) => Json): Json => {
  if (Array.isArray(value)) return value.map((item) => changed(withItems(item, changed)))
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withItems(member, changed)]))
}

rule('v1-empty-text-in-list', 'KV-V1-06', 'an empty text in a list is read back as null', {
  replaced: (original) => (previous, written) =>
    original(
      previous,
      withItems(written, (item) => (item === '' ? null : item)),
    ),
})

const withoutProto = (value: Json): Json => {
  if (Array.isArray(value)) return value.map(withoutProto)
  if (!isObject(value)) return value
  const kept = Object.entries(value).filter(([name]) => name !== '__proto__')
  return Object.fromEntries(kept.map(([name, member]) => [name, withoutProto(member)]))
}

rule('v1-proto-member-lost', 'KV-V1-06', 'a member called __proto__ is not stored', {
  replaced: (original) => (previous, written) => original(previous, withoutProto(written)),
})

route(
  'v1-absent-delete-takes-directory',
  'KV-V1-01',
  'the deletion of a key that is not there deletes the directory of that name',
  'kv1.delete',
  (original) => (call) => {
    const path = (call.params.path ?? '').replace(/\/$/, '')
    const below = [...call.state.objects.keys()].filter((key) => path !== '' && key.startsWith(`${path}/`))
    if (!call.state.objects.has(path)) for (const key of below) call.state.objects.delete(key)
    return original(call)
  },
)
