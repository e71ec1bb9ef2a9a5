/** What the blind faults beside this file share. */
import { type Json, parseExact, stringify } from '../../core/json.ts'
import type { Asked } from '../../mutations/callers.ts'
import { isObject } from './anew-help.ts'
import type { Kv1Rules } from './kv1.rules.ts'
import type { Kv2Call } from './kv2-data.ts'

type Replaced = Kv1Rules['replaced']

export const storing = (change: (written: Json, previous: Json | undefined) => Json): { replaced: (original: Replaced) => Replaced } => ({
  replaced: (original) => (previous, written) => original(previous, change(written, previous)),
})

export const isFirst = (call: Asked): call is NonNullable<Asked> => call !== undefined && 'absentDeleteStatus' in call.rules

export const isSecond = (call: Asked): call is NonNullable<Asked> => call !== undefined && 'nextVersion' in call.rules

export const pathBelow = (call: NonNullable<Asked>): string => call.path.slice(call.mount.path.length)

export const directoryOf = (path: string): string => path.slice(0, path.lastIndexOf('/') + 1)

export const baseOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

export const parentsOf = (path: string): string[] => {
  const segments = path.split('/')
  return segments.slice(1).map((_, index) => segments.slice(0, index + 1).join('/'))
}

export const choosing = (call: Kv2Call, chosen: Kv2Call['rules']['chosen']): Kv2Call => ({ ...call, rules: { ...call.rules, chosen } })

export const versionAt = (call: Kv2Call, path: string) => {
  const record = call.state.keys.get(path)
  return record?.versions.get(record.current)
}

export const asTyped = (text: string): Json => (/^(true|false|-?(0|[1-9]\d*))$/.test(text) ? parseExact(text) : text)

export const shallowBelow = (value: Json, depth: number): Json => {
  if (depth === 0) return typeof value === 'object' && value !== null ? stringify(value) : value
  if (Array.isArray(value)) return value.map((item) => shallowBelow(item, depth - 1))
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, shallowBelow(member, depth - 1)]))
}

export const expanded = (value: Json): Json => {
  if (!isObject(value)) return value
  const result: { [key: string]: Json } = {}
  for (const [name, member] of Object.entries(value)) {
    const at = name.indexOf('.')
    if (at <= 0 || at === name.length - 1) result[name] = member
    else {
      const outer = result[name.slice(0, at)]
      const inner = expanded({ [name.slice(at + 1)]: member })
      result[name.slice(0, at)] = isObject(outer) && isObject(inner) ? { ...outer, ...inner } : inner
    }
  }
  return result
}
