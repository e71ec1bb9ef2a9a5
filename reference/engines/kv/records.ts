/** What version 2 keeps: per key its versions and settings, per mount its settings. */

import { formatDuration } from '../../core/durations.ts'
import type { Json, JsonObject } from '../../core/json.ts'

export interface Version {
  /** Object with exact numbers; undefined once destroyed. */
  data: Json | undefined
  /** Times in seconds since the epoch. */
  createdAt: number
  /** Deleted from then on; undefined while not marked. */
  deletedAt: number | undefined
  destroyed: boolean
}

export interface Settings {
  /** 0 means the default. */
  maxVersions: number
  casRequired: boolean
  /** Seconds; 0 means never. */
  deleteVersionAfter: number
}

export interface KeyRecord extends Settings {
  versions: Map<number, Version>
  current: number
  createdAt: number
  updatedAt: number
  customMetadata: Record<string, string> | null
}

export interface Kv2State {
  keys: Map<string, KeyRecord>
  config: Settings
}

export const noSettings = (): Settings => ({ maxVersions: 0, casRequired: false, deleteVersionAfter: 0 })

export const newRecord = (now: number): KeyRecord => ({
  ...noSettings(),
  versions: new Map(),
  current: 0,
  createdAt: now,
  updatedAt: now,
  customMetadata: null,
})

const time = (seconds: number | undefined): string => (seconds === undefined ? '' : new Date(seconds * 1000).toISOString())

const timesOf = (version: Version): JsonObject => ({
  created_time: time(version.createdAt),
  deletion_time: time(version.deletedAt),
  destroyed: version.destroyed,
})

/** The fields beside a version's data. */
export const versionShown = (record: KeyRecord, number: number, version: Version): JsonObject => ({
  version: number,
  ...timesOf(version),
  custom_metadata: record.customMetadata,
})

export const settingsShown = (settings: Settings): JsonObject => ({
  max_versions: settings.maxVersions,
  cas_required: settings.casRequired,
  delete_version_after: formatDuration(settings.deleteVersionAfter),
})

export const recordShown = (record: KeyRecord): JsonObject => ({
  ...settingsShown(record),
  created_time: time(record.createdAt),
  updated_time: time(record.updatedAt),
  current_version: record.current,
  oldest_version: Math.min(...record.versions.keys(), record.current),
  custom_metadata: record.customMetadata,
  versions: Object.fromEntries([...record.versions].map(([number, version]) => [String(number), timesOf(version)])),
})
