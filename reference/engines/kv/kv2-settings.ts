/** `metadata/` and `config`: listings, settings of a key and of the mount. */
import { durationOf } from '../../core/durations.ts'
import { secret } from '../../core/envelope.ts'
import { invalid, notFound } from '../../core/errors.ts'
import { flagOf, integerOf, textMapOf } from '../../core/fields.ts'
import type { JsonObject } from '../../core/json.ts'
import { ensureRecord, type Kv2Route, recordOf } from './kv2-data.ts'
import { noSettings, recordShown, type Settings, settingsShown } from './records.ts'

/** Settings after a write: fields that the body leaves out stay. */
const settingsOf = (body: JsonObject, previous: Settings): Settings => {
  const maxVersions = integerOf(body, 'max_versions', previous.maxVersions)
  if (maxVersions < 0) throw invalid('max_versions must not be negative')
  return {
    maxVersions,
    casRequired: flagOf(body, 'cas_required', previous.casRequired),
    deleteVersionAfter: durationOf(body.delete_version_after, 'delete_version_after', previous.deleteVersionAfter),
  }
}

const customMetadataOf = (body: JsonObject): Record<string, string> => {
  const metadata = textMapOf(body, 'custom_metadata')
  const tooLong = Object.entries(metadata).some(([name, value]) => Buffer.byteLength(name) > 128 || Buffer.byteLength(value) > 512)
  if (tooLong || Object.keys(metadata).length > 64) throw invalid('custom_metadata is too large')
  return metadata
}

export const settingsRoutes: Kv2Route[] = [
  {
    id: 'kv2.list',
    method: 'LIST',
    path: 'metadata/*directory',
    handle({ params, state, rules, services }) {
      const directory = params.directory ?? ''
      const names = rules.namesIn([...state.keys.keys()], directory)
      return services.listing(names, rules.listed(names, state.keys, directory))
    },
  },
  {
    id: 'kv2.readMetadata',
    method: 'GET',
    path: 'metadata/*path',
    handle(call) {
      const record = recordOf(call)
      if (!record) throw notFound()
      return secret(call.rules.metadataShown(recordShown(record), record))
    },
  },
  {
    id: 'kv2.writeMetadata',
    method: 'POST',
    path: 'metadata/*path',
    exists: (call) => call.rules.exists(recordOf(call)),
    handle(call) {
      const settings = settingsOf(call.body, recordOf(call) ?? noSettings())
      const metadata = call.body.custom_metadata === undefined ? undefined : customMetadataOf(call.body)
      const record = ensureRecord(call)
      Object.assign(record, settings, metadata === undefined ? {} : { customMetadata: metadata })
      return call.rules.done()
    },
  },
  {
    id: 'kv2.deleteMetadata',
    method: 'DELETE',
    path: 'metadata/*path',
    handle(call) {
      call.state.keys.delete(call.rules.keyOf(call.params.path ?? ''))
      return call.rules.done()
    },
  },
  { id: 'kv2.readConfig', method: 'GET', path: 'config', handle: (call) => secret(settingsShown(call.state.config)) },
  {
    id: 'kv2.writeConfig',
    method: 'POST',
    path: 'config',
    handle(call) {
      call.state.config = settingsOf(call.body, call.state.config)
      return call.rules.done()
    },
  },
]
