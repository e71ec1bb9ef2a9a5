/** What makes an encrypted value another one: value, tweak, transformation, mount. */
import { type Bench, check, chiSquare, chiSquareBound, type JsonObject } from '../../../harness/checks/index.ts'
import { DIGITS, newAlphabet, newScheme, newTweak, newValue, plaintextOf, resultsOf, type Scheme, WORDS } from '../fixtures.ts'

/** Long enough that nothing here happens by chance: halves of 16 characters have 10^24 values. */
const LENGTH = 32

const words = (bench: Bench): string => newValue(bench, WORDS, LENGTH)

const halves = (text: string): string[] => [text.slice(0, LENGTH / 2), text.slice(LENGTH / 2)]

check(
  'transform/not-itself',
  ['TRANSFORM-FORMAT-10', 'TRANSFORM-FORMAT-09', 'TRANSFORM-FORMAT-13'],
  'different values are encrypted to different ones, and none to itself',
  async ({ bench, expect }) => {
    for (const source of bench.few(['supplied', 'internal'], 1)) {
      const scheme = await newScheme(bench, 'fpe', { letters: WORDS, fields: { tweak_source: source } })
      const first = words(bench)
      // Neighbours of a value: one character changed on each place, halves exchanged, reversed, rotated.
      const near = [...first].map((letter, place) => `${first.slice(0, place)}${letter === 'a' ? 'b' : 'a'}${first.slice(place + 1)}`)
      const turned = [[...first].reverse().join(''), first.slice(LENGTH / 2) + first.slice(0, LENGTH / 2), first.slice(1) + first[0]]
      const values = [...new Set([first, ...bench.few(near, 12), ...turned, 'a'.repeat(LENGTH), '0'.repeat(LENGTH), 'z'.repeat(LENGTH)])]
      const encoded: string[] = []
      for (const value of values) encoded.push(await scheme.encoded(value))
      await bench.decide('TRANSFORM-FORMAT-09', () =>
        expect(new Set(encoded).size, 'different results of different values').toBe(values.length),
      )
      await bench.decide('TRANSFORM-FORMAT-10', () =>
        expect(values.filter((value, index) => value === encoded[index]).length, 'values that are left as they were').toBe(0),
      )
      await bench.decide('TRANSFORM-FORMAT-13', () => {
        for (const [index, value] of values.entries()) {
          const seen = halves(encoded[index]!)
          expect(
            halves(value).filter((part, place) => part === seen[place]),
            'halves that are left as they were',
          ).toEqual([])
        }
      })
    }
  },
)

/** A tweak, each that differs from it in one bit, none of the bits and all of them. */
const tweaksOf = (bench: Bench): string[] => {
  const base = bench.random.bytes(7)
  const flipped = Array.from({ length: 56 }, (_, bit) => base.map((byte, place) => (place === bit >> 3 ? byte ^ (1 << (bit & 7)) : byte)))
  return [base, ...flipped, new Uint8Array(7), new Uint8Array(7).fill(255)].map((bytes) => Buffer.from(bytes).toString('base64'))
}

check(
  'transform/tweaks-differ',
  ['TRANSFORM-FORMAT-06', 'TRANSFORM-TWEAK-03'],
  'each bit of a tweak counts when a value is encoded',
  async ({ bench, expect }) => {
    const scheme = await newScheme(bench, 'fpe', { letters: WORDS })
    const value = words(bench)
    const tweaks = bench.few(tweaksOf(bench), 20)
    const encoded: string[] = []
    for (const tweak of tweaks) {
      const answer = await scheme.encode(value, { tweak })
      await bench.decide('TRANSFORM-TWEAK-03', () => expect(answer, 'a tweak of seven bytes').toSucceed())
      encoded.push(String(answer.data.encoded_value))
    }
    await bench.decide('TRANSFORM-FORMAT-06', () =>
      expect(new Set(encoded).size, 'different results of different tweaks').toBe(tweaks.length),
    )
  },
)

check(
  'transform/tweaks-decode',
  ['TRANSFORM-FORMAT-04', 'TRANSFORM-FORMAT-12'],
  'each bit of a tweak counts when a value is decoded',
  async ({ bench, expect }) => {
    const scheme = await newScheme(bench, 'fpe', { letters: WORDS })
    const value = words(bench)
    const tweaks = bench.few(tweaksOf(bench), 8)
    for (const [index, tweak] of tweaks.entries()) {
      const encoded = await scheme.encoded(value, { tweak })
      const right = await scheme.decode(encoded, { tweak })
      await bench.decide('TRANSFORM-FORMAT-04', () => expect(right.data.decoded_value === value, 'the value came back').toBe(true))
      if (index === 0) continue
      const wrong = await scheme.decode(encoded, { tweak: tweaks[0] })
      await bench.decide('TRANSFORM-FORMAT-12', () =>
        expect(wrong.ok && wrong.data.decoded_value === value, 'another tweak gives the value').toBe(false),
      )
    }
  },
)

check(
  'transform/transformations-differ',
  'TRANSFORM-FORMAT-07',
  'each transformation encrypts in its own way',
  async ({ bench, expect }) => {
    const value = words(bench)
    for (const source of ['supplied', 'internal']) {
      const one = await newScheme(bench, 'fpe', { letters: WORDS, fields: { tweak_source: source } })
      const two = await newScheme(bench, 'fpe', { letters: WORDS, fields: { tweak_source: source } })
      const encoded = await one.encoded(value)
      const tweak = one.tweak
      expect(await two.encoded(value, { tweak }), 'the result of another transformation').not.toBe(encoded)
      const decoded = await two.decode(encoded, { tweak })
      expect(decoded.ok && decoded.data.decoded_value === value, 'another transformation gives the value').toBe(false)
    }
  },
)

check(
  'transform/mounts-differ',
  'TRANSFORM-FORMAT-08',
  'each mount encrypts in its own way',
  { needs: { mounts: { one: { type: 'transform' }, two: { type: 'transform' } } } },
  async ({ bench, expect }) => {
    const value = words(bench)
    const tweak = newTweak(bench)
    const encoded: string[] = []
    for (const mount of ['one', 'two'])
      encoded.push(await (await newScheme(bench, 'fpe', { letters: WORDS, mount })).encoded(value, { tweak }))
    expect(encoded[0]).not.toBe(encoded[1])
  },
)

const SAMPLES = 2_000
const PLACES = 16

/** What many values become, by batches. */
const inBatches = async (bench: Bench, operation: string, scheme: Scheme, values: string[]): Promise<JsonObject[]> => {
  const results: JsonObject[] = []
  for (let from = 0; from < values.length; from += 500) {
    const batch = values.slice(from, from + 500).map((value) => scheme.item(value))
    const answer = await bench.given(operation, { path: { role_name: scheme.role }, body: { batch_input: batch } })
    results.push(...resultsOf(answer))
  }
  return results
}

check(
  'transform/spread',
  ['TRANSFORM-FORMAT-11', 'TRANSFORM-FORMAT-01', 'TRANSFORM-FORMAT-04'],
  'encrypted characters are spread evenly over the alphabet, and none of many values is longer, shorter or another one afterwards',
  async ({ bench, expect }) => {
    const scheme = await newScheme(bench)
    const values = Array.from({ length: SAMPLES }, (_, index) => String(index).padStart(PLACES, '0'))
    const results = (await inBatches(bench, 'transform.encode', scheme, values)).map(({ encoded_value: value }) => String(value))
    // One in ten begins with the first letter of the alphabet, which is easily lost.
    await bench.decide('TRANSFORM-FORMAT-01', () =>
      expect(results.filter((result) => result.length !== PLACES).length, 'results of another length').toBe(0),
    )
    await bench.decide('TRANSFORM-FORMAT-11', () => {
      for (let place = 0; place < PLACES; place += 1) {
        const counts = [...DIGITS].map((digit) => results.filter((result) => result[place] === digit).length)
        expect(chiSquare(counts), `chi-square of place ${place + 1}`).toBeLessThan(chiSquareBound(DIGITS.length - 1, 1e-9 / PLACES))
      }
    })
    const decoded = (await inBatches(bench, 'transform.decode', scheme, results)).map(plaintextOf)
    await bench.decide('TRANSFORM-FORMAT-04', () =>
      expect(decoded.filter((value, index) => value !== values[index]).length, 'values that did not come back').toBe(0),
    )
  },
)

check(
  'transform/order-of-alphabet',
  'TRANSFORM-FORMAT-02',
  'a template that gets another alphabet encodes by it',
  async ({ bench, expect }) => {
    const scheme = await newScheme(bench, 'fpe', { letters: DIGITS, pattern: '([0-9a-z]+)' })
    const { data } = await bench.given('transform.readTemplate', { path: { name: scheme.template } })
    const alphabet = await newAlphabet(bench, 'abcdefghijklmnopqrstuvwxyz')
    const body = { type: 'regex', pattern: String(data.pattern), alphabet }
    const written = await bench.call('transform.writeTemplate', { path: { name: scheme.template }, body })
    const letters = written.ok ? 'abcdefghijklmnopqrstuvwxyz' : DIGITS
    const encoded = await scheme.encoded(newValue(bench, letters, 16))
    expect(
      [...encoded].filter((letter) => !letters.includes(letter)),
      'characters outside the alphabet',
    ).toEqual([])
  },
)
