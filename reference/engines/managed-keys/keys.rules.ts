/** Decisions about managed keys as they are stored: names, kinds, parameters. */
import { invalid } from '../../core/errors.ts'
import { flagOf, integerOf, textOf } from '../../core/fields.ts'
import type { Json, JsonObject } from '../../core/json.ts'
import { oneOf, parameters, required, shown, stated, USAGES } from './parameters.ts'
import { KINDS, type Kind, type ManagedKey } from './state.ts'

const LARGEST = (1n << 64n) - 1n
const FLAGS = ['allow_generate_key', 'allow_replace_key', 'allow_store_key', 'any_mount', 'force_rw_session']
const ECDSA = [0x1041, 0x1042, 0x1043, 0x1044, 0x1045, 0x1046]

export const keyRules = {
  kindOf: (text: string): Kind | undefined => KINDS.find((kind) => kind === text),
  /** Names are lower case; another one is refused. */
  nameAllowed: (name: string): boolean => name === name.toLowerCase(),
  storedName: (name: string): string => name,
  /** The key that a name stands for, whatever its kind. */
  named: (keys: Map<string, ManagedKey>, name: string): ManagedKey | undefined => keys.get(name),
  isTaken: (existing: ManagedKey | undefined, kind: Kind): boolean => existing !== undefined && existing.kind !== kind,
  fits: (key: ManagedKey, kind: Kind): boolean => key.kind === kind,
  listed: (key: ManagedKey, kind: Kind): boolean => key.kind === kind,
  listsOf: (kind: Kind): boolean => kind !== 'cloudckms',
  requiredOf: (kind: Kind): string[] => required[kind],
  oneOfOf: (kind: Kind): string[][] => oneOf[kind],
  statedOf: (kind: Kind): Record<string, string[]> => stated[kind],
  usages: (): string[] => USAGES,
  defaultOf: (kind: Kind, field: string): Json => parameters[kind][field]?.default ?? '',
  /** The value of a parameter as it is kept. Throws 400 where it cannot be one. */
  valueIn(kind: Kind, body: JsonObject, field: string, fallback: Json): Json {
    if (body[field] === undefined || body[field] === null) return fallback
    if (parameters[kind][field]?.type === 'flag') return flagOf(body, field, false)
    if (parameters[kind][field]?.type === 'integer') return integerOf(body, field, 0)
    const given = body[field]
    const isList = field === 'usages' && Array.isArray(given) && given.every((item) => typeof item === 'string')
    return isList ? given.join(',') : textOf(body, field)
  },
  /** A value is compared with its set; kinds and curves of keys in any case. */
  inSet: (value: string, set: string[], field: string): boolean => set.includes(field === 'key_type' ? value.toUpperCase() : value),
  mechanismOf(text: string): number {
    if (!/^0x[0-9a-f]+$/i.test(text) || BigInt(text) > LARGEST) throw invalid('mechanism must be a hexadecimal number prefixed 0x')
    return Number(text)
  },
  slotAllowed: (text: string): boolean => /^\d{1,20}$/.test(text) && BigInt(text) <= LARGEST,
  parallelAllowed: (calls: number): boolean => calls > 0,
  /** What a key of these parameters needs besides, for a key may have to be made, or for its type. */
  neededFor(kind: Kind, values: JsonObject): string[] {
    const generates = values.allow_generate_key === true
    const type = String(values.key_type ?? '').toUpperCase()
    if (kind === 'pkcs11')
      return !generates ? [] : ECDSA.includes(keyRules.mechanismOf(String(values.mechanism))) ? ['curve'] : ['key_bits']
    if (kind === 'cloudakms') return type === 'RSA' ? ['key_bits'] : generates ? ['curve'] : []
    return kind === 'cloudbkeyvault' && generates ? ['key_bits'] : []
  },
  /** What is kept of a key that is written again. */
  updated: (previous: ManagedKey | undefined, next: ManagedKey): ManagedKey => ({ ...next, uuid: previous?.uuid ?? next.uuid }),
  /** An update starts from what is there; parameters that it leaves out stay. */
  baseOf: (previous: ManagedKey | undefined): JsonObject => previous?.parameters ?? {},
  shownField(key: ManagedKey, field: string): Json {
    const value = key.parameters[field] ?? ''
    if (field === 'pin') return 'redacted'
    if (field === 'mechanism') return keyRules.mechanismOf(String(value))
    if (field === 'slot') return Number(value)
    return FLAGS.includes(field) ? String(value) : value
  },
  shownFields: (kind: Kind): string[] => [...new Set([...FLAGS.slice(0, 4), ...shown[kind]])],
  shownKey: (key: ManagedKey, fields: JsonObject): JsonObject => ({ UUID: key.uuid, name: key.name, type: key.kind, ...fields }),
  /** Whether a mount that lists the names hinders the deletion of a key. */
  hinders: (key: ManagedKey, names: string[]): boolean => names.includes(key.name),
  forgets: (_key: ManagedKey): boolean => true,
  /** Keys of one namespace are absent from every other. */
  keysIn: (namespaces: Map<string, Map<string, ManagedKey>>, namespace: string): Map<string, ManagedKey> => {
    const known = namespaces.get(namespace) ?? new Map<string, ManagedKey>()
    namespaces.set(namespace, known)
    return known
  },
}
