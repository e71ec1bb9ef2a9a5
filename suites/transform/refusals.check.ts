/** Values: which are required, what becomes of strange ones, and that nothing shows them where they do not belong. */
import { type Answer, type Bench, check, nastyTexts, neverShown } from '../../harness/checks/index.ts'
import { DIGITS, newScheme, newValue, OBSERVING, WORDS } from './fixtures.ts'

for (const [action, clause] of [
  ['encode', 'TRANSFORM-ENCODE-02'],
  ['decode', 'TRANSFORM-DECODE-02'],
] as const)
  check(`transform/${action}-value-missing`, clause, 'a value is required', async ({ bench }) => {
    for (const kind of action === 'encode' ? (['fpe', 'masking'] as const) : (['fpe'] as const)) {
      const scheme = await newScheme(bench, kind)
      const plain = newValue(bench, DIGITS, 16)
      const value = action === 'encode' ? plain : await scheme.encoded(plain)
      const { value: _missing, ...rest } = scheme.item(value)
      const path = { role_name: scheme.role }
      for (const body of [rest, {}])
        await bench.refuses(`transform.${action}`, {
          label: kind,
          bad: { path, body, invalid: true },
          control: { path, body: scheme.item(value) },
          unchanged: null,
          because: 'coding a value changes nothing',
        })
    }
  })

check('transform/values-that-do-not-match', 'TRANSFORM-ENCODE-05', 'a value that its template does not match', async ({ bench }) => {
  const scheme = await newScheme(bench)
  const seen: Record<string, number> = {}
  for (const [about, value] of Object.entries({ letters: 'abcdefghijklmnop', short: '12', empty: '', partly: `1234567890123456x` }))
    seen[about] = (await scheme.encode(value, {}, OBSERVING)).status
  bench.observe('TRANSFORM-ENCODE-05', seen)
})

/** Texts that break what is written in a hurry. */
const strange = (bench: Bench): string[] => [
  ...nastyTexts,
  'x'.repeat(1_000_000),
  '9'.repeat(10_000),
  `${newValue(bench, DIGITS, 16)}\u0000`,
  '１２３４５６７８９０１２３４５６',
]

check('transform/strange-values', 'TRANSFORM-SECRET-03', 'no text makes the service fail', async ({ bench, expect }) => {
  const schemes = [
    await newScheme(bench),
    await newScheme(bench, 'masking'),
    await newScheme(bench, 'fpe', { fields: { tweak_source: 'internal' } }),
  ]
  const open = [await newScheme(bench, 'masking', { pattern: '(?s)(.*)' }), await newScheme(bench, 'fpe', { pattern: '(?s)(.*)' })]
  for (const scheme of bench.few([...schemes, ...open], 2))
    for (const value of bench.few(strange(bench), 4)) {
      for (const answer of [await scheme.encode(value), await scheme.decode(value)])
        expect(answer.status, `${answer.operation} of a text of ${value.length}`).toBeLessThan(500)
    }
  expect(await schemes[0]!.encode(newValue(bench, DIGITS, 16)), 'an ordinary value afterwards').toSucceed()
})

check(
  'transform/values-not-shown',
  ['TRANSFORM-SECRET-01', 'TRANSFORM-SECRET-02'],
  'values are shown to nobody who does not decode them',
  { kind: 'security' },
  async (context) => {
    const { bench } = context
    const scheme = await newScheme(bench, 'fpe', { letters: WORDS })
    const stranger = await newScheme(bench, 'masking', { letters: WORDS })
    const value = newValue(bench, WORDS, 32)
    const path = { role_name: scheme.role }
    const refused: Answer[] = [
      await scheme.encode(value, { transformation: bench.fresh('none') }),
      await scheme.encode(value, { tweak: 'short' }),
      await scheme.encode(`${value}!`),
      await scheme.decode(`${value}!`),
      await bench.call('transform.encode', { path, body: stranger.item(value) }),
      await bench.call('transform.encode', { path: { role_name: bench.fresh('nobody') }, body: scheme.item(value) }),
    ]
    await bench.decide('TRANSFORM-SECRET-01', () =>
      neverShown(
        context,
        refused.filter(({ ok }) => !ok),
        [value],
      ),
    )
    await scheme.encoded(value)
    const transformation = { name: scheme.name }
    const reads: Answer[] = [
      await bench.call('transform.readTransformation', { path: transformation }),
      await bench.call('transform.readTemplate', { path: { name: scheme.template } }),
      await bench.call('transform.readRole', { path: { name: scheme.role } }),
      await bench.call('transform.listTransformations'),
      await bench.call('transform.listTemplates'),
      await bench.call('transform.listRoles'),
      await bench.call('transform.listAlphabets'),
    ]
    await bench.decide('TRANSFORM-SECRET-02', () => neverShown(context, reads, [value]))
  },
)
