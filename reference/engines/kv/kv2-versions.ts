/** `delete/`, `undelete/` and `destroy/`: what becomes of versions named by number. */

import { invalid } from '../../core/errors.ts'
import { integerOf } from '../../core/fields.ts'
import type { JsonObject } from '../../core/json.ts'
import { type Kv2Call, type Kv2Route, recordOf } from './kv2-data.ts'
import type { Version } from './records.ts'

const versionsOf = (body: JsonObject): number[] => {
  const { versions } = body
  const items = typeof versions === 'string' ? versions.split(',') : Array.isArray(versions) ? versions : undefined
  if (!items?.length) throw invalid('no versions provided')
  return items.map((version) => integerOf({ version }, 'version', 0))
}

const route = (id: string, path: string, change: (call: Kv2Call, version: Version) => Version): Kv2Route => ({
  id,
  method: 'POST',
  path: `${path}/*path`,
  handle(call) {
    const named = versionsOf(call.body)
    const record = recordOf(call)
    if (!record) return call.rules.absentKey()
    for (const number of call.rules.chosen(named, [...record.versions.keys()])) {
      const version = record.versions.get(number)
      if (version) record.versions.set(number, change(call, version))
    }
    record.updatedAt = call.now()
    return call.rules.done()
  },
})

export const versionRoutes: Kv2Route[] = [
  route('kv2.deleteVersions', 'delete', (call, version) => call.rules.deleted(version, call.now())),
  route('kv2.undeleteVersions', 'undelete', (call, version) => call.rules.undeleted(version)),
  route('kv2.destroyVersions', 'destroy', (call, version) => call.rules.destroyed(version)),
]
