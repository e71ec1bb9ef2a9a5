import { property } from '../../../harness/checks/index.ts'
import { expectStored, VERSION_1, VERSION_2, type Version } from '../fixtures.ts'
import { objectTexts, wholeTexts } from './texts.ts'

type Texts = typeof objectTexts

const roundTrip = (version: Version, id: string, clause: string, title: string, runs: [number, number, number], texts: Texts): void =>
  property(
    id,
    clause,
    title,
    { runs },
    () => texts,
    async ({ bench, expect }, text) => {
      const path = bench.fresh('key')
      expect(await bench.call(version.write, { path: { path }, rawBody: version.text(text) }), text).toSucceed()
      await expectStored(bench, expect, version, path, text)
    },
  )

const ANY = 'any JSON object comes back as it was stored'
const WHOLE = 'any whole number of 64 bits comes back to its last digit'
const numbers = wholeTexts.map((text) => `{"number":${text}}`)

roundTrip(VERSION_1, 'kv/v1-any-value', 'KV-V1-06', ANY, [15, 60, 400], objectTexts)
roundTrip(VERSION_2, 'kv/v2-any-value', 'KV-V2-03', ANY, [15, 60, 400], objectTexts)
roundTrip(VERSION_1, 'kv/v1-any-number', 'KV-V1-15', WHOLE, [5, 15, 100], numbers)
roundTrip(VERSION_2, 'kv/v2-any-number', 'KV-V2-29', WHOLE, [5, 15, 100], numbers)
