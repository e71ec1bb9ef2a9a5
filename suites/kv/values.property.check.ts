import { type JsonObject, property } from '../../harness/checks/index.ts'
import { expectStored, VERSION_1, VERSION_2, type Version } from './entries.ts'

const roundTrip = (version: Version, id: string, clause: string): void =>
  property<JsonObject>(
    id,
    clause,
    'any object comes back as it was stored',
    {},
    ({ fc, json }) => fc.dictionary(fc.string({ unit: 'grapheme' }), json, { minKeys: 1, maxKeys: 6, noNullPrototype: true }),
    async ({ bench, expect }, value) => {
      const path = bench.fresh('key')
      const text = JSON.stringify(value)
      expect(await bench.call(version.write, { path: { path }, rawBody: version.text(text) })).toSucceed()
      await expectStored(bench, expect, version, path, text)
    },
  )

roundTrip(VERSION_1, 'kv/v1-any-value', 'KV-V1-06')
roundTrip(VERSION_2, 'kv/v2-any-value', 'KV-V2-03')
