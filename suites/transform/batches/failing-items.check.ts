/** Batches with items that fail, and values that are not a batch. */
import { check, type JsonObject } from '../../../harness/checks/index.ts'
import { newScheme, newTweak, resultsOf, WORDS } from '../fixtures.ts'
import { newTokens } from '../tokens/fixtures.ts'
import { send, three, words } from './fixtures.ts'

check(
  'transform/batch-failing-items',
  ['TRANSFORM-BATCH-09', 'TRANSFORM-BATCH-18'],
  'an item that fails stays alone',
  { kind: 'security' },
  async ({ bench, expect }) => {
    const { role, schemes } = await three(bench)
    const [one] = schemes
    // One side allows each: the transformation, or the role.
    const stranger = await newScheme(bench, 'fpe', { letters: WORDS, alsoAllowed: [role] })
    const deaf = await newScheme(bench, 'fpe', { letters: WORDS })
    const others = {
      stranger: [await newScheme(bench, 'masking', { letters: WORDS, alsoAllowed: [role] }), await newTokens(bench, {}, [role])],
      deaf: [await newScheme(bench, 'masking', { letters: WORDS }), await newTokens(bench)],
    }
    await bench.given('transform.writeRole', {
      path: { name: role },
      body: { transformations: [one.name, deaf.name, ...others.deaf.map(({ name }) => name)] },
    })
    const value = words(bench)
    const alone = await one.encoded(value)
    const bad: JsonObject[] = [
      stranger.item(value),
      deaf.item(value),
      ...[...others.stranger, ...others.deaf].map(({ name }) => ({ value, transformation: name })),
      one.item(value, { tweak: newTweak(bench, 6) }),
      one.item(value, { transformation: bench.fresh('none') }),
    ]
    for (const item of bad)
      for (const items of bench.few(
        [
          [one.item(value), item, one.item(value)],
          [item, one.item(value)],
          [one.item(value), item],
        ],
        1,
      )) {
        const answer = await send(bench, 'encode', role, items)
        const results = resultsOf(answer)
        const place = items.indexOf(item)
        await bench.decide('TRANSFORM-BATCH-18', () => {
          expect(answer.status, 'status').toBeLessThan(500)
          expect(results[place]?.encoded_value || null, 'what the role may not have').toBe(null)
        })
        await bench.decide('TRANSFORM-BATCH-09', () => {
          expect(results.length, 'results').toBe(items.length)
          for (const [index, result] of results.entries()) if (index !== place) expect(result.encoded_value).toBe(alone)
        })
      }
    const encoded: JsonObject[] = []
    for (const scheme of [stranger, deaf]) encoded.push(scheme.item(await scheme.encoded(value)))
    for (const { name, token } of [others.stranger[1]!, others.deaf[1]!].filter((other) => 'token' in other))
      encoded.push({ value: await token(value), transformation: name })
    for (const item of encoded)
      for (const items of bench.few(
        [
          [one.item(alone), item],
          [item, one.item(alone)],
        ],
        1,
      )) {
        const answer = await send(bench, 'decode', role, items)
        await bench.decide('TRANSFORM-BATCH-18', () => {
          expect(answer.status, 'status').toBeLessThan(500)
          expect(answer.text.split(value).length - 1, 'values that came back').toBeLessThan(2)
        })
      }
  },
)

check(
  'transform/batch-odd-items',
  ['TRANSFORM-BATCH-13', 'TRANSFORM-BATCH-15'],
  'a batch item that is not an object is not coded',
  async ({ bench, expect }) => {
    const scheme = await newScheme(bench, 'fpe', { letters: WORDS })
    const value = words(bench)
    const encoded = await scheme.encoded(value)
    for (const [action, clause, good] of [
      ['encode', 'TRANSFORM-BATCH-13', value],
      ['decode', 'TRANSFORM-BATCH-15', encoded],
    ] as const)
      for (const odd of bench.few([
        null,
        'text',
        7,
        [scheme.item(good)],
        true,
        { ...scheme.item(good), value: { a: 1 } },
        { ...scheme.item(good), tweak: ['x'] },
      ])) {
        const body = { batch_input: [scheme.item(good), odd] }
        const answer = await bench.call(`transform.${action}`, { path: { role_name: scheme.role }, body, invalid: true })
        await bench.decide(clause, () => {
          expect(answer.status, `status for ${JSON.stringify(odd)}`).toBeLessThan(500)
          const result = resultsOf(answer)[1]
          expect(result?.encoded_value || result?.decoded_value || null, `the result of ${JSON.stringify(odd)}`).toBe(null)
        })
        const control = await bench.call(`transform.${action}`, {
          path: { role_name: scheme.role },
          body: { batch_input: [scheme.item(good), scheme.item(good)] },
        })
        await bench.decide(clause, () => expect(resultsOf(control).length, 'results of two good items').toBe(2))
      }
  },
)

for (const [action, clause] of [
  ['encode', 'TRANSFORM-BATCH-12'],
  ['decode', 'TRANSFORM-BATCH-14'],
] as const)
  check(`transform/batch-no-list-${action}`, clause, 'a batch is a list', async ({ bench }) => {
    const scheme = await newScheme(bench, 'fpe', { letters: WORDS })
    const plain = words(bench)
    const item = scheme.item(action === 'encode' ? plain : await scheme.encoded(plain))
    const path = { role_name: scheme.role }
    for (const odd of [{ a: item }, item, { length: 1, 0: item }])
      for (const beside of [item, {}])
        await bench.refuses(`transform.${action}`, {
          bad: { path, body: { ...beside, batch_input: odd }, invalid: true },
          control: { path, body: { ...beside, batch_input: [item] } },
          unchanged: null,
          because: 'coding a value changes nothing',
        })
  })
