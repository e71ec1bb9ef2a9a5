/** Masking replaces the characters of the group and nothing else, for good. */
import { type CheckContext, check, type JsonObject, property } from '../../../harness/checks/index.ts'
import { DIGITS, newScheme, newValue, resultsOf, using } from '../fixtures.ts'
import { patternOf, type Shape, shapes } from '../fpe/shapes.ts'

const CHARACTERS: [written: string | undefined, used: string][] = [
  [undefined, '*'],
  ['#', '#'],
  ['x', 'x'],
  ['•', '•'],
  ['😀', '😀'],
  ['7', '7'],
]

/** Values as people have them: numbers of cards and telephones, and names, with what separates or joins their parts inside the group. */
const PEOPLE: Shape[] = [
  { letters: '0123456789 -', before: '', group: '4111 1111-1111 1111', after: '' },
  { letters: '0123456789 -()+/.', before: 'tel:', group: '+49 (30) 123-456/7.8', after: '' },
  { letters: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ '-.", before: '', group: "Mary-Ann O'Neill Jr.", after: '' },
]

property(
  'transform/masked',
  ['TRANSFORM-MASK-01', 'TRANSFORM-MASK-04'],
  'exactly the characters of the group are masked',
  { runs: [12, 40], first: PEOPLE },
  shapes,
  async ({ bench, expect }: CheckContext, shape: Shape) => {
    const pattern = patternOf(shape)
    const scheme = await bench.memo(`${shape.letters} ${pattern}`, () => newScheme(bench, 'masking', { letters: shape.letters, pattern }))
    const encoded = await scheme.encoded(`${shape.before}${shape.group}${shape.after}`)
    const end = encoded.length - shape.after.length
    await bench.decide('TRANSFORM-MASK-04', () =>
      expect([encoded.slice(0, shape.before.length), encoded.slice(end)]).toEqual([shape.before, shape.after]),
    )
    await bench.decide('TRANSFORM-MASK-01', () => expect(encoded.slice(shape.before.length, end)).toBe('*'.repeat([...shape.group].length)))
  },
)

check(
  'transform/masking-characters',
  ['TRANSFORM-MASK-02', 'TRANSFORM-MASK-03', 'TRANSFORM-MASKING-08'],
  'the first written character masks',
  async ({ bench, expect }) => {
    const value = newValue(bench, DIGITS, 12)
    const made: { encoded(text: string): Promise<string>; used: string }[] = []
    for (const [written, used] of bench.few(CHARACTERS, 2)) {
      const scheme = await newScheme(bench, 'masking', {
        pattern: 'id:([0-9]+);',
        fields: written === undefined ? {} : { masking_character: written },
      })
      made.push({ encoded: (text) => scheme.encoded(text), used })
      await bench.decide('TRANSFORM-MASK-02', async () => expect(await scheme.encoded(`id:${value};`)).toBe(`id:${used.repeat(12)};`))
    }
    for (const { encoded, used } of made)
      await bench.decide('TRANSFORM-MASK-02', async () =>
        expect(await encoded(`id:${value};`), 'once others were made').toBe(`id:${used.repeat(12)};`),
      )
    for (const written of bench.few(['#-', 'ab', '**', '😀😁', '•x', 'é', '12'])) {
      const scheme = await newScheme(bench, 'masking', { fields: { masking_character: written } })
      await bench.decide('TRANSFORM-MASK-03', async () => expect(await scheme.encoded(value)).toBe([...written][0]!.repeat(12)))
    }
    for (const written of ['#-', '😀😁']) {
      const scheme = await newScheme(bench, 'masking')
      const name = bench.mixedName('older')
      const body = { type: 'masking', template: scheme.template, masking_character: written, allowed_roles: [scheme.role] }
      await bench.given('transform.writeTransformation', { path: { name }, body })
      await bench.given('transform.writeRole', { path: { name: scheme.role }, body: { transformations: [name] } })
      const masked = await using(bench, scheme.role, name).encode(value)
      await bench.decide('TRANSFORM-MASK-03', () =>
        expect(masked.data.encoded_value, 'by the older path').toBe([...written][0]!.repeat(12)),
      )
    }
    const scheme = await newScheme(bench, 'masking', { fields: { masking_character: '#' } })
    let last = '#'
    for (const [character, operation] of [
      ['+', 'writeMasking'],
      ['*', 'writeMasking'],
      ['x', 'writeTransformation'],
      ['#', 'writeMasking'],
      ['+', 'writeTransformation'],
    ] as const) {
      await bench.decide('TRANSFORM-MASKING-08', async () => expect(await scheme.encoded(value)).toBe(last.repeat(12)))
      const type: JsonObject = operation === 'writeMasking' ? {} : { type: 'masking' }
      const body = { ...type, template: scheme.template, masking_character: character, allowed_roles: [scheme.role] }
      const again = await bench.call(`transform.${operation}`, { path: { name: scheme.name }, body })
      if (again.ok) last = character
      await bench.decide('TRANSFORM-MASKING-08', async () => expect(await scheme.encoded(value)).toBe(last.repeat(12)))
    }
  },
)

check(
  'transform/masked-lengths',
  'TRANSFORM-MASK-01',
  'as many characters are masked as the group has, few and many, alone and in a batch',
  async ({ bench, expect }) => {
    // A value that is made of the masking character, in part or as a whole, is masked like others.
    for (const [letters, masking_character] of [
      [DIGITS, '*'],
      ['01*', '*'],
      ['😀😁é', '•'],
      ['ab', 'a'],
    ] as const) {
      const scheme = await newScheme(bench, 'masking', { letters, fields: { masking_character } })
      const lengths = [1, 2, 3, 7, 16, 31, 64, 65, 100, 128, 255, 256, 257, 1_000, 1_025, 10_000]
      const values = [...bench.few(lengths, 3).map((length) => newValue(bench, letters, length)), [...letters].at(-1)!.repeat(5)]
      const batch_input = values.map((value) => scheme.item(value))
      const answer = await bench.call('transform.encode', { path: { role_name: scheme.role }, body: { batch_input } })
      for (const [place, value] of values.entries()) {
        const masked = masking_character.repeat([...value].length)
        expect((await scheme.encode(value)).data.encoded_value, `${[...value].length} characters`).toBe(masked)
        expect(resultsOf(answer)[place]?.encoded_value, `${[...value].length} characters in a batch`).toBe(masked)
      }
    }
  },
)

check(
  'transform/masked-for-good',
  'TRANSFORM-MASK-05',
  'what was masked does not come back',
  { kind: 'security' },
  async ({ bench, expect }) => {
    const scheme = await newScheme(bench, 'masking', { pattern: '([0-9*]+)' })
    for (const length of [8, 16, 30]) {
      const value = newValue(bench, DIGITS, length)
      const encoded = await scheme.encoded(value)
      for (const tried of [encoded, value]) {
        const answer = await scheme.decode(tried)
        expect(answer.status, 'status of decoding').toBeLessThan(500)
        if (tried === encoded) expect(answer.text.includes(value), 'the value').toBe(false)
      }
      const batch_input = [scheme.item(encoded), scheme.item(encoded)]
      const batch = await bench.call('transform.decode', { path: { role_name: scheme.role }, body: { batch_input } })
      expect(batch.status, 'status of decoding a batch').toBeLessThan(500)
      expect(batch.text.includes(value), 'the value in a batch').toBe(false)
    }
  },
)
