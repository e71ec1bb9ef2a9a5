/** Where tweaks come from, and which are taken. */
import { type Bench, check, type JsonObject } from '../../../harness/checks/index.ts'
import { DIGITS, newScheme, newTweak, newValue, OBSERVING, type Scheme, tweakIn, WORDS } from '../fixtures.ts'

const LENGTHS = [1, 2, 5, 6, 8, 9, 14, 16]

/** Spellings of lengths that are wrong, so that all of them decode as base64. */
const wrongLengths = (bench: Bench): string[] => LENGTHS.map((length) => newTweak(bench, length))

/** No base64 in any spelling; seven bytes written otherwise among them. */
const noBase64 = (bench: Bench): string[] => {
  const bytes = Buffer.from(bench.random.bytes(7))
  return [
    '!!!!!!!!!!==',
    `${bytes.toString('base64').slice(0, 4)}*${bytes.toString('base64').slice(5)}`,
    `{${bytes.toString('hex')}}`,
    'äöüäöüäöüä==',
  ]
}

check(
  'transform/supplied-missing',
  ['TRANSFORM-TWEAK-01', 'TRANSFORM-TWEAK-02'],
  'nothing is coded without the tweak of the caller',
  async ({ bench, expect }) => {
    for (const fields of [{}, { tweak_source: 'supplied' }] as JsonObject[]) {
      const scheme = await newScheme(bench, 'fpe', { letters: WORDS, fields })
      const value = newValue(bench, WORDS, 32)
      await bench.decide('TRANSFORM-TWEAK-01', async () => {
        for (const tweak of [undefined, '']) expect(await scheme.encode(value, { tweak }), 'encoding without a tweak').toBeRefused()
      })
      const encoded = await scheme.encoded(value)
      await bench.decide('TRANSFORM-TWEAK-02', async () => {
        for (const tweak of [undefined, '']) {
          const answer = await scheme.decode(encoded, { tweak })
          expect(answer.status, 'status without a tweak').toBeLessThan(500)
          expect(answer.ok && answer.data.decoded_value === value, 'the value without a tweak').toBe(false)
        }
        expect((await scheme.decode(encoded)).data.decoded_value === value, 'the value with it').toBe(true)
      })
    }
  },
)

check(
  'transform/tweak-lengths',
  ['TRANSFORM-TWEAK-04', 'TRANSFORM-TWEAK-05', 'TRANSFORM-TWEAK-06'],
  'a tweak has seven bytes',
  async ({ bench, expect }) => {
    const scheme = await newScheme(bench)
    const value = newValue(bench, DIGITS, 16)
    const encoded = await scheme.encoded(value)
    for (const tweak of bench.few(wrongLengths(bench))) {
      await bench.decide('TRANSFORM-TWEAK-04', async () =>
        expect(await scheme.encode(value, { tweak }), `encoding with ${tweak}`).toBeRefused(),
      )
      await bench.decide('TRANSFORM-TWEAK-05', async () =>
        expect(await scheme.decode(encoded, { tweak }), `decoding with ${tweak}`).toBeRefused(),
      )
    }
    for (const tweak of bench.few(noBase64(bench), 2))
      await bench.decide('TRANSFORM-TWEAK-06', async () => {
        expect(await scheme.encode(value, { tweak }), `encoding with ${tweak}`).toBeRefused()
        expect(await scheme.decode(encoded, { tweak }), `decoding with ${tweak}`).toBeRefused()
      })
    await bench.decide('TRANSFORM-TWEAK-04', async () => expect(await scheme.encode(value), 'encoding with seven bytes').toSucceed())
    await bench.decide('TRANSFORM-TWEAK-05', async () => expect(await scheme.decode(encoded), 'decoding with seven bytes').toSucceed())
  },
)

const NONE_RETURNED = 'no generated tweak is returned'

const bytesOf = (tweak: unknown): number =>
  typeof tweak === 'string' && /^[A-Za-z0-9+/]+={0,2}$/.test(tweak) ? Buffer.from(tweak, 'base64').length : -1

interface Generated {
  scheme: Scheme
  /** With the tweak where one is returned. */
  seen: { value: string; encoded: string; tweak?: string }[]
}

/** Two values, each encoded three times with a tweak that the server makes. */
const generated = async (bench: Bench): Promise<Generated> => {
  const scheme = await newScheme(bench, 'fpe', { letters: WORDS, fields: { tweak_source: 'generated' } })
  const values = [newValue(bench, WORDS, 32), newValue(bench, WORDS, 32)]
  const seen: Generated['seen'] = []
  for (const value of [...values, ...values, ...values]) {
    const { data } = await bench.given('transform.encode', { path: { role_name: scheme.role }, body: scheme.item(value) })
    const tweak = tweakIn(data)
    seen.push({ value, encoded: String(data.encoded_value), ...(tweak !== undefined && { tweak }) })
  }
  return { scheme, seen }
}

check(
  'transform/generated',
  ['TRANSFORM-TWEAK-07', 'TRANSFORM-TWEAK-08'],
  'a generated tweak that is returned has seven bytes, fresh each time',
  async ({ bench, expect }) => {
    const { seen } = await generated(bench)
    if (seen.every(({ tweak }) => tweak === undefined)) {
      for (const clause of ['TRANSFORM-TWEAK-07', 'TRANSFORM-TWEAK-08']) bench.observe(clause, NONE_RETURNED)
      return
    }
    await bench.decide('TRANSFORM-TWEAK-07', () => {
      for (const { tweak } of seen) if (tweak !== undefined) expect(bytesOf(tweak), 'bytes of the tweak').toBe(7)
    })
    await bench.decide('TRANSFORM-TWEAK-08', () =>
      expect(new Set(seen.map(({ tweak }) => tweak)).size, 'different tweaks').toBe(seen.length),
    )
  },
)

check(
  'transform/generated-decodes',
  ['TRANSFORM-TWEAK-09', 'TRANSFORM-TWEAK-10', 'TRANSFORM-FPE-05'],
  'a generated tweak that is returned is needed to decode',
  async ({ bench, expect }) => {
    const { scheme, seen } = await generated(bench)
    const returned = seen.flatMap(({ tweak }) => tweak ?? [])
    if (returned.length === 0) {
      for (const clause of ['TRANSFORM-TWEAK-09', 'TRANSFORM-TWEAK-10', 'TRANSFORM-FPE-05']) bench.observe(clause, NONE_RETURNED)
      return
    }
    for (const { value, encoded, tweak } of bench.few(seen)) {
      if (tweak === undefined) continue
      const right = await scheme.decode(encoded, { tweak })
      await bench.decide('TRANSFORM-TWEAK-10', () => expect(right.data.decoded_value === value, 'the value came back').toBe(true))
      // Whether the next one is another is said of nothing that is generated.
      const others = returned.filter((one) => one !== tweak).slice(0, 2)
      const wrong = [await scheme.decode(encoded)]
      for (const other of [...others, newTweak(bench)]) wrong.push(await scheme.decode(encoded, { tweak: other }))
      await bench.decide('TRANSFORM-TWEAK-09', () => {
        for (const answer of wrong) expect(answer.ok && answer.data.decoded_value === value, 'the value without its tweak').toBe(false)
      })
    }
    await bench.decide('TRANSFORM-FPE-05', async () => {
      const { encoded, tweak = '' } = seen.find((one) => one.tweak !== undefined)!
      expect((await scheme.decode(encoded, { tweak: `${tweak.slice(0, 4)}${tweak.slice(8)}` })).ok, 'a tweak cut short').toBe(false)
    })
  },
)

check(
  'transform/internal',
  ['TRANSFORM-TWEAK-11', 'TRANSFORM-TWEAK-12', 'TRANSFORM-FPE-05'],
  'with an internal tweak the caller needs none',
  async ({ bench, expect }) => {
    const scheme = await newScheme(bench, 'fpe', { letters: WORDS, fields: { tweak_source: 'internal' } })
    const other = await newScheme(bench, 'fpe', { letters: WORDS, fields: { tweak_source: 'internal' } })
    for (let round = 0; round < 3; round += 1) {
      const value = newValue(bench, WORDS, 32)
      const encoded = await scheme.encode(value)
      const decoded = await scheme.decode(String(encoded.data.encoded_value))
      await bench.decide('TRANSFORM-TWEAK-11', () => {
        expect(encoded, 'encoding').toSucceed()
        expect(decoded.data.decoded_value === value, 'the value came back').toBe(true)
      })
      await other.encoded(value)
      const again = await scheme.encoded(value)
      await bench.decide('TRANSFORM-TWEAK-12', () => expect(again, 'encoded again').toBe(encoded.data.encoded_value))
      await bench.decide('TRANSFORM-FPE-05', () => expect(encoded.data.encoded_value === value, 'left as it was').toBe(false))
    }
  },
)

check(
  'transform/odd-tweaks',
  ['TRANSFORM-TWEAK-13', 'TRANSFORM-TWEAK-14'],
  'tweaks that nobody asked for, and other spellings',
  async ({ bench }) => {
    const value = newValue(bench, DIGITS, 16)
    const seen: Record<string, number> = {}
    for (const source of ['internal', 'generated']) {
      const scheme = await newScheme(bench, 'fpe', { fields: { tweak_source: source } })
      seen[source] = (await scheme.encode(value, { tweak: newTweak(bench) }, OBSERVING)).status
    }
    bench.observe('TRANSFORM-TWEAK-13', seen)
    const scheme = await newScheme(bench)
    bench.observe('TRANSFORM-TWEAK-14', {
      'URL-safe': (await scheme.encode(value, { tweak: '-_-_-_-_-w==' }, OBSERVING)).status,
      'without padding': (await scheme.encode(value, { tweak: 'AQIDBAUGBw' }, OBSERVING)).status,
    })
  },
)

check('transform/tweak-sources', 'TRANSFORM-FPE-05', 'each source of tweaks has its effect', async ({ bench, expect }) => {
  const value = newValue(bench, WORDS, 32)
  for (const source of ['supplied', 'generated', 'internal'] as const) {
    const scheme = await newScheme(bench, 'fpe', { letters: WORDS, fields: { tweak_source: source } })
    const without = await scheme.encode(value, { tweak: undefined })
    expect(without.ok, `encoding without a tweak, source ${source}`).toBe(source !== 'supplied')
    if (source === 'supplied') continue
    const tweak = source === 'generated' ? tweakIn(without.data) : undefined
    // How a value is decoded whose generated tweak is not returned is not said.
    if (source === 'generated' && tweak === undefined) continue
    const decoded = await scheme.decode(String(without.data.encoded_value), { tweak })
    expect(decoded.data.decoded_value === value, `the value came back, source ${source}`).toBe(true)
  }
})
