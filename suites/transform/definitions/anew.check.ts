/** What is created again under a deleted name, and what counts once something is written again. */
import { check, type JsonObject, textsIn } from '../../../harness/checks/index.ts'
import { DIGITS, newTemplate, newTweak, newValue, using, WRITES } from '../fixtures.ts'

/** Transformations of two types whose optional fields are not the defaults. */
const FULL: ['fpe' | 'masking', JsonObject][] = [
  ['masking', { masking_character: '#' }],
  ['fpe', { tweak_source: 'internal' }],
]

for (const [kind, fields] of FULL)
  check(
    `transform/${kind}-anew-by-default`,
    'TRANSFORM-READ-11',
    'a transformation created again has nothing of the deleted one',
    async ({ bench, expect }) => {
      const [name, template] = [bench.fresh(kind), await newTemplate(bench)]
      const role = bench.mixedName('role')
      const path = { name }
      const [use, value] = [using(bench, role, name), newValue(bench, DIGITS, 16)]
      await bench.given(WRITES[kind], { path, body: { template, allowed_roles: [role], ...fields } })
      await bench.given('transform.writeRole', { path: { name: role }, body: { transformations: [name] } })
      expect(await use.encode(value), 'by what is written').toSucceed()
      await bench.given('transform.deleteTransformation', { path })
      await bench.given(WRITES[kind], { path, body: { template } })
      expect(await use.encode(value), 'without allowed_roles').toBeRefused()
      await bench.given('transform.deleteTransformation', { path })
      await bench.given(WRITES[kind], { path, body: { template, allowed_roles: [role] } })
      if (kind === 'masking') expect((await use.encoded(value)) === '*'.repeat(16), 'masked by the default').toBe(true)
      else {
        expect(await use.encode(value), 'without a tweak').toBeRefused()
        expect(await use.encode(value, { tweak: newTweak(bench) }), 'with a tweak').toSucceed()
      }
    },
  )

check(
  'transform/template-counts',
  'TRANSFORM-TEMPLATE-18',
  'values are coded by a template as it was written last',
  async ({ bench, expect }) => {
    const [first, last] = ['([0-9]{8})-[0-9]{8}', '[0-9]{8}-([0-9]{8})']
    const value = `${newValue(bench, DIGITS, 8)}-${newValue(bench, DIGITS, 8)}`
    for (const kind of ['masking', 'fpe'] as const) {
      const template = await newTemplate(bench, DIGITS, first)
      const [name, role] = [bench.fresh(kind), bench.mixedName('role')]
      await bench.given(WRITES[kind], { path: { name }, body: { template, allowed_roles: [role] } })
      await bench.given('transform.writeRole', { path: { name: role }, body: { transformations: [name] } })
      const use = using(bench, role, name, kind === 'fpe' ? newTweak(bench) : undefined)
      expect((await use.encoded(value)).slice(9) === value.slice(9), 'what the first pattern retains').toBe(true)
      const read = await bench.given('transform.readTemplate', { path: { name: template } })
      const again = await bench.call('transform.writeTemplate', {
        path: { name: template },
        body: { type: 'regex', pattern: last, alphabet: read.data.alphabet! },
      })
      const encoded = String((await use.encode(value)).data.encoded_value)
      const retained = again.ok ? encoded.slice(0, 8) === value.slice(0, 8) : encoded.slice(9) === value.slice(9)
      expect(retained, `what the pattern that was written last retains, ${kind}`).toBe(true)
      if (kind === 'fpe') expect((await use.decode(encoded)).data.decoded_value === value, 'the value came back').toBe(true)
    }
  },
)

check(
  'transform/alphabet-counts',
  'TRANSFORM-ALPHABET-13',
  'values are encrypted over the characters that an alphabet was written with last',
  async ({ bench, expect }) => {
    const [alphabet, template, name, role] = [
      bench.mixedName('alphabet'),
      bench.mixedName('template'),
      bench.mixedName('fpe'),
      bench.mixedName('role'),
    ]
    await bench.given('transform.writeAlphabet', { path: { name: alphabet }, body: { alphabet: DIGITS } })
    await bench.given('transform.writeTemplate', { path: { name: template }, body: { type: 'regex', pattern: '([0-9a-f]+)', alphabet } })
    await bench.given('transform.writeFpe', { path: { name }, body: { template, allowed_roles: [role] } })
    await bench.given('transform.writeRole', { path: { name: role }, body: { transformations: [name] } })
    const use = using(bench, role, name, newTweak(bench))
    const [digits, letters] = [newValue(bench, DIGITS, 16), newValue(bench, 'abcdef', 16)]
    const backOf = async (value: string) => {
      const encoded = String((await use.encode(value)).data.encoded_value)
      return (await use.decode(encoded)).data.decoded_value
    }
    expect((await backOf(digits)) === digits, 'digits by the first').toBe(true)
    const again = await bench.call('transform.writeAlphabet', { path: { name: alphabet }, body: { alphabet: `${DIGITS}abcdef` } })
    const value = again.ok ? letters : digits
    expect((await backOf(value)) === value, 'by what was written last').toBe(true)
  },
)

check(
  'transform/older-path-again',
  'TRANSFORM-READ-02',
  'what the older path writes again counts as written last',
  async ({ bench, expect }) => {
    const template = await newTemplate(bench)
    for (const type of ['fpe', 'masking', 'tokenization']) {
      const path = { name: bench.fresh(type) }
      for (const allowed_roles of [[bench.mixedName('one')], [], [bench.mixedName('two'), bench.fresh('three')]]) {
        await bench.given('transform.writeTransformation', { path, body: { type, template, allowed_roles } })
        const read = await bench.call('transform.readTransformation', { path })
        expect(textsIn(read.data.allowed_roles).sort(), `allowed_roles of ${type}`).toEqual([...allowed_roles].sort())
      }
    }
  },
)
