/** `data/`: reading and writing versions, deleting the newest. */

import type { Call, Route } from '../../core/engine.ts'
import { invalid, notFound } from '../../core/errors.ts'
import { integerOf } from '../../core/fields.ts'
import type { JsonObject } from '../../core/json.ts'
import { parseExact } from '../../core/json.ts'
import type { Reply } from '../../core/reply.ts'
import type { Kv2Rules } from './kv2.rules.ts'
import { type KeyRecord, type Kv2State, newRecord, type Version, versionShown } from './records.ts'

export type Kv2Call = Call<Kv2State, Kv2Rules>
export type Kv2Route = Route<Kv2State, Kv2Rules>

/** The record of the path in the request, if there is one. */
export const recordOf = ({ params, state, rules }: Kv2Call): KeyRecord | undefined => state.keys.get(rules.keyOf(params.path ?? ''))

/** The record of the path in the request, made where there is none. */
export const ensureRecord = (call: Kv2Call): KeyRecord => {
  const path = call.params.path ?? ''
  call.rules.checkKey(path)
  const record = recordOf(call) ?? newRecord(call.now())
  call.state.keys.set(call.rules.keyOf(path), record)
  return record
}

const read = (call: Kv2Call): Reply => {
  const { rules } = call
  const record = recordOf(call)
  if (!record) throw notFound()
  const asked = integerOf({ version: call.query.get('version') }, 'version', 0)
  const number = asked || rules.latest(record, call.now())
  const version = record.versions.get(number)
  if (!version) throw notFound()
  const metadata = versionShown(record, number, version)
  if (!rules.visible(version, call.now())) return rules.hidden(metadata)
  return rules.shown(version.data ?? null, metadata)
}

const conditionOf = (body: JsonObject): number | undefined => {
  const options = body.options ?? {}
  if (typeof options !== 'object' || Array.isArray(options)) throw invalid('options must be an object')
  return options?.cas === undefined ? undefined : integerOf(options as JsonObject, 'cas', 0)
}

const write = (call: Kv2Call): Reply => {
  const { rules, state } = call
  rules.checkKey(call.params.path ?? '')
  rules.checkData(call.body.data)
  const cas = conditionOf(call.body)
  const known = recordOf(call)
  const current = known?.current ?? 0
  if (!rules.conditionHolds(cas, current, known?.casRequired || state.config.casRequired)) {
    throw invalid('check-and-set parameter did not match the current version')
  }
  const record = ensureRecord(call)
  const now = call.now()
  const written = (parseExact(call.text) as JsonObject).data ?? null
  const lifetime = record.deleteVersionAfter || state.config.deleteVersionAfter
  const version: Version = {
    data: rules.replaced(record.versions.get(current)?.data, written),
    createdAt: now,
    deletedAt: lifetime ? now + lifetime : undefined,
    destroyed: false,
  }
  record.current = rules.nextVersion(record)
  record.versions.set(record.current, version)
  record.updatedAt = now
  const oldest = record.current - rules.keptVersions(record, state.config)
  for (const number of [...record.versions.keys()].filter((candidate) => candidate <= oldest)) record.versions.delete(number)
  return rules.written(versionShown(record, record.current, version))
}

const deleteLatest = (call: Kv2Call): Reply => {
  const { rules } = call
  const record = recordOf(call)
  const version = record?.versions.get(record.current)
  if (!record || !version) return rules.absentKey()
  record.versions.set(record.current, rules.deleted(version, call.now()))
  return rules.done()
}

export const dataRoutes: Kv2Route[] = [
  { id: 'kv2.read', method: 'GET', path: 'data/*path', handle: read },
  { id: 'kv2.write', method: 'POST', path: 'data/*path', exists: (call) => call.rules.exists(recordOf(call)), handle: write },
  { id: 'kv2.deleteLatest', method: 'DELETE', path: 'data/*path', handle: deleteLatest },
]
