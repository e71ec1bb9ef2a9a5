/** Listings: names under `data.keys`, 404 where there are none. */
import type { JsonObject, Reply } from './engine.ts'
import { secret } from './envelope.ts'
import { ApiError } from './errors.ts'
import type { Server } from './server.ts'

/**
 * The answer of a listing.
 * @param names in any order; they are sorted
 * @param more further members of `data`, e.g. `key_info`
 */
export const listing = (server: Server, names: Iterable<string>, more: JsonObject = {}): Reply => {
  const keys = [...names].sort()
  const status = server.rules.emptyListStatus()
  if (keys.length === 0 && status >= 400) throw new ApiError(status)
  return secret({ keys, ...more }, undefined, { status: keys.length === 0 ? status : 200 })
}
