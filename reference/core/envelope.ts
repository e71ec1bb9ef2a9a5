/** Bodies of answers: the envelope around secrets, listings, and empty answers. */
import type { Json, JsonObject } from './json.ts'
import type { Reply } from './reply.ts'

/** What an envelope shows of a lease. */
export interface LeaseShown {
  id: string
  /** Seconds. */
  ttl: number
  renewable: boolean
}

/**
 * A 200 answer with `data` in the envelope of secret-style responses. The server fills in `request_id`.
 * @param lease the lease of the credential in `data`, where there is one
 */
export const secret = (
  data: JsonObject | null,
  lease?: LeaseShown,
  more: { warnings?: Json; auth?: JsonObject; status?: number } = {},
): Reply => ({
  status: more.status ?? 200,
  body: {
    request_id: '',
    lease_id: lease?.id ?? '',
    renewable: lease?.renewable ?? false,
    lease_duration: Math.floor(lease?.ttl ?? 0),
    data,
    wrap_info: null,
    warnings: more.warnings ?? null,
    auth: more.auth ?? null,
  },
})

/** The answer of a write that returns nothing: 204. */
export const empty = (): Reply => ({ status: 204 })

/** An answer without envelope. */
export const bare = (body: Json, status = 200): Reply => ({ status, body })

/** An answer that is not JSON. */
export const text = (contentType: string, bytes: string | Uint8Array): Reply => ({
  status: 200,
  raw: { contentType, bytes: typeof bytes === 'string' ? Buffer.from(bytes) : bytes },
})
