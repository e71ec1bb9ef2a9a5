/** What the faults of the key-value engine share: requests told apart by engine and verb, stored values changed piece by piece. */
import type { Call } from '../../core/engine.ts'
import type { Json, JsonObject } from '../../core/json.ts'
import type { Mutation } from '../../core/mutation.ts'
import type { CoreRules, RequestFacts } from '../../core/rules.ts'

type CoreOverrides = NonNullable<Mutation<CoreRules, unknown>['rules']>

interface Noted {
  /** As sent: PUT stays PUT. */
  method: string
  path: string
  namespaceHeader: string | undefined
  engine: string | undefined
}

const byHeaders = new WeakMap<object, Noted>()
let current: Noted | undefined

/** Overrides of core rules that also note, for each request, its verb and the engine that it goes to. */
export const noting = (rules: CoreOverrides): CoreOverrides => ({
  effectivePath: (original) => (header, request, namespaces) => {
    current = { method: request.method, path: request.path, namespaceHeader: header, engine: undefined }
    byHeaders.set(request.headers, current)
    return original(header, request, namespaces)
  },
  pathBelow: (original) => (mount, path, type) => {
    if (current) current.engine = type
    return original(mount, path, type)
  },
  ...rules,
})

/** The request that is being located and authenticated; these steps run without interruption. */
export const locating = (): Noted | undefined => current

const isKv = (engine: string | undefined): boolean => engine === 'kv1' || engine === 'kv2'

export const locatingKv = (): boolean => isKv(current?.engine)

/** What `noting` noted of a request or of the call made of it. */
export const notedOf = ({ headers }: Pick<RequestFacts, 'headers'>): Noted | undefined => byHeaders.get(headers)

export const isKvRequest = (request: Pick<RequestFacts, 'headers'>): boolean => isKv(notedOf(request)?.engine)

type AnyCall = Call<unknown, object>

export const isKv1 = (call: AnyCall | undefined): boolean => call !== undefined && 'absentDeleteStatus' in call.rules

export const isKv2 = (call: AnyCall | undefined): boolean => call !== undefined && 'conditionHolds' in call.rules

/** True for JSON objects; false for the opaque leaves of exact numbers. */
export const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype

/** The value with each of its parts changed, innermost first. */
export const mapped = (value: Json, change: (part: Json) => Json): Json => {
  if (Array.isArray(value)) return change(value.map((item) => mapped(item, change)))
  if (!isObject(value)) return change(value)
  return change(Object.fromEntries(Object.entries(value).map(([name, member]) => [name, mapped(member, change)])))
}

/** The value with the strings in it changed. */
export const withTexts = (value: Json, change: (text: string) => Json): Json =>
  mapped(value, (part) => (typeof part === 'string' ? change(part) : part))

/** The versions that a request names as numbers. */
export const namedVersions = (body: JsonObject): number[] =>
  Array.isArray(body.versions) ? body.versions.map(Number).filter(Number.isSafeInteger) : []
