/** Long lists of names: the first and the last of them count as the others do. */
import { check } from '../../../harness/checks/index.ts'
import { DIGITS, newScheme, newValue, using } from '../fixtures.ts'

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
