/** Faults of reads and writes of key-value, version 2. */
import { coreEngine } from '../../core/core-engine.ts'
import { secret } from '../../core/envelope.ts'
import { notFound } from '../../core/errors.ts'
import type { Json, JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../faults/declare.ts'
import { kv2Engine } from './kv2.ts'
import { type Kv2Route, recordOf } from './kv2-data.ts'

const two = faultsOf(kv2Engine, 'kv')
const core = faultsOf(coreEngine, 'kv')

const members = (value: Json | undefined): JsonObject => (value ?? {}) as JsonObject

two.rule('v2-merged', 'KV-V2-06', 'a write is merged into the present version', {
  replaced: () => (previous, written) => ({ ...members(previous), ...members(written) }),
})
two.rule('v2-body-stored', 'KV-V2-01', 'the whole body is stored, data and all', {
  replaced: () => (_previous, written) => ({ data: written }),
})
two.rule('v2-data-optional', 'KV-V2-04', 'a write without data makes an empty version', {
  checkData: (original) => (data) => (data === undefined ? undefined : original(data)),
})
two.rule('v2-data-of-any-type', 'KV-V2-05', 'data may be of any type', {
  checkData: (original) => (data) => (typeof data === 'object' && !Array.isArray(data) ? original(data) : undefined),
})

two.rule('v2-versions-by-text', 'KV-V2-06', 'version 9 counts as newer than version 10', {
  latest: () => (record) => Number([...record.versions.keys()].map(String).sort().at(-1)),
})
two.route(
  'v2-absent-200',
  'KV-V2-07',
  'a key that was never written reads as null',
  'kv2.read',
  (original) => (call) => (recordOf(call) ? original(call) : secret({ data: null, metadata: {} })),
)

/** A key that is absent counts as one whose name differs by case alone. */
const anyCase: (original: Kv2Route['handle']) => Kv2Route['handle'] = (original) => (call) => {
  const path = call.params.path ?? ''
  const alike = [...call.state.keys.keys()].find((key) => key.toLowerCase() === path.toLowerCase())
  return original(call.state.keys.has(path) || alike === undefined ? call : { ...call, params: { ...call.params, path: alike } })
}

two.route('v2-absent-of-any-case', 'KV-V2-07', 'a key that is absent is read by its case variant', 'kv2.read', anyCase)
two.route('v2-key-of-any-case', 'KV-V2-30', 'a key is written onto one whose name differs by case', ['kv2.read', 'kv2.write'], anyCase)
core.rule('v2-data-implied', 'KV-V2-28', 'a path without data/ reads the key', {
  pathBelow: (original) => (mount, path, type) => {
    const rest = original(mount, path, type)
    return type === 'kv2' && !/^(data|metadata|delete|undelete|destroy|config)(\/|$)/.test(rest) ? `data/${rest}` : rest
  },
})
two.route('v2-config-hidden', 'KV-V2-15', 'the configuration cannot be read', 'kv2.readConfig', () => () => {
  throw notFound()
})
two.rule('v2-metadata-lost-with-version', 'KV-V2-16', 'metadata cannot be read any more once a version is destroyed', {
  metadataShown: (original) => (shown, record) => {
    if ([...record.versions.values()].some(({ destroyed }) => destroyed)) throw notFound()
    return original(shown, record)
  },
})
two.rule('v2-older-shown-after-deletion', 'KV-V2-31', 'once the newest version is deleted, a read shows the one before it', {
  latest: (original) => (record, now) => {
    const shown = [...record.versions].filter(([, version]) => version.deletedAt === undefined && !version.destroyed)
    return shown.at(-1)?.[0] ?? original(record, now)
  },
})

export const faults = [...two.declared, ...core.declared]
