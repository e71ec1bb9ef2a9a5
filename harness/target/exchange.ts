/** One request and its answer, in the contract's own words; and who sends it. */
import type { Json, JsonObject } from '../base/json.ts'

/** Who calls: `root` is the configured token, `none` sends no token, `wrong` a token that was never issued. */
export type Caller = 'root' | 'none' | 'wrong' | Identity
/** A token made or named for a purpose. Its value never appears in an artefact. */
export interface Identity {
  name: string
  token: string
  /** The name the service shows for this token, where it is known. */
  displayName?: string
}

/** The token of a configured caller, which may be renewed or replaced while the run goes on. */
export interface CallerToken {
  identity: Identity
  /** Runs the command that prints one; undefined where the token was given. */
  fetch?: () => Promise<string>
  /** The user has said what the service shows for the caller. */
  isNamed: boolean
  /** When it ends, in ms as `performance.now()` counts them; Infinity where it does not, or nobody tells. */
  ends: number
  /** Milliseconds that such a token lives in all, as far as that is known. */
  life: number
  renewable: boolean
}

/** A permission for one operation with its path parameters filled in (a trailing `*` in a value is a glob). */
export interface Grant {
  operation: string
  path?: Record<string, string>
  mount?: string
  /** Name of a mount, existing or not, instead of the operation's own mount; or a function that makes it from the name of that one. */
  mountName?: string | ((own: string) => string)
  /** True for everything below the mount, instead of the operation's path. */
  wholeMount?: boolean
  /** Path of a namespace with trailing slash, or made from that of the operation's own mount. */
  namespace?: string | ((own: string) => string)
  capabilities: Capability[]
  /** Which further policy of the caller's, from 1, beside the one that holds the other grants; where a target's callers have but one, that one. */
  apart?: number
}
export type Capability = 'create' | 'read' | 'update' | 'delete' | 'list' | 'sudo' | 'deny'

/** One request, in the contract's own words; the dialect spells it. */
export interface CallInput {
  /** Path parameters by name; a multi-segment parameter keeps its slashes. */
  path?: Record<string, string>
  query?: Record<string, string | string[]>
  /** JSON body. Undefined sends none. */
  body?: Json
  /** Bytes that replace the JSON body: for malformed input. */
  rawBody?: string | Uint8Array
  /** Extra headers, with the contract's names. */
  headers?: Record<string, string>
  as?: Caller
  /** Which of the API's token carriers to use; default is the first in the API description. */
  carrier?: string
  /** An alias of `Needs.mounts`; default: the check's own mount of the type, else the shared one. */
  mount?: string
  /** Namespace path without leading slash, e.g. `team/`; default the target's own. */
  namespace?: string
  /** Spell the namespace in the path instead of the header: how many leading segments go to the path; default 0. */
  namespaceInPath?: number
  /** A method other than the operation's: `PUT` for `POST`, `LIST` for a listing, or an undocumented one. */
  method?: string
  /** Text appended to the last path segment, e.g. `.`; or to the path as a whole. */
  pathSuffix?: string
  /** Milliseconds for the whole exchange; default the run's `--timeout`. */
  timeout?: number
  /**
   * True when the request is meant to break its own schema, or may because the target made a part of it that the contract says nothing of;
   * otherwise an invalid request is an internal error (errored).
   */
  invalid?: boolean
  /** True when the contract leaves the request open and it is sent only to observe: no schema judges the answer. What is secret in it is still learned. */
  observing?: boolean
}

/** The answer itself, of one that tells when it is looked into. */
export const UNWATCHED: unique symbol = Symbol('the answer itself')

/** One answer, in the contract's own words. */
export interface Answer {
  status: number
  /** Names in lower case. */
  headers: Record<string, string>
  /** Parsed JSON body in the contract's spelling; undefined where there is none or it is not JSON. */
  body: Json | undefined
  /** Body as text (decoded as UTF-8), as received. */
  text: string
  bytes: Uint8Array
  /** Number of the exchange within the check, for messages. */
  exchange: number
  operation: string
  /** Address that was asked, as sent: what references in the answer are relative to. */
  url?: string
  /** `body.data` when it is an object, else an empty object: most reads want it. */
  data: JsonObject
  ok: boolean
}
