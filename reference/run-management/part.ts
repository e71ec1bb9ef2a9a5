/** How a part of the run-management API is written: routes and rules over one shared world. */

import type { Random } from '../core/random.ts'
import type { Reply } from '../core/reply.ts'
import type { Caller, World } from './world.ts'

/** One request as a handler sees it: routed and authenticated, its body not yet read. */
export interface PartCall<R> {
  params: Record<string, string>
  query: URLSearchParams
  headers: Record<string, string>
  body: Uint8Array
  /** Path of the request with the API's base path, for links. */
  path: string
  caller: Caller
  world: World
  rules: R
  random: Random
  /** Seconds since the epoch, from the server's clock. */
  now(): number
}

export interface PartRoute<R> {
  /** operationId of the specs; faults and variants wrap handlers by it. */
  id: string
  method: 'GET' | 'POST' | 'DELETE'
  path: string
  handle(call: PartCall<R>): Reply | Promise<Reply>
}

/** A part: policy checks, or agent tokens. Every decision worth a fault or a variant is a function in `rules`. */
export interface Part<R extends object> {
  type: string
  rules: R
  routes: PartRoute<R>[]
}
