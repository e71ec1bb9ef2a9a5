/** Faults of reads and writes of key-value, version 2. */
import { coreEngine } from '../../core/core-engine.ts'
import type { Json, JsonObject } from '../../core/engine.ts'
import { secret } from '../../core/envelope.ts'
import { plain } from '../../core/json.ts'
import { type Fault, fault } from '../../core/mutation.ts'
import { kv2Engine } from '../../engines/kv/kv2.ts'
import { recordOf } from '../../engines/kv/kv2-data.ts'

const members = (value: Json | undefined): JsonObject => (value ?? {}) as JsonObject

export const v2Faults: Fault[] = [
  fault(
    kv2Engine,
    { id: 'kv-v2-body-stored', engine: 'kv', title: 'the whole body is stored, data and all', clauses: ['KV-V2-01'] },
    { rules: { replaced: () => (_previous, written) => ({ data: written }) } },
  ),
  fault(
    kv2Engine,
    { id: 'kv-v2-data-at-top', engine: 'kv', title: 'a read shows the object as version 1 does', clauses: ['KV-V2-02'] },
    { rules: { shown: () => (data) => secret(members(data)) } },
  ),
  fault(
    kv2Engine,
    { id: 'kv-v2-doubles', engine: 'kv', title: 'numbers are kept as doubles', clauses: ['KV-V2-29'] },
    { rules: { replaced: (original) => (previous, written) => plain(original(previous, written)) } },
  ),
  fault(
    kv2Engine,
    { id: 'kv-v2-texts-trimmed', engine: 'kv', title: 'texts lose white space at their ends', clauses: ['KV-V2-03'] },
    {
      rules: {
        replaced: (original) => (previous, written) => {
          const trimmed = (value: Json): Json =>
            typeof value === 'string' ? value.trim() : Array.isArray(value) ? value.map(trimmed) : value
          return Object.fromEntries(Object.entries(members(original(previous, written))).map(([name, value]) => [name, trimmed(value)]))
        },
      },
    },
  ),
  fault(
    kv2Engine,
    { id: 'kv-v2-data-optional', engine: 'kv', title: 'a write without data makes an empty version', clauses: ['KV-V2-04'] },
    { rules: { checkData: (original) => (data) => (data === undefined ? undefined : original(data)) } },
  ),
  fault(
    kv2Engine,
    { id: 'kv-v2-data-of-any-type', engine: 'kv', title: 'data may be of any type', clauses: ['KV-V2-05'] },
    { rules: { checkData: (original) => (data) => (typeof data === 'object' && !Array.isArray(data) ? original(data) : undefined) } },
  ),
  fault(
    kv2Engine,
    { id: 'kv-v2-merged', engine: 'kv', title: 'a write is merged into the present version', clauses: ['KV-V2-06'] },
    { rules: { replaced: () => (previous, written) => ({ ...members(previous), ...members(written) }) } },
  ),
  fault(
    kv2Engine,
    { id: 'kv-v2-oldest-shown', engine: 'kv', title: 'a read shows the first version', clauses: ['KV-V2-06'] },
    { rules: { latest: () => (record) => Math.min(...record.versions.keys()) } },
  ),
  fault(
    kv2Engine,
    { id: 'kv-v2-absent-200', engine: 'kv', title: 'a key that was never written reads as null', clauses: ['KV-V2-07'] },
    { routes: { 'kv2.read': (original) => (call) => (recordOf(call) ? original(call) : secret({ data: null, metadata: {} })) } },
  ),
  fault(
    coreEngine,
    { id: 'kv-v2-data-implied', engine: 'kv', title: 'a path without data/ reads the key all the same', clauses: ['KV-V2-28'] },
    {
      rules: {
        pathBelow: (original) => (mount, path, type) => {
          const rest = original(mount, path, type)
          return type === 'kv2' && !/^(data|metadata|delete|undelete|destroy|config)(\/|$)/.test(rest) ? `data/${rest}` : rest
        },
      },
    },
  ),
]
