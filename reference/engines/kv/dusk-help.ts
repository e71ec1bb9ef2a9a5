/** What the faults labelled dusk share: what is known of a request, changes of stored values. */
import type { Json, JsonObject } from '../../core/json.ts'
import type { Mutation } from '../../core/mutation.ts'
import type { CoreRules, RequestFacts } from '../../core/rules.ts'

/** A request to a key-value mount. */
interface KvRequest {
  type: string
  /** As sent: `PUT` is not yet `POST`. */
  method: string
  /** Path of the mount within its namespace, with trailing slash. */
  mount: string
  /** Namespace of the mount included. */
  effective: string
}

/** The requests to key-value mounts: nothing is known of others. The overrides `locating` belong to every fault that asks. */
export const kvRequests = () => {
  // Calls share the headers with their requests, which tells them apart while several are under way.
  const known = new WeakMap<object, KvRequest>()
  let asked: RequestFacts | undefined
  let effective = ''
  let latest: KvRequest | undefined
  return {
    of: (carrier: { headers: Record<string, string> } | undefined): KvRequest | undefined => carrier && known.get(carrier.headers),
    /** The request that was located last; holds until that request waits for the first time. */
    latest: (): KvRequest | undefined => latest,
    locating: {
      effectivePath: (original) => (header, request, namespaces) => {
        asked = request
        latest = undefined
        effective = original(header, request, namespaces)
        return effective
      },
      pathBelow: (original) => (mount, path, type) => {
        if (asked && /^kv[12]$/.test(type)) {
          latest = { type, method: asked.method, mount, effective }
          known.set(asked.headers, latest)
        }
        return original(mount, path, type)
      },
    } satisfies Mutation<CoreRules, unknown>['rules'],
  }
}

export const pathOf = ({ params }: { params: Record<string, string> }): string => params.path ?? ''

/** A JSON object; exact numbers are objects, too, but none with members. */
export const isMembers = (value: Json | undefined): value is JsonObject =>
  value !== null && typeof value === 'object' && Object.getPrototypeOf(value) === Object.prototype

/** The value with every value in it changed, inner ones first. */
export const mapDeep = (value: Json, change: (inner: Json) => Json): Json => {
  if (Array.isArray(value)) return change(value.map((item) => mapDeep(item, change)))
  if (!isMembers(value)) return change(value)
  return change(Object.fromEntries(Object.entries(value).map(([name, member]) => [name, mapDeep(member, change)])))
}

/** The value with every text in it changed. */
export const mapTexts = (value: Json, change: (text: string) => string): Json =>
  mapDeep(value, (inner) => (typeof inner === 'string' ? change(inner) : inner))
