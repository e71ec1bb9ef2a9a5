/** How an engine of the reference server is written: routes, rules, state. */
import type { Clock } from './clock.ts'
import type { JsonObject } from './json.ts'
import type { Leases } from './leases.ts'
import type { OperatorSettings } from './operator.ts'
import type { Random } from './random.ts'
import type { Reply } from './reply.ts'
import type { Token } from './tokens.ts'

/** What engines may use of the server that they run in. */
export interface Services {
  clock: Clock
  random: Random
  leases: Leases
  /** What the operator has configured, as it stands now. */
  operator: Readonly<OperatorSettings>
  /** What a mount was tuned to, over all mounts of a namespace. */
  allowedManagedKeys(namespace: string): { mount: string; keys: string[] }[]
  /** The answer of a listing: names in any order, and further members of `data` such as `key_info`; 404 without names. */
  listing(names: Iterable<string>, more?: JsonObject): Reply
}

/** One request as a handler sees it: routed, authorised, its JSON body parsed. */
export interface Call<S, R> {
  /** `PUT` arrives as `POST`; `GET` with `list=true` as `LIST`. */
  method: string
  params: Record<string, string>
  /** Path within the namespace, mount included, without trailing slash. */
  path: string
  query: URLSearchParams
  /** Names in lower case. */
  headers: Record<string, string>
  body: JsonObject
  /** The body as it was sent, for what must keep numbers verbatim (see json.ts); `{}` where there was none. */
  text: string
  state: S
  rules: R
  /** `path` and `namespace` with trailing slash, lease times in seconds with the system's defaults applied. */
  mount: { path: string; namespace: string; defaultLeaseTtl: number; maxLeaseTtl: number }
  /** Undefined on unauthenticated routes. */
  token: Token | undefined
  services: Services
  /** Seconds since the epoch with fraction, from the server's clock. */
  now(): number
}

export interface Route<S, R> {
  /** operationId of the specs; faults and variants wrap handlers by it. */
  id: string
  method: 'GET' | 'POST' | 'LIST' | 'DELETE' | 'PATCH'
  /** Below the mount: `roles/:name`; `*path` takes the rest of the path, slashes included. */
  path: string
  unauthenticated?: boolean
  /** The caller's policy must grant `sudo` besides the operation's own capability. */
  sudo?: boolean
  /** Routes with an existence check: tells whether the write is an update; without it a write needs `update`. */
  exists?(call: Call<S, R>): boolean | Promise<boolean>
  handle(call: Call<S, R>): Reply | Promise<Reply>
}

/**
 * An engine: S is the state of one mount, R its record of rules. Every decision worth a fault or a variant is a small named
 * function in `rules`, and handlers reach it only through `call.rules`.
 */
export interface Engine<S = unknown, R extends object = object> {
  type: string
  /**
   * A path below `sys/` at which the engine serves instead of being mounted: one state per server, for the root and the administrative
   * namespace only.
   */
  systemPath?: string
  /** What a server's operator has to configure before the engine can do what it is for. */
  operator?: 'libraries' | 'cloud'
  rules: R
  newState(): S
  routes: Route<S, R>[]
  /** Releases what a mount holds: timers, connections, credentials in backends. */
  close?(state: S): Promise<void>
}
