/** What is deleted and made again under its name, alone or with everything that used it. */
import { check, type JsonObject, recreated } from '../../../harness/checks/index.ts'
import { classOf, DIGITS, newAlphabet, newTemplate, newTweak, newValue, using, withTransformations } from '../fixtures.ts'

const [LOWER, UPPER] = ['abcdefghijklmnop', 'ABCDEFGHIJKLMNOP']

check(
  'transform/alphabet-recreated',
  'TRANSFORM-ALPHABET-12',
  'values are encrypted over the characters of the alphabet that is there now, not of one that was deleted',
  async ({ bench, expect }) => {
    const [alphabet, template, name, role] = [
      bench.mixedName('alphabet'),
      bench.mixedName('template'),
      bench.mixedName('fpe'),
      bench.mixedName('role'),
    ]
    await bench.given('transform.writeRole', { path: { name: role }, body: { transformations: [name] } })
    for (const letters of [DIGITS, LOWER, UPPER]) {
      const pattern = `(${classOf(letters)}+)`
      await bench.given('transform.writeAlphabet', { path: { name: alphabet }, body: { alphabet: letters } })
      await bench.given('transform.writeTemplate', { path: { name: template }, body: { type: 'regex', pattern, alphabet } })
      await bench.given('transform.writeFpe', { path: { name }, body: { template, allowed_roles: [role] } })
      const use = using(bench, role, name, newTweak(bench))
      const value = newValue(bench, letters, 16)
      const answer = await use.encode(value)
      const encoded = String(answer.data.encoded_value)
      expect(answer, 'encoding over the characters of now').toSucceed()
      expect(
        [...encoded].filter((letter) => !letters.includes(letter)),
        'characters outside the alphabet of now',
      ).toEqual([])
      expect(encoded === value, 'left as it was').toBe(false)
      expect((await use.decode(encoded)).data.decoded_value === value, 'the value came back').toBe(true)
      // What is used is deleted last: whether it could go before is not said.
      await bench.given('transform.deleteTransformation', { path: { name } })
      await bench.given('transform.deleteTemplate', { path: { name: template } })
      await bench.given('transform.deleteAlphabet', { path: { name: alphabet } })
    }
  },
)

check(
  'transform/template-made-again',
  'TRANSFORM-TEMPLATE-13',
  'a template that is made again codes by the pattern that it has now',
  async ({ bench, expect }) => {
    const [template, name, role, alphabet] = [
      bench.mixedName('template'),
      bench.mixedName('mask'),
      bench.mixedName('role'),
      await newAlphabet(bench, DIGITS),
    ]
    await bench.given('transform.writeRole', { path: { name: role }, body: { transformations: [name] } })
    const value = newValue(bench, DIGITS, 16)
    for (const [pattern, masked] of [
      ['([0-9]{8})[0-9]{8}', `${'*'.repeat(8)}${value.slice(8)}`],
      ['[0-9]{8}([0-9]{8})', `${value.slice(0, 8)}${'*'.repeat(8)}`],
      ['([0-9]{16})', '*'.repeat(16)],
    ] as const) {
      await bench.given('transform.writeTemplate', { path: { name: template }, body: { type: 'regex', pattern, alphabet } })
      await bench.given('transform.writeMasking', { path: { name }, body: { template, allowed_roles: [role] } })
      expect((await using(bench, role, name).encode(value)).data.encoded_value === masked, `masked by ${pattern}`).toBe(true)
      await bench.given('transform.deleteTransformation', { path: { name } })
      await bench.given('transform.deleteTemplate', { path: { name: template } })
    }
  },
)

recreated('transform/template-recreated', 'TRANSFORM-TEMPLATE-13', 'a template that is made again has nothing of the deleted one', {
  operations: { write: 'transform.writeTemplate', read: 'transform.readTemplate', remove: 'transform.deleteTemplate' },
  async recreations({ bench }) {
    const body: JsonObject = { type: 'regex', pattern: '([0-9]+)' }
    return [
      {
        what: 'without an alphabet',
        full: async () => ({ ...body, alphabet: await newAlphabet(bench, '0123456789abcdef') }),
        bare: async () => body,
      },
    ]
  },
})

recreated('transform/role-recreated', 'TRANSFORM-ROLE-09', 'a role that is made again has nothing of the deleted one', {
  operations: { write: 'transform.writeRole', read: 'transform.readRole', remove: 'transform.deleteRole' },
  recreations: async ({ bench }) => [
    {
      what: 'without transformations',
      full: async () => ({ transformations: await withTransformations(bench, [bench.mixedName('any')]) }),
      bare: async () => ({}),
    },
  ],
})

for (const [kind, write, full] of [
  ['fpe', 'transform.writeFpe', { tweak_source: 'internal', allowed_roles: ['one', 'two'] }],
  ['masking', 'transform.writeMasking', { masking_character: '#', allowed_roles: ['one', 'two'] }],
  ['tokenization', 'transform.writeTokenization', { allowed_roles: ['one', 'two'], max_ttl: '1h', mapping_mode: 'exportable' }],
] as const)
  recreated(`transform/${kind}-recreated`, 'TRANSFORM-READ-11', 'a transformation that is made again has nothing of the deleted one', {
    operations: { write, read: 'transform.readTransformation', remove: 'transform.deleteTransformation' },
    async recreations({ bench }) {
      const template: JsonObject = kind === 'tokenization' ? {} : { template: await newTemplate(bench) }
      return [
        {
          what: 'without its optional fields',
          full: async () => ({ ...template, ...full, allowed_roles: [...full.allowed_roles] }),
          bare: async () => template,
        },
      ]
    },
  })
