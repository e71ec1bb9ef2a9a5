/** Masking replaces the characters of the group and nothing else, for good. */
import { type CheckContext, check, type JsonObject, property } from '../../../harness/checks/index.ts'
import { DIGITS, newScheme, newValue, using } from '../fixtures.ts'
import { patternOf, type Shape, shapes } from '../fpe/shapes.ts'

const CHARACTERS: [written: string | undefined, used: string][] = [
  [undefined, '*'],
  ['#', '#'],
  ['x', 'x'],
  ['•', '•'],
  ['😀', '😀'],
  ['7', '7'],
]

property(
  'transform/masked',
  ['TRANSFORM-MASK-01', 'TRANSFORM-MASK-04'],
  'exactly the characters of the group are masked',
  { runs: [12, 40, 200] },
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
    for (const [written, used] of CHARACTERS) {
      const scheme = await newScheme(bench, 'masking', {
        pattern: 'id:([0-9]+);',
        fields: written === undefined ? {} : { masking_character: written },
      })
      await bench.decide('TRANSFORM-MASK-02', async () => expect(await scheme.encoded(`id:${value};`)).toBe(`id:${used.repeat(12)};`))
    }
    for (const written of ['#-', 'ab', '**', '😀😁', '•x', 'é', '12'] as const) {
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
    }
  },
)
