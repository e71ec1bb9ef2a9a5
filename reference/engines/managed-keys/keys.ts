/** `sys/managed-keys/:type/:name`: keys are written, read, listed and deleted. */
import type { Call, Route } from '../../core/engine.ts'
import { bare, empty } from '../../core/envelope.ts'
import { ApiError, invalid, notFound } from '../../core/errors.ts'
import type { Json, JsonObject } from '../../core/json.ts'
import type { Reply } from '../../core/reply.ts'
import { parameters } from './parameters.ts'
import type { ManagedKeyRules } from './rules.ts'
import { KINDS, type Kind, type ManagedKey, type ManagedKeysState } from './state.ts'

export type KeyCall = Call<ManagedKeysState, ManagedKeyRules>

const kindOf = (call: KeyCall, text = call.params.type ?? ''): Kind => {
  const kind = call.rules.kindOf(text)
  if (kind === undefined) throw notFound(`${text} is not a kind of managed keys`)
  return kind
}

const keysOf = (call: KeyCall): Map<string, ManagedKey> => call.rules.keysIn(call.state.namespaces, call.mount.namespace)

/** The key that a path names. Throws 404 where there is none of that kind and name. */
export const keyOf = (call: KeyCall): ManagedKey => {
  const kind = kindOf(call)
  const key = call.rules.named(keysOf(call), call.params.name ?? '')
  if (key === undefined || !call.rules.fits(key, kind)) throw notFound(`there is no key ${call.params.name} of kind ${kind}`)
  return key
}

const requireStated = ({ rules, body }: KeyCall, kind: Kind, values: JsonObject): void => {
  for (const [field, set] of Object.entries(rules.statedOf(kind))) {
    const value = String(values[field])
    if (body[field] !== undefined && !['', '0'].includes(value) && !rules.inSet(value, set, field))
      throw invalid(`${field} must be one of ${set.join(', ')}`)
  }
  const usages = String(values.usages)
    .split(',')
    .map((usage) => usage.trim())
  const unknown = usages.find((usage) => !rules.usages().includes(usage))
  if (unknown !== undefined) throw invalid(`usages: ${unknown} is none`)
}

/** A parameter that was given, and as more than an empty text. */
const has = (values: JsonObject, field: string): boolean => !['', 0, undefined].includes(values[field] as Json as string)

const requireComplete = ({ rules }: KeyCall, kind: Kind, values: JsonObject): void => {
  for (const field of rules.requiredOf(kind)) if (!has(values, field)) throw invalid(`${field} is required`)
  for (const group of rules.oneOfOf(kind))
    if (!group.some((field) => has(values, field))) throw invalid(`one of ${group.join(' and ')} is required`)
  if (kind === 'pkcs11') {
    rules.mechanismOf(String(values.mechanism))
    if (has(values, 'slot') && !rules.slotAllowed(String(values.slot))) throw invalid('slot must be a decimal number')
    if (!rules.parallelAllowed(Number(values.max_parallel))) throw invalid('max_parallel must be positive')
  }
  for (const field of rules.neededFor(kind, values)) if (!has(values, field)) throw invalid(`${field} is required here`)
}

const write =
  (kind: Kind) =>
  (call: KeyCall): Reply => {
    const { rules, body } = call
    const name = call.params.name ?? ''
    if (!rules.nameAllowed(name)) throw invalid('the name must be in lower case')
    const keys = keysOf(call)
    const existing = rules.named(keys, rules.storedName(name))
    if (rules.isTaken(existing, kind)) throw invalid(`a key of another kind is called ${name}`)
    const previous = existing?.kind === kind ? existing : undefined
    const base = rules.baseOf(previous)
    const values: JsonObject = {}
    for (const field of Object.keys(parameters[kind]))
      values[field] = rules.valueIn(kind, body, field, base[field] ?? rules.defaultOf(kind, field))
    for (const field of ['name', 'type'])
      if (typeof body[field] === 'object' && body[field] !== null) throw invalid(`${field} must be a string`)
    requireStated(call, kind, values)
    requireComplete(call, kind, values)
    const stored = rules.storedName(name)
    const key = { uuid: call.services.random.uuid(), kind, name: stored, parameters: values }
    keys.set(stored, rules.updated(previous, key))
    return empty()
  }

const read = (call: KeyCall): Reply => {
  const { rules } = call
  const key = keyOf(call)
  const fields = Object.fromEntries(rules.shownFields(key.kind).map((field) => [field, rules.shownField(key, field)]))
  return bare(rules.shownKey(key, fields))
}

const list = (call: KeyCall): Reply => {
  const kind = kindOf(call)
  const names = [...keysOf(call).values()].filter((key) => call.rules.listed(key, kind)).map(({ name }) => name)
  if (names.length === 0 || !call.rules.listsOf(kind)) throw new ApiError(404)
  return bare({ keys: names.sort() })
}

const remove = (call: KeyCall): Reply => {
  const { rules, services } = call
  const keys = keysOf(call)
  const key = rules.named(keys, call.params.name ?? '')
  if (key === undefined || !rules.fits(key, kindOf(call))) return empty()
  const listing = services.allowedManagedKeys(call.mount.namespace).find(({ keys: names }) => rules.hinders(key, names))
  if (listing !== undefined) throw invalid(`the mount ${listing.mount} lists this key`)
  if (rules.forgets(key)) keys.delete(key.name)
  return empty()
}

const operationOf = (kind: Kind): string => `managedKeys.write${kind[0]?.toUpperCase()}${kind.slice(1)}`

export const keyRoutes: Route<ManagedKeysState, ManagedKeyRules>[] = [
  ...KINDS.map((kind) => ({ id: operationOf(kind), method: 'POST' as const, path: `${kind}/:name`, handle: write(kind) })),
  { id: 'managedKeys.list', method: 'LIST', path: ':type', handle: list },
  { id: 'managedKeys.read', method: 'GET', path: ':type/:name', handle: read },
  { id: 'managedKeys.delete', method: 'DELETE', path: ':type/:name', handle: remove },
]
