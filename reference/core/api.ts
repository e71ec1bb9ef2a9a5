/** What the listener hands to an API, and what an API is. */
import type { Reply } from './reply.ts'

/** One HTTP request, its body read completely. */
export interface Request {
  /** As sent; the verb `LIST` included. */
  method: string
  /** Decoded path below the API's base path, without leading slash; a trailing slash is kept. */
  path: string
  query: URLSearchParams
  /** Names in lower case; repeated headers are joined by a comma. */
  headers: Record<string, string>
  body: Uint8Array
}

/** An API served beside others by one listener; the longest base path that fits gets the request. */
export interface Api {
  /** With leading and without trailing slash, e.g. `/v1`; empty takes every path. */
  basePath: string
  handle(request: Request): Promise<Reply>
}
