/** The request that the rules of all requests judge: they get it as their last argument, for faults and variants. */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Token } from './tokens.ts'

/** What is known of a request so far. */
export interface JudgedRequest {
  /** The verb that was sent. */
  method: string
  /** The path that was sent, below the API's base path. */
  path: string
  /** Type of the mount, or of the engine at a system path; undefined for the service's own routes, and before the request is located. */
  engine?: string | undefined
  /** Path of the mount with trailing slash. */
  mount?: string | undefined
  /** operationId; undefined before a route is found. */
  operation?: string | undefined
  caller?: Token | undefined
}

const judged = new AsyncLocalStorage<JudgedRequest>()

/** Runs what answers a request. */
export const judging = <T>(request: JudgedRequest, answer: () => T): T => judged.run(request, answer)

/** The request under way; an empty one outside of any. */
export const judgedRequest = (): JudgedRequest => judged.getStore() ?? { method: '', path: '' }
