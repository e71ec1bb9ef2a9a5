/** Items of a batch stand apart: what one of them lacks, or is told, says nothing of the others. */
import { check } from '../../../harness/checks/index.ts'
import { newRole, newScheme, plaintextOf, resultsOf, type Scheme, type SchemeOptions, WORDS } from '../fixtures.ts'
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

/** Transformations that differ in what only they know: their masking character, or where their tweak comes from. */
const DIFFERENT: ['fpe' | 'masking', SchemeOptions['fields']][] = [
  ['masking', { masking_character: '#' }],
  ['masking', { masking_character: '•' }],
  ['masking', {}],
  ['fpe', { tweak_source: 'internal' }],
  ['fpe', { tweak_source: 'supplied' }],
]

check(
  'transform/batch-transformations',
  'TRANSFORM-BATCH-03',
  'each item of a batch goes by the settings of its own transformation',
  async ({ bench, expect }) => {
    const role = await newRole(bench, [])
    const schemes: Scheme[] = []
    for (const [kind, fields] of DIFFERENT) schemes.push(await newScheme(bench, kind, { letters: WORDS, fields, alsoAllowed: [role] }))
    await bench.given('transform.writeRole', { path: { name: role }, body: { transformations: schemes.map(({ name }) => name) } })
    const value = words(bench)
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
    }
  },
)
