/** Batches: items in order, each with its own fields, and the scalar ones ignored. */
import { type Bench, check, type JsonObject } from '../../../harness/checks/index.ts'
import { newScheme, newTweak, plaintextOf, resultsOf, tweakIn, WORDS } from '../fixtures.ts'
import { send, type Three, three, words } from './fixtures.ts'

/** One value under two tweaks and two transformations, values of its neighbours again, and their order mixed. */
const mixed = (bench: Bench, [one, two, mask]: Three['schemes']) => {
  const shared = words(bench)
  const tweaks = [newTweak(bench), newTweak(bench)]
  const requests = bench.random.shuffle([
    ...[one, two].flatMap((scheme) => tweaks.map((tweak) => ({ scheme, value: shared, tweak }))),
    ...[one, two, one].map((scheme) => ({ scheme, value: words(bench), tweak: newTweak(bench) })),
    { scheme: mask, value: words(bench), tweak: undefined },
    { scheme: one, value: shared, tweak: tweaks[0] },
  ])
  return { shared, requests }
}

check(
  'transform/batch-items',
  ['TRANSFORM-BATCH-01', 'TRANSFORM-BATCH-02', 'TRANSFORM-BATCH-03', 'TRANSFORM-BATCH-04'],
  'each item of a batch is encoded as it would be alone',
  async ({ bench, expect }) => {
    const { role, schemes } = await three(bench)
    const { shared, requests } = mixed(bench, schemes)
    const items = requests.map(({ scheme, value, tweak }) => scheme.item(value, { tweak }))
    const answer = await send(bench, 'encode', role, items)
    const results = resultsOf(answer)
    await bench.decide('TRANSFORM-BATCH-01', () => {
      expect(answer).toHaveStatus(200)
      expect(results.length, 'results').toBe(items.length)
      for (const result of results) expect(typeof result.encoded_value, 'encoded_value of an item').toBe('string')
    })
    for (const [index, { scheme, value, tweak }] of requests.entries()) {
      const alone = await scheme.encoded(value, { tweak })
      const clause = value === shared ? (scheme === schemes[0] ? 'TRANSFORM-BATCH-04' : 'TRANSFORM-BATCH-03') : 'TRANSFORM-BATCH-02'
      await bench.decide(clause, () => expect(results[index]?.encoded_value, `item ${index}, as alone`).toBe(alone))
    }
  },
)

check(
  'transform/batch-decoded',
  'TRANSFORM-BATCH-08',
  'each item of a batch is decoded as it would be alone',
  async ({ bench, expect }) => {
    const { role, schemes } = await three(bench)
    const back = mixed(bench, schemes).requests.filter(({ scheme }) => scheme !== schemes[2])
    const items: JsonObject[] = []
    for (const { scheme, value, tweak } of back) items.push(scheme.item(await scheme.encoded(value, { tweak }), { tweak }))
    const decoded = await send(bench, 'decode', role, items)
    expect(decoded).toHaveStatus(200)
    expect(resultsOf(decoded).length, 'results').toBe(back.length)
    for (const [index, { value }] of back.entries())
      expect(plaintextOf(resultsOf(decoded)[index]) === value, `item ${index} came back`).toBe(true)
  },
)

/** What may stand beside a batch, with the clause that gives it no effect there. */
const scalars = (bench: Bench, [, two]: Three['schemes']): [clause: string, JsonObject][] => {
  const other = words(bench)
  return [
    ['TRANSFORM-BATCH-05', { value: other }],
    ['TRANSFORM-BATCH-05', { value: '' }],
    ['TRANSFORM-BATCH-06', { transformation: two.name }],
    ['TRANSFORM-BATCH-06', { transformation: bench.fresh('none') }],
    ['TRANSFORM-BATCH-07', { tweak: newTweak(bench) }],
    ['TRANSFORM-BATCH-07', { tweak: newTweak(bench, 6) }],
    ['TRANSFORM-BATCH-05', { value: other, transformation: two.name, tweak: newTweak(bench) }],
  ]
}

const LACKING: [clause: string, missing: string][] = [
  ['TRANSFORM-BATCH-05', 'value'],
  ['TRANSFORM-BATCH-06', 'transformation'],
  ['TRANSFORM-BATCH-07', 'tweak'],
]

check(
  'transform/batch-ignores-scalars',
  ['TRANSFORM-BATCH-05', 'TRANSFORM-BATCH-06', 'TRANSFORM-BATCH-07'],
  'beside a batch to encode the scalar parameters count for nothing',
  async ({ bench, expect }) => {
    const { role, schemes } = await three(bench)
    const [one] = schemes
    const value = words(bench)
    const alone = await one.encoded(value)
    for (const [clause, beside] of scalars(bench, schemes)) {
      const encoded = await send(bench, 'encode', role, [one.item(value), one.item(value)], beside)
      await bench.decide(clause, () => {
        expect(
          resultsOf(encoded).map((result) => result.encoded_value),
          `beside ${Object.keys(beside)}`,
        ).toEqual([alone, alone])
        expect(encoded.data.encoded_value || null, 'a scalar result').toBe(null)
      })
    }
    // What an item lacks is not taken from beside it.
    for (const [clause, missing] of LACKING) {
      const answer = await bench.call('transform.encode', {
        path: { role_name: role },
        body: { ...one.item(value), batch_input: [one.item(value, { [missing]: undefined })] },
        invalid: missing === 'value',
      })
      await bench.decide(clause, () => {
        expect(answer.status, 'status of an item without it').toBeLessThan(500)
        expect(resultsOf(answer)[0]?.encoded_value || null, `an item that lacks its ${missing}`).toBe(null)
      })
    }
  },
)

check(
  'transform/batch-decode-ignores-scalars',
  'TRANSFORM-BATCH-17',
  'beside a batch to decode the scalar parameters count for nothing',
  async ({ bench, expect }) => {
    const { role, schemes } = await three(bench)
    const [one] = schemes
    const value = words(bench)
    const alone = await one.encoded(value)
    for (const [, beside] of scalars(bench, schemes)) {
      const decoded = await send(bench, 'decode', role, [one.item(alone)], beside)
      expect(resultsOf(decoded).length, 'results').toBe(1)
      expect(plaintextOf(resultsOf(decoded)[0]) === value, 'the value came back').toBe(true)
      expect(decoded.data.decoded_value || null, 'a scalar result').toBe(null)
    }
    for (const missing of ['value', 'tweak']) {
      const back = await bench.call('transform.decode', {
        path: { role_name: role },
        body: { ...one.item(alone), batch_input: [one.item(alone, { [missing]: undefined })] },
        invalid: missing === 'value',
      })
      expect(plaintextOf(resultsOf(back)[0]) === value, `an item that lacks its ${missing}`).toBe(false)
    }
  },
)

check(
  'transform/batch-sizes',
  ['TRANSFORM-BATCH-11', 'TRANSFORM-BATCH-10'],
  'batches of one item and of a thousand',
  async ({ bench, expect }) => {
    const scheme = await newScheme(bench, 'fpe', { letters: WORDS })
    for (const size of bench.effort([1, 2, 1_000], [1, 2, 1_000])) {
      const values = Array.from({ length: size }, (_, index) => String(index).padStart(16, '0'))
      const encoded = resultsOf(
        await send(
          bench,
          'encode',
          scheme.role,
          values.map((value) => scheme.item(value)),
        ),
      )
      const decoded = resultsOf(
        await send(
          bench,
          'decode',
          scheme.role,
          encoded.map((result) => scheme.item(String(result.encoded_value))),
        ),
      )
      await bench.decide('TRANSFORM-BATCH-11', () => {
        expect(encoded.length, 'results').toBe(size)
        expect(decoded.map(plaintextOf), 'values in their order').toEqual(values)
      })
    }
    const empty = { path: { role_name: scheme.role }, body: { batch_input: [] }, observing: true }
    bench.observe('TRANSFORM-BATCH-10', (await bench.call('transform.encode', empty)).status)
  },
)

check(
  'transform/batch-generated',
  'TRANSFORM-BATCH-16',
  'the tweak that an item of a batch returns is its own',
  async ({ bench, expect }) => {
    const scheme = await newScheme(bench, 'fpe', { letters: WORDS, fields: { tweak_source: 'generated' } })
    const value = words(bench)
    const results = resultsOf(
      await send(
        bench,
        'encode',
        scheme.role,
        [value, words(bench), value].map((one) => scheme.item(one)),
      ),
    )
    expect(results.length, 'results').toBe(3)
    for (const index of [0, 2]) {
      const tweak = tweakIn(results[index])
      if (tweak === undefined) continue
      expect(Buffer.from(tweak, 'base64').length, 'bytes of the tweak').toBe(7)
      const decoded = await scheme.decode(String(results[index]!.encoded_value), { tweak })
      expect(decoded.data.decoded_value === value, 'the value came back').toBe(true)
    }
  },
)
