/** Words that the loose faults of key-value share: what a request is about, and changes deep inside of stored objects. */
import type { Json, JsonObject } from '../../core/json.ts'
import type { Asked } from '../../mutations/callers.ts'

export const isV1 = (call: Asked): boolean => call !== undefined && 'namesIn' in call.rules && !('nextVersion' in call.rules)

export const isV2 = (call: Asked): boolean => call !== undefined && 'namesIn' in call.rules && 'nextVersion' in call.rules

/** Whether a request is about one of the folders of version 2, such as `destroy`. */
export const isIn = (folder: string, call: Asked): boolean => isV2(call) && `/${call?.path}/`.includes(`/${folder}/`)

/** Exact numbers are leaves, not objects. */
export const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype

/** The value with every value in it changed, the inner ones first. */
export const mapped = (value: Json, change: (inner: Json) => Json): Json => {
  if (Array.isArray(value)) return change(value.map((item) => mapped(item, change)))
  if (!isObject(value)) return change(value)
  return change(Object.fromEntries(Object.entries(value).map(([name, member]) => [name, mapped(member, change)])))
}

/** The value with every text in it changed; names of members stay. */
export const mappedTexts = (value: Json, change: (text: string) => Json): Json =>
  mapped(value, (inner) => (typeof inner === 'string' ? change(inner) : inner))

/** The value without some members of its objects. */
export const mappedMembers = (value: Json, keep: (member: Json, name: string) => boolean): Json =>
  mapped(value, (inner) =>
    isObject(inner) ? Object.fromEntries(Object.entries(inner).filter(([name, member]) => keep(member, name))) : inner,
  )

/** The versions that a request names. */
export const namedVersions = ({ versions }: JsonObject): number[] =>
  (Array.isArray(versions) ? versions : typeof versions === 'string' ? versions.split(',') : []).map(Number)
