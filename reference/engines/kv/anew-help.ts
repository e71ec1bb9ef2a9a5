/** What faults in the files beside this one share. */
import type { Call } from '../../core/engine.ts'
import type { Json, JsonObject } from '../../core/json.ts'
import type { Reply } from '../../core/reply.ts'
import type { Asked } from '../../mutations/callers.ts'
import type { Kv1Rules } from './kv1.rules.ts'
import type { Kv1State } from './kv1.ts'

export type Kv1Call = Call<Kv1State, Kv1Rules>

type Handler<C> = (call: C) => Reply | Promise<Reply>

export const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype

export const deep = (value: Json, change: (value: Json) => Json): Json => {
  if (Array.isArray(value)) return change(value.map((item) => deep(item, change)))
  if (!isObject(value)) return change(value)
  return change(Object.fromEntries(Object.entries(value).map(([name, member]) => [name, deep(member, change)])))
}

export const withTexts = (value: Json, change: (text: string) => Json): Json =>
  deep(value, (part) => (typeof part === 'string' ? change(part) : part))

export const withMembers = (value: Json, change: (entries: [string, Json][]) => [string, Json][]): Json =>
  isObject(value) ? Object.fromEntries(change(Object.entries(value))) : value

export const afterwards =
  <C>(act: (call: C) => void) =>
  (original: Handler<C>): Handler<C> =>
  async (call) => {
    const given = await original(call)
    act(call)
    return given
  }

export const beforehand =
  <C>(act: (call: C) => void) =>
  (original: Handler<C>): Handler<C> =>
  (call) => {
    act(call)
    return original(call)
  }

export const pathOf = ({ params }: { params: Record<string, string> }): string => params.path ?? ''

const isKv1 = (call: Asked): boolean => call !== undefined && 'keyOf' in call.rules && 'absentDeleteStatus' in call.rules

export const isKv2 = (call: Asked): boolean => call !== undefined && 'nextVersion' in call.rules

export const isKv = (call: Asked): boolean => isKv1(call) || isKv2(call)
