/** Concurrent requests: some order of them explains all answers. */
import { type Answer, type Bench, check } from '../../harness/checks/index.ts'
import { newScheme, newValue, plaintextOf, resultsOf, tweakIn, WORDS } from './fixtures.ts'
import { newText, newTokens } from './tokens/fixtures.ts'

const AT_ONCE = 8

const together = (count: number, one: (index: number) => Promise<Answer>): Promise<Answer[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => one(index)))

const rounds = (bench: Bench): number[] => Array.from({ length: bench.effort(1, 5) }, (_, round) => round)

check(
  'transform/race-encode',
  'TRANSFORM-RACE-01',
  'values that are encoded at once are all decoded',
  { kind: 'race' },
  async ({ bench, expect }) => {
    const tokens = await newTokens(bench)
    const scheme = await newScheme(bench, 'fpe', { letters: WORDS, fields: { tweak_source: 'generated' } })
    for (const _round of rounds(bench)) {
      const [text, word] = [newText(bench), newValue(bench, WORDS, 32)]
      const made = await together(AT_ONCE, () => tokens.encode(text))
      for (const answer of made) {
        expect(answer, 'one of many encodings').toSucceed()
        expect((await tokens.decode(String(answer.data.encoded_value))).data.decoded_value === text, 'the value came back').toBe(true)
      }
      const encoded = await together(AT_ONCE, () => scheme.encode(word))
      for (const { data } of encoded) {
        const tweak = tweakIn(data)
        if (tweak === undefined) continue
        const decoded = await scheme.decode(String(data.encoded_value), { tweak })
        expect(decoded.data.decoded_value === word, 'the value came back').toBe(true)
      }
    }
  },
)

check(
  'transform/race-neighbours',
  'TRANSFORM-RACE-02',
  'no answer holds what another caller asked for',
  { kind: 'race' },
  async ({ bench, expect }) => {
    const all = await Promise.all(Array.from({ length: 4 }, () => newScheme(bench, 'fpe', { letters: WORDS })))
    for (const _round of rounds(bench)) {
      const values = all.map(() => newValue(bench, WORDS, 32))
      const alone: string[] = []
      for (const [index, scheme] of all.entries()) alone.push(await scheme.encoded(values[index]!))
      const crowd = await together(all.length * 4, (index) => {
        const which = index % all.length
        return index % 2 === 0 ? all[which]!.encode(values[which]!) : all[which]!.decode(alone[which]!)
      })
      for (const [index, answer] of crowd.entries()) {
        const which = index % all.length
        if (index % 2 === 0) expect(answer.data.encoded_value, 'encoded in the crowd').toBe(alone[which])
        else expect(answer.data.decoded_value === values[which], 'decoded in the crowd').toBe(true)
      }
      const batches = await together(all.length, (which) =>
        bench.call('transform.decode', { path: { role_name: all[which]!.role }, body: { batch_input: [all[which]!.item(alone[which]!)] } }),
      )
      for (const [which, answer] of batches.entries())
        expect(plaintextOf(resultsOf(answer)[0]) === values[which], 'decoded by a batch in the crowd').toBe(true)
    }
  },
)

check(
  'transform/race-deletion',
  ['TRANSFORM-RACE-03', 'TRANSFORM-RACE-06'],
  'what is deleted while others use it is used or refused, and refused afterwards',
  { kind: 'race' },
  async ({ bench, expect }) => {
    for (const round of rounds(bench)) {
      const scheme = await newScheme(bench, 'fpe', { letters: WORDS })
      const value = newValue(bench, WORDS, 32)
      const encoded = await scheme.encoded(value)
      const end =
        round % 2 === 0
          ? () => bench.call('transform.deleteTransformation', { path: { name: scheme.name } })
          : () => bench.call('transform.writeFpe', { path: { name: scheme.name }, body: { template: scheme.template, allowed_roles: [] } })
      const answers = await together(AT_ONCE, (index) => (index === 3 ? end() : scheme.decode(encoded)))
      await bench.decide('TRANSFORM-RACE-06', () => {
        expect(answers[3], 'the change').toSucceed()
        for (const [index, answer] of answers.entries()) {
          if (index === 3) continue
          expect(answer.status, 'status of a use meanwhile').toBeLessThan(500)
          if (answer.ok) expect(answer.data.decoded_value === value, 'the value came back').toBe(true)
        }
      })
      // A change that met uses may fail; it is then made alone.
      if (!answers[3]!.ok && !(await end()).ok) bench.blocked('the transformation can be neither deleted nor closed', 'see its answers')
      const afterwards = await scheme.decode(encoded)
      await bench.decide('TRANSFORM-RACE-03', () => expect(afterwards, 'a use afterwards').toBeRefused())
    }
  },
)
