import { property } from '../../harness/checks/index.ts'
import { expectStored, VERSION_1, VERSION_2, type Version } from './entries.ts'
import { objectTexts } from './texts.ts'

const roundTrip = (version: Version, id: string, clause: string): void =>
  property(
    id,
    clause,
    'any JSON object comes back as it was stored',
    { runs: [15, 60, 400] },
    () => objectTexts,
    async ({ bench, expect }, text) => {
      const path = bench.fresh('key')
      expect(await bench.call(version.write, { path: { path }, rawBody: version.text(text) }), text).toSucceed()
      await expectStored(bench, expect, version, path, text)
    },
  )

roundTrip(VERSION_1, 'kv/v1-any-value', 'KV-V1-06')
roundTrip(VERSION_2, 'kv/v2-any-value', 'KV-V2-03')
