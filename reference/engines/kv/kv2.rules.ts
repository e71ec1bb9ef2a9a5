/** The decisions of the key-value engine, version 2. */

import { empty, secret } from '../../core/envelope.ts'
import { invalid, notFound } from '../../core/errors.ts'
import type { Json, JsonObject } from '../../core/json.ts'
import type { Reply } from '../../core/reply.ts'
import { namesIn } from './directory.ts'
import type { KeyRecord, Settings, Version } from './records.ts'

/** Versions kept where no setting says otherwise. */
const KEPT = 10

export const kv2Rules = {
  /** The name under which a record is kept: the path as it is. */
  keyOf(path: string): string {
    return path
  },

  /** Throws 400 for a path that cannot hold an object: the mount itself, or a directory. */
  checkKey(path: string): void {
    if (path === '' || path.endsWith('/')) throw invalid('an object needs a path that does not end in a slash')
  },

  /** Throws 400 unless the body holds an object under `data`. */
  checkData(data: Json | undefined): void {
    if (data === undefined || data === null) throw invalid('no data provided')
    if (typeof data !== 'object' || Array.isArray(data)) throw invalid('data must be an object')
  },

  /** What a new version holds: the written object alone. */
  replaced(_previous: Json | undefined, written: Json): Json {
    return written
  },

  exists(record: KeyRecord | undefined): boolean {
    return record !== undefined
  },

  nextVersion(record: KeyRecord): number {
    return record.current + 1
  },

  /** Whether a write's condition on the present version holds; without one it does, unless the settings demand one. */
  conditionHolds(cas: number | undefined, current: number, required: boolean): boolean {
    return cas === undefined ? !required : cas === current
  },

  /** How many versions of a key stay: the key's setting, the mount's, or ten. */
  keptVersions(key: Settings, mount: Settings): number {
    return key.maxVersions || mount.maxVersions || KEPT
  },

  /** Whether a read shows a version. */
  visible(version: Version, now: number): boolean {
    return !version.destroyed && (version.deletedAt === undefined || version.deletedAt > now)
  },

  /** The version that a read without number shows. */
  latest(record: KeyRecord, _now: number): number {
    return record.current
  },

  shown(data: Json, metadata: JsonObject): Reply {
    return secret({ data, metadata })
  },

  /** The answer to a read of a version that is deleted or destroyed. */
  hidden(_metadata: JsonObject): Reply {
    throw notFound()
  },

  /** The numbers of the versions that a request names, of all existing ones. */
  chosen(named: number[], present: number[]): number[] {
    return present.filter((number) => named.includes(number))
  },

  deleted(version: Version, now: number): Version {
    return version.destroyed ? version : { ...version, deletedAt: Math.min(version.deletedAt ?? now, now) }
  },

  undeleted(version: Version): Version {
    return version.destroyed ? version : { ...version, deletedAt: undefined }
  },

  destroyed(version: Version): Version {
    return { ...version, data: undefined, destroyed: true }
  },

  /** The answer of the version routes for a key that does not exist. */
  absentKey(): Reply {
    return empty()
  },

  written(shown: JsonObject): Reply {
    return secret(shown)
  },

  done(): Reply {
    return empty()
  },

  /** What a read of a key's metadata shows besides. */
  metadataShown(shown: JsonObject, _record: KeyRecord): JsonObject {
    return shown
  },

  /** Names directly in a directory; those of directories end in a slash. */
  namesIn(keys: string[], directory: string): string[] {
    return namesIn(keys, directory)
  },

  /** What a listing says of each name besides; nothing. */
  listed(_names: string[], _keys: Map<string, KeyRecord>, _directory: string): JsonObject {
    return {}
  },
}

export type Kv2Rules = typeof kv2Rules
