/** Objects and paths that are long, wide and deep, far below the largest request that is allowed, are kept whole. */
import { check, type Json } from '../../../harness/checks/index.ts'
import { expectStored, namesIn, store, VERSION_1, VERSION_2 } from '../fixtures.ts'

/** Characters: at, below and beyond what lengths of 8 and 16 bits and common buffers hold. */
const LONG = [255, 256, 4_096, 65_535, 65_536, 70_001, 600_000]
const WIDE = 301
const DEEP = 40

const longText = (length: number): string => `${'abcdefghij'.repeat(Math.ceil(length / 10)).slice(0, length - 1)}z`

const nested = (depth: number): Json => (depth === 0 ? [{ last: 'reached' }] : { down: nested(depth - 1), [`beside ${depth}`]: [depth] })

const LARGE: Record<string, Json> = {
  'long texts': Object.fromEntries(LONG.map((length) => [`of ${length}`, longText(length)])),
  'long texts below': { list: [longText(70_001), { text: longText(70_003) }], last: 'there' },
  'a long name of a member': { [longText(300)]: 1, [`${longText(299)}y`]: 2, [longText(70_001)]: 3 },
  'many members': Object.fromEntries(Array.from({ length: WIDE }, (_, index) => [`member ${index}`, index])),
  'many items': {
    list: Array.from({ length: WIDE }, (_, index) => `item ${index}`),
    below: [Array.from({ length: WIDE }, (_, index) => index)],
  },
  'many levels': { deep: nested(DEEP) },
}

const SEGMENT = 60
const SEGMENTS = 6

for (const [name, version, values, places, listing] of [
  ['v1', VERSION_1, 'KV-V1-06', 'KV-V1-09', 'KV-LIST-01'],
  ['v2', VERSION_2, 'KV-V2-03', 'KV-V2-02', 'KV-LIST-09'],
] as const) {
  check(`kv/${name}-large-values`, values, 'what is long, wide or deep comes back whole', async ({ bench, expect }) => {
    for (const [what, value] of Object.entries(LARGE)) {
      const text = JSON.stringify(value)
      const path = bench.mixedName('key')
      expect(await bench.call(version.write, { path: { path }, rawBody: version.text(text) }), `a write of ${what}`).toSucceed()
      await expectStored(bench, expect, version, path, text)
    }
  })

  check(
    `kv/${name}-long-paths`,
    [places, listing],
    'paths of several hundred characters are told apart by their ends',
    async ({ bench, expect }) => {
      const directory = Array.from({ length: SEGMENTS }, (_, index) => `${bench.fresh(`level${index}`)}-`.padEnd(SEGMENT, 'x')).join('/')
      const keys = ['one', 'other', 'below/one', 'z']
      for (const key of keys) await store(bench, version, `${directory}/${key}`, { key })
      await bench.decide(places, async () => {
        for (const key of keys) await expectStored(bench, expect, version, `${directory}/${key}`, JSON.stringify({ key }))
        expect(await bench.call(version.read, { path: { path: `${directory}/on` } }), 'a read of another end').toHaveStatus(404)
      })
      await bench.decide(listing, async () => {
        const listed = namesIn(await bench.call(version.list, { path: { directory: `${directory}/` } }))
        expect(
          ['one', 'other', 'z'].filter((key) => !listed.includes(key)),
          'keys that are not listed',
        ).toEqual([])
      })
    },
  )
}
