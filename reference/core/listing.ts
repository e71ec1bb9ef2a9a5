/** Listings: names under `data.keys`, 404 without names. */

import { secret } from './envelope.ts'
import { ApiError } from './errors.ts'
import type { JsonObject } from './json.ts'
import type { Reply } from './reply.ts'

/**
 * The answer of a listing.
 * @param names in any order; they are sorted
 * @param emptyStatus of a listing without names; 400 and above is a refusal
 * @param more further members of `data`, e.g. `key_info`
 */
export const listing = (names: Iterable<string>, emptyStatus: number, more: JsonObject = {}): Reply => {
  const keys = [...names].sort()
  if (keys.length === 0 && emptyStatus >= 400) throw new ApiError(emptyStatus)
  return secret({ keys, ...more }, undefined, { status: keys.length === 0 ? emptyStatus : 200 })
}
