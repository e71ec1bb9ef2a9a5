/** What the faults of these files share. */
import type { Call, Route } from '../../core/engine.ts'
import type { Json, JsonObject } from '../../core/json.ts'
import type { Mutation } from '../../core/mutation.ts'
import type { CoreRules } from '../../core/rules.ts'
import type { Asked } from '../../mutations/callers.ts'
import type { Kv1Rules } from './kv1.rules.ts'
import type { Kv1State } from './kv1.ts'
import type { Kv2Rules } from './kv2.rules.ts'
import type { Kv2State } from './records.ts'

export type Kv1Call = Call<Kv1State, Kv1Rules>
export type Kv2Call = Call<Kv2State, Kv2Rules>
export type Kv2Handle = Route<Kv2State, Kv2Rules>['handle']

export const VERSION_ROUTES = ['kv2.deleteVersions', 'kv2.undeleteVersions', 'kv2.destroyVersions']

/** The path of the object that a request is about. */
export const pathIn = ({ params }: { params: Record<string, string> }): string => params.path ?? ''

/** The same request, decided otherwise. */
export const deciding = <S, R extends object>(call: Call<S, R>, rules: Partial<R>): Call<S, R> => ({
  ...call,
  rules: { ...call.rules, ...rules },
})

/** A handler for which some decisions are made again with each request. */
export const decidedPerCall =
  (rulesFor: (call: Kv2Call) => Partial<Kv2Rules>) =>
  (original: Kv2Handle): Kv2Handle =>
  (call) =>
    original(deciding(call, rulesFor(call)))

/** Whether a value is an object; exact numbers are none. */
export const isRecord = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype

/** A value with every part of it changed, the inner ones first. */
const deep = (value: Json, change: (part: Json) => Json): Json => {
  if (Array.isArray(value)) return change(value.map((item) => deep(item, change)))
  if (!isRecord(value)) return change(value)
  return change(Object.fromEntries(Object.entries(value).map(([name, member]) => [name, deep(member, change)])))
}

/** A value with the texts in it changed, names of members left as they are. */
export const deepTexts = (value: Json, change: (text: string) => Json): Json =>
  deep(value, (part) => (typeof part === 'string' ? change(part) : part))

/** A value without some of the members of its objects, however deep. */
export const deepWithout = (value: Json, unwanted: (member: Json) => boolean): Json =>
  deep(value, (part) => (isRecord(part) ? Object.fromEntries(Object.entries(part).filter(([, member]) => !unwanted(member))) : part))

type Known = NonNullable<Asked>

/** Whether a request, seen by the conventions, is one to version 1. */
export const isKv1 = (call: Asked): call is Known => call !== undefined && 'absentDeleteStatus' in call.rules

/** Whether a request, seen by the conventions, is one to version 2. */
export const isKv2 = (call: Asked): call is Known => call !== undefined && 'conditionHolds' in call.rules

export const isKv = (call: Asked): call is Known => isKv1(call) || isKv2(call)

/** Whether a request is one below a part of a version 2 mount, such as `data`. */
export const isBelow = (call: Known, part: string): boolean => call.path.startsWith(`${call.mount.path}${part}/`)

const requests = new WeakMap<object, string>()
let latest: object | undefined

/** Overrides of core rules that notice requests to this engine, by their headers, which stay the same object. */
export const noticing = {
  effectivePath: (original) => (header, request, namespaces) => {
    latest = request.headers
    return original(header, request, namespaces)
  },
  pathBelow: (original) => (mount, path, type) => {
    if (latest !== undefined && /^kv[12]$/.test(type)) requests.set(latest, type)
    return original(mount, path, type)
  },
} satisfies Mutation<CoreRules, unknown>['rules']

/** Whether a request goes to this engine; needs `noticing`. */
export const toKv = ({ headers }: { headers: object }): boolean => requests.has(headers)

/** The version to which the request located last goes; holds until that request waits for the first time. */
export const located = (): string | undefined => (latest === undefined ? undefined : requests.get(latest))

export const here = (): boolean => located() !== undefined
