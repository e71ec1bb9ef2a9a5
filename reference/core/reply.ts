/** What a handler answers. */
import type { Json } from './json.ts'

/** `body` is sent as JSON; `raw` as it is. */
export interface Reply {
  status: number
  body?: Json
  raw?: { contentType: string; bytes: Uint8Array }
  headers?: Record<string, string>
}
