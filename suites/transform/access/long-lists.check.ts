/** Lists of a role that are long, or name transformations of several types. */
import { check, type JsonObject } from '../../../harness/checks/index.ts'
import { DIGITS, newScheme, newTweak, newValue, resultsOf, using, WORDS } from '../fixtures.ts'
import { newTokens } from '../tokens/fixtures.ts'

check('transform/long-lists', 'TRANSFORM-ACCESS-13', 'every name of a long list counts, on either side', async ({ bench, expect }) => {
  const value = newValue(bench, DIGITS, 16)
  const fill = (count: number): string[] => Array.from({ length: count }, (_, place) => `${bench.fresh('filler')}-${place}`)
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
      body: { transformations: [...fill(before), scheme.name, ...fill(after)] },
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
        for (const result of resultsOf(batch)) expect(result.encoded_value ?? null, 'an item that names none').toBe(null)
        for (const transformation of transformations)
          expect(await bench.call('transform.encode', { path, body: { value, transformation } }), 'named').toSucceed()
      }
    }
  },
)
