/** Faults of reads and writes of key-value, version 2. */
import { coreEngine } from '../../core/core-engine.ts'
import { secret } from '../../core/envelope.ts'
import type { Json, JsonObject } from '../../core/json.ts'
import { plain } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { kv2Engine } from './kv2.ts'
import { recordOf } from './kv2-data.ts'

const kv2 = faultsOf(kv2Engine, 'kv')
const core = faultsOf(coreEngine, 'kv')

const members = (value: Json | undefined): JsonObject => (value ?? {}) as JsonObject

kv2.rule('v2-body-stored', 'KV-V2-01', 'the whole body is stored, data and all', {
  replaced: () => (_previous, written) => ({ data: written }),
})
kv2.rule('v2-data-at-top', 'KV-V2-02', 'a read shows the object as version 1 does', { shown: () => (data) => secret(members(data)) })
kv2.rule('v2-doubles', 'KV-V2-29', 'numbers are kept as doubles', {
  replaced: (original) => (previous, written) => plain(original(previous, written)),
})
kv2.rule('v2-texts-trimmed', 'KV-V2-03', 'texts lose white space at their ends', {
  replaced: (original) => (previous, written) => {
    const trimmed = (value: Json): Json => (typeof value === 'string' ? value.trim() : Array.isArray(value) ? value.map(trimmed) : value)
    return Object.fromEntries(Object.entries(members(original(previous, written))).map(([name, value]) => [name, trimmed(value)]))
  },
})
kv2.rule('v2-data-optional', 'KV-V2-04', 'a write without data makes an empty version', {
  checkData: (original) => (data) => (data === undefined ? undefined : original(data)),
})
kv2.rule('v2-data-of-any-type', 'KV-V2-05', 'data may be of any type', {
  checkData: (original) => (data) => (typeof data === 'object' && !Array.isArray(data) ? original(data) : undefined),
})
kv2.rule('v2-merged', 'KV-V2-06', 'a write is merged into the present version', {
  replaced: () => (previous, written) => ({ ...members(previous), ...members(written) }),
})
kv2.rule('v2-oldest-shown', 'KV-V2-06', 'a read shows the first version', { latest: () => (record) => Math.min(...record.versions.keys()) })
kv2.route(
  'v2-absent-200',
  'KV-V2-07',
  'a key that was never written reads as null',
  'kv2.read',
  (original) => (call) => (recordOf(call) ? original(call) : secret({ data: null, metadata: {} })),
)
core.rule('v2-data-implied', 'KV-V2-28', 'a path without data/ reads the key all the same', {
  pathBelow: (original) => (mount, path, type) => {
    const rest = original(mount, path, type)
    return type === 'kv2' && !/^(data|metadata|delete|undelete|destroy|config)(\/|$)/.test(rest) ? `data/${rest}` : rest
  },
})
