/** Items of a batch stand apart: what one of them lacks, or is told, says nothing of the others. */
import { check } from '../../../harness/checks/index.ts'
import { DIGITS, newRole, newScheme, newValue, plaintextOf, resultsOf, type Scheme, type SchemeOptions, WORDS } from '../fixtures.ts'
import { send, three, words } from './fixtures.ts'

check(
  'transform/batch-items-lack',
  ['TRANSFORM-BATCH-03', 'TRANSFORM-BATCH-04', 'TRANSFORM-ACCESS-12'],
  'what an item of a batch lacks is not taken from its neighbours',
  async ({ bench, expect }) => {
    const { role, schemes } = await three(bench)
    const [one] = schemes
    const value = words(bench)
    const encoded = await one.encoded(value)
    for (const [missing, onEncode, onDecode] of [
      ['transformation', 'TRANSFORM-BATCH-03', 'TRANSFORM-ACCESS-12'],
      ['tweak', 'TRANSFORM-BATCH-04', 'TRANSFORM-BATCH-04'],
    ] as const)
      for (const [action, clause, given, wanted] of [
        ['encode', onEncode, value, encoded],
        ['decode', onDecode, encoded, value],
      ] as const) {
        const [whole, bare] = [one.item(given), one.item(given, { [missing]: undefined })]
        const control = resultsOf(await send(bench, action, role, [whole, whole]))
        for (const items of [
          [whole, bare],
          [bare, whole],
          [whole, bare, whole],
        ]) {
          const answer = await send(bench, action, role, items)
          await bench.decide(clause, () => {
            expect(control.map(plaintextOf), `${action}: two items that lack nothing`).toEqual([wanted, wanted])
            expect(answer.status, `${action}: status beside an item without ${missing}`).toBeLessThan(500)
            expect(plaintextOf(resultsOf(answer)[items.indexOf(bare)]) === wanted, `${action}: done without ${missing}`).toBe(false)
          })
        }
      }
  },
)

/** Transformations that differ in what only they know: masking character, source of the tweak, alphabet, pattern. Each takes 32 digits. */
const DIFFERENT: ['fpe' | 'masking', SchemeOptions][] = [
  ['masking', { fields: { masking_character: '#' } }],
  ['masking', { fields: { masking_character: '•' } }],
  ['masking', { pattern: '[0-9]{8}([0-9]+)' }],
  ['fpe', { letters: WORDS, fields: { tweak_source: 'internal' } }],
  ['fpe', { letters: DIGITS, fields: { tweak_source: 'internal' } }],
  ['fpe', { letters: '9876543210fedcba', fields: { tweak_source: 'internal' } }],
  ['fpe', { letters: WORDS, pattern: '([0-9a-z]{16})[0-9]{16}', fields: { tweak_source: 'supplied' } }],
  ['fpe', { letters: DIGITS, pattern: '[0-9]{16}([0-9]{16})', fields: { tweak_source: 'supplied' } }],
]

check(
  'transform/batch-transformations',
  'TRANSFORM-BATCH-03',
  'each item of a batch goes by the settings of its own transformation',
  async ({ bench, expect }) => {
    const role = await newRole(bench, [])
    const schemes: Scheme[] = []
    for (const [kind, options] of DIFFERENT) schemes.push(await newScheme(bench, kind, { ...options, alsoAllowed: [role] }))
    await bench.given('transform.writeRole', { path: { name: role }, body: { transformations: schemes.map(({ name }) => name) } })
    const value = newValue(bench, DIGITS, 32)
    const alone: string[] = []
    for (const scheme of schemes) alone.push(await scheme.encoded(value))
    for (const order of [
      [...schemes.keys()],
      [...schemes.keys()].reverse(),
      bench.random.shuffle([...schemes.keys(), ...schemes.keys()]),
    ]) {
      const answer = await send(
        bench,
        'encode',
        role,
        order.map((index) => schemes[index]!.item(value)),
      )
      expect(
        resultsOf(answer).map(({ encoded_value }) => encoded_value),
        'each as alone',
      ).toEqual(order.map((index) => alone[index]))
      const encrypted = order.filter((index) => DIFFERENT[index]![0] === 'fpe')
      const back = await send(
        bench,
        'decode',
        role,
        encrypted.map((index) => schemes[index]!.item(alone[index]!)),
      )
      expect(
        resultsOf(back).map((result) => plaintextOf(result) === value),
        'each value came back',
      ).toEqual(encrypted.map(() => true))
    }
  },
)
