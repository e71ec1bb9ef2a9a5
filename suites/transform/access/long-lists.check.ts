/** Lists of a role that are long, or name transformations of several types. */
import { type Answer, check, type JsonObject } from '../../../harness/checks/index.ts'
import { DIGITS, nearNames, newScheme, newTweak, newValue, resultsOf, using, WORDS, withTransformations } from '../fixtures.ts'
import { asking, newTokens } from '../tokens/fixtures.ts'

check('transform/long-lists', 'TRANSFORM-ACCESS-13', 'every name of a long list counts, on either side', async ({ bench, expect }) => {
  const value = newValue(bench, DIGITS, 16)
  const fill = (count: number): string[] => Array.from({ length: count }, (_, place) => `${bench.fresh('filler')}-${place}`)
  const others = await withTransformations(bench, fill(110))
  for (const [before, after] of [
    [1, 0],
    [20, 20],
    [300, 0],
    [0, 300],
  ] as const) {
    const role = bench.mixedName('role')
    const scheme = await newScheme(bench, 'fpe', { fields: { allowed_roles: [...fill(before), role, ...fill(after)] } })
    await bench.given('transform.writeRole', {
      path: { name: role },
      body: { transformations: [...others.slice(0, before), scheme.name, ...others.slice(before, before + after)] },
    })
    const use = using(bench, role, scheme.name, scheme.tweak)
    const encoded = await use.encode(value)
    expect(encoded, `encoding, ${before} names before and ${after} behind`).toSucceed()
    expect((await use.decode(String(encoded.data.encoded_value))).data.decoded_value === value, 'the value came back').toBe(true)
  }
})

check(
  'transform/several-types-unnamed',
  'TRANSFORM-ACCESS-07',
  'a role with transformations of several types has to name one',
  { kind: 'security' },
  async ({ bench, expect }) => {
    for (const others of [[0], [1], [0, 1]]) {
      const role = bench.mixedName('role')
      const options = { letters: WORDS, alsoAllowed: [role] }
      const all = [await newTokens(bench, {}, [role]), await newScheme(bench, 'masking', options)]
      const last = await newScheme(bench, 'fpe', { ...options, fields: { tweak_source: 'internal' } })
      const names = [...others.map((index) => all[index]!.name), last.name]
      for (const transformations of [names, [...names].reverse()]) {
        await bench.given('transform.writeRole', { path: { name: role }, body: { transformations } })
        const value = newValue(bench, WORDS, 32)
        const path = { role_name: role }
        for (const more of [{}, { tweak: newTweak(bench) }, { ttl: '1h', metadata: 'a=1' }] as JsonObject[])
          expect(
            await bench.call('transform.encode', { path, body: { value, ...more } }),
            `unnamed, with ${Object.keys(more)}`,
          ).toBeRefused()
        const batch = await bench.call('transform.encode', { path, body: { batch_input: [{ value }, { value }] } })
        for (const result of resultsOf(batch)) expect(result.encoded_value || null, 'an item that names none').toBe(null)
        for (const transformation of transformations)
          expect(await bench.call('transform.encode', { path, body: { value, transformation } }), 'named').toSucceed()
      }
    }
  },
)

check(
  'transform/named-to-the-letter',
  ['TRANSFORM-ACCESS-01', 'TRANSFORM-ACCESS-03', 'TRANSFORM-ACCESS-14', 'TRANSFORM-ACCESS-16', 'TRANSFORM-ACCESS-18'],
  'what is nearly the name of a transformation of the role names none',
  { kind: 'security' },
  async ({ bench, expect }) => {
    for (const isAlone of [true, false]) {
      const role = bench.mixedName('role')
      const scheme = await newScheme(bench, 'fpe', { alsoAllowed: [role], fields: { tweak_source: 'internal' } })
      const tokens = asking(bench, role, (await newTokens(bench, {}, [role])).name)
      const names = [scheme.name, tokens.name]
      const lists = isAlone ? names.map((name) => [name]) : [names]
      for (const transformations of lists) {
        await bench.given('transform.writeRole', { path: { name: role }, body: { transformations } })
        for (const named of transformations) {
          const one = named === scheme.name ? using(bench, role, named) : tokens
          const value = newValue(bench, DIGITS, 16)
          const coded = String((await one.encode(value)).data.encoded_value)
          const questions: [string, (transformation: string) => Promise<Answer>][] = [
            ['TRANSFORM-ACCESS-01', (transformation) => one.encode(value, { transformation })],
            ['TRANSFORM-ACCESS-03', (transformation) => one.decode(coded, { transformation })],
          ]
          if (one === tokens)
            questions.push(
              ['TRANSFORM-ACCESS-14', (transformation) => tokens.validate(coded, { transformation })],
              ['TRANSFORM-ACCESS-16', (transformation) => tokens.tokenized(value, { transformation })],
              ['TRANSFORM-ACCESS-18', (transformation) => tokens.metadata(coded, { transformation })],
            )
          const near = [...nearNames(named), named.slice(1), named.slice(0, 4)]
          for (const [clause, ask] of questions) {
            for (const transformation of near) {
              const answer = await ask(transformation)
              await bench.decide(clause, () => expect(answer, `${transformation} in place of ${named}`).toBeRefused())
            }
            const answer = await ask(named)
            await bench.decide(clause, () => expect(answer, named).toSucceed())
          }
          const item = { value, transformation: named }
          const batch_input = [item, ...near.map((transformation) => ({ value, transformation }))]
          const results = resultsOf(await bench.call('transform.encode', { path: { role_name: role }, body: { batch_input } }))
          // A batch may be refused as a whole.
          const answered = results.slice(1).filter((result) => (result.encoded_value || null) !== null)
          await bench.decide('TRANSFORM-ACCESS-01', () => expect(answered, 'items that name none and were encoded').toHaveLength(0))
        }
      }
    }
  },
)
