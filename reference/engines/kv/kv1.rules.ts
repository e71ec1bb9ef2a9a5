/** The decisions of the key-value engine, version 1. */

import { empty, secret } from '../../core/envelope.ts'
import { invalid } from '../../core/errors.ts'
import type { Json, JsonObject } from '../../core/json.ts'
import type { Reply } from '../../core/reply.ts'
import { namesIn } from './directory.ts'

export const kv1Rules = {
  /** The name under which an object is kept: the path as it is. */
  keyOf(path: string): string {
    return path
  },

  /** Throws 400 for a path that cannot hold an object: the mount itself, or a directory. */
  checkKey(path: string): void {
    if (path === '' || path.endsWith('/')) throw invalid('an object needs a path that does not end in a slash')
  },

  /** Throws 400 for an object that cannot be stored. */
  checkObject(_object: JsonObject): void {},

  /** What is kept after a write: the new object alone. */
  replaced(_previous: Json | undefined, written: Json): Json {
    return written
  },

  exists(stored: Json | undefined): boolean {
    return stored !== undefined
  },

  written(): Reply {
    return empty()
  },

  /** @param defaultTtl the mount's default lease time in seconds */
  shown(stored: Json, _defaultTtl: number): Reply {
    return secret(stored as JsonObject)
  },

  /** What is kept after a deletion: nothing. */
  deleted(_previous: Json | undefined): Json | undefined {
    return undefined
  },

  absentDeleteStatus(): number {
    return 204
  },

  /** Names directly in a directory; those of directories end in a slash. */
  namesIn(keys: string[], directory: string): string[] {
    return namesIn(keys, directory)
  },

  /** What a listing says of each name besides; nothing. */
  listed(_names: string[], _stored: Map<string, Json>, _directory: string): JsonObject {
    return {}
  },
}

export type Kv1Rules = typeof kv1Rules
