/** Batches of a role with one transformation, whose items need not name it; and batches over transformations of every type. */
import { check, type JsonObject } from '../../../harness/checks/index.ts'
import { given, newRole, newScheme, newValue, plaintextOf, resultsOf, type TemplateKind, tweakIn, WORDS } from '../fixtures.ts'
import { newTokens, type Tokens } from '../tokens/fixtures.ts'
import { send, words } from './fixtures.ts'

const KINDS: [kind: TemplateKind, fields: JsonObject][] = [
  ['fpe', { tweak_source: 'supplied' }],
  ['fpe', { tweak_source: 'internal' }],
  ['fpe', { tweak_source: 'generated' }],
  ['masking', {}],
]

check(
  'transform/batch-unnamed',
  'TRANSFORM-ACCESS-06',
  'items of a batch need not name the only transformation of a role',
  async ({ bench, expect }) => {
    for (const [kind, fields] of KINDS) {
      const scheme = await newScheme(bench, kind, { letters: WORDS, fields })
      const values = [words(bench), words(bench), words(bench)]
      // One of them names it.
      const names = [undefined, scheme.name, undefined]
      const items = values.map((value, place) => scheme.item(value, { transformation: names[place] }))
      const encoded = resultsOf(await send(bench, 'encode', scheme.role, items))
      expect(
        encoded.map(({ encoded_value }) => typeof encoded_value),
        `items encoded, ${kind} ${JSON.stringify(fields)}`,
      ).toEqual(['string', 'string', 'string'])
      if (kind === 'masking') {
        for (const { encoded_value } of encoded) expect(encoded_value).toBe('*'.repeat(32))
        continue
      }
      const isGenerated = fields.tweak_source === 'generated'
      // How a value is decoded whose generated tweak is not returned is not said.
      if (isGenerated && encoded.some((result) => tweakIn(result) === undefined)) continue
      const back = encoded.map((result, place) =>
        scheme.item(String(result.encoded_value), { transformation: names[place], ...(isGenerated ? { tweak: tweakIn(result) } : {}) }),
      )
      const decoded = resultsOf(await send(bench, 'decode', scheme.role, back))
      expect(
        decoded.map((result, place) => plaintextOf(result) === values[place]),
        `values that came back, ${kind} ${JSON.stringify(fields)}`,
      ).toEqual([true, true, true])
    }
    const tokens = await newTokens(bench)
    const values = [words(bench), words(bench), words(bench)]
    const names = [undefined, tokens.name, undefined]
    const made = resultsOf(
      await send(
        bench,
        'encode',
        tokens.role,
        values.map((value, place) => given({ value, transformation: names[place] })),
      ),
    )
    const back = made.map(({ encoded_value }, place) => given({ value: String(encoded_value), transformation: names[place] }))
    const decoded = resultsOf(await send(bench, 'decode', tokens.role, back))
    expect(
      decoded.map((result, place) => plaintextOf(result) === values[place]),
      'values of tokens that came back',
    ).toEqual([true, true, true])
  },
)

check(
  'transform/batch-of-every-type',
  ['TRANSFORM-BATCH-03', 'TRANSFORM-BATCH-08'],
  'a batch over transformations of every type is answered item by item',
  async ({ bench, expect }) => {
    const role = await newRole(bench, [])
    const options = { letters: WORDS, alsoAllowed: [role] }
    const schemes = [
      await newScheme(bench, 'fpe', { ...options, fields: { tweak_source: 'internal' } }),
      await newScheme(bench, 'masking', { ...options, fields: { masking_character: '#' } }),
      await newScheme(bench, 'fpe', options),
    ]
    const tokens = [await newTokens(bench, {}, [role]), await newTokens(bench, { max_ttl: '1h' }, [role])]
    const transformations = [...schemes, ...tokens].map(({ name }) => name)
    await bench.given('transform.writeRole', { path: { name: role }, body: { transformations } })
    const makers: (Tokens | (typeof schemes)[number])[] = [...schemes, ...tokens, ...schemes, ...tokens]
    const order = bench.random.shuffle(makers).map((by) => ({ by, value: words(bench) }))
    const item = (by: (typeof makers)[number], value: string): JsonObject =>
      'item' in by ? by.item(value) : { value, transformation: by.name }
    const encoded = resultsOf(
      await send(
        bench,
        'encode',
        role,
        order.map(({ by, value }) => item(by, value)),
      ),
    )
    for (const [place, { by, value }] of order.entries()) {
      const result = String(encoded[place]?.encoded_value)
      const alone = 'item' in by ? result === (await by.encoded(value)) : (await by.decode(result)).data.decoded_value === value
      await bench.decide('TRANSFORM-BATCH-03', () => expect(alone, `item ${place}, as alone`).toBe(true))
    }
    const back = order.flatMap(({ by, value }, place) =>
      by === schemes[1] ? [] : [{ by, value, text: String(encoded[place]?.encoded_value) }],
    )
    const decoded = resultsOf(
      await send(
        bench,
        'decode',
        role,
        back.map(({ by, text }) => item(by, text)),
      ),
    )
    await bench.decide('TRANSFORM-BATCH-08', () =>
      expect(
        decoded.map((result, place) => plaintextOf(result) === back[place]!.value),
        'values that came back',
      ).toEqual(back.map(() => true)),
    )
  },
)

check(
  'transform/batch-generated-decoded',
  ['TRANSFORM-BATCH-08', 'TRANSFORM-TWEAK-09'],
  'items of a batch that were encrypted with generated tweaks are decoded each with its own',
  async ({ bench, expect }) => {
    const scheme = await newScheme(bench, 'fpe', { letters: WORDS, fields: { tweak_source: 'generated' } })
    const shared = newValue(bench, WORDS, 32)
    const values = [shared, words(bench), shared, words(bench)]
    const encoded = resultsOf(
      await send(
        bench,
        'encode',
        scheme.role,
        values.map((value) => scheme.item(value)),
      ),
    )
    const tweaks = encoded.map(tweakIn)
    if (tweaks.some((tweak) => tweak === undefined)) {
      for (const clause of ['TRANSFORM-BATCH-08', 'TRANSFORM-TWEAK-09']) bench.observe(clause, 'not every item returns its tweak')
      return
    }
    const decodedBy = async (tweakOf: (place: number) => number) =>
      resultsOf(
        await send(
          bench,
          'decode',
          scheme.role,
          values.map((_value, place) => scheme.item(String(encoded[place]?.encoded_value), { tweak: tweaks[tweakOf(place)] })),
        ),
      )
    const [own, others] = [await decodedBy((place) => place), await decodedBy((place) => (place + 1) % values.length)]
    await bench.decide('TRANSFORM-BATCH-08', () =>
      expect(
        own.map((result, place) => plaintextOf(result) === values[place]),
        'each with its own tweak',
      ).toEqual(values.map(() => true)),
    )
    await bench.decide('TRANSFORM-TWEAK-09', () =>
      expect(
        // Of a tweak that two items share nothing follows.
        values.filter((value, place) => tweaks[place] !== tweaks[(place + 1) % values.length] && plaintextOf(others[place]) === value)
          .length,
        'values that came back, each with the tweak of the next',
      ).toBe(0),
    )
  },
)
