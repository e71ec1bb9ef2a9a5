/** A store whose database goes away and comes back. */
import { type Answer, check, gateTo, isBackendFailure } from '../../../harness/checks/index.ts'
import { newText, newTokens } from '../tokens/fixtures.ts'
import { keptIn, kinds, needs, placeFor, schemaCall } from './place.ts'

const AT_ONCE = 24

for (const kind of kinds) {
  check(
    `transform/${kind.id}-outage`,
    ['TRANSFORM-KEPT-09', 'TRANSFORM-KEPT-10', 'TRANSFORM-KEPT-11'],
    'without its database a store fails, and has lost nothing when it is back',
    needs(kind),
    async ({ bench, expect }) => {
      const gate = await gateTo(bench, bench.backend(kind.id))
      const { tokens } = await keptIn(bench, await placeFor(bench, kind, { port: gate.port }))
      const values = Array.from({ length: 5 }, () => newText(bench))
      const made: string[] = []
      for (const value of values) made.push(await tokens.token(value))
      await gate.shut()
      const away = [await tokens.encode(newText(bench)), await tokens.decode(made[0]!)]
      await gate.open()
      await bench.decide('TRANSFORM-KEPT-09', () => {
        const [encoded, decoded] = away as [Answer, Answer]
        // A server may have kept the token in its memory.
        if (decoded.ok) expect(decoded.data.decoded_value === values[0], 'the value of a token').toBe(true)
        for (const { status } of decoded.ok ? [encoded] : away)
          expect(isBackendFailure(status), `4xx, 500 or 502; it was ${status}`).toBe(true)
      })
      await bench.decide('TRANSFORM-KEPT-10', async () => {
        for (const [index, token] of made.entries())
          await bench.eventually(async () => (await tokens.decode(token)).data.decoded_value === values[index], { within: bench.grace })
      })
      await bench.decide('TRANSFORM-KEPT-11', async () => {
        await bench.eventually(async () => (await tokens.encode(newText(bench))).ok, { within: bench.grace })
      })
    },
  )

  check(
    `transform/${kind.id}-never-there`,
    'TRANSFORM-KEPT-09',
    'a store whose database nobody reaches keeps nothing',
    needs(kind),
    async ({ bench, expect }) => {
      const gate = await gateTo(bench, bench.backend(kind.id))
      const place = await placeFor(bench, kind, { port: gate.port })
      await gate.shut()
      const path = { name: bench.mixedName('store') }
      bench.defer(() => bench.call('transform.deleteStore', { path }))
      const answers = [await bench.call('transform.writeStore', { path, body: place.body })]
      if (answers[0]!.ok) {
        const tokens = await newTokens(bench, { stores: [path.name] })
        answers.splice(0, 1, await bench.call('transform.makeSchema', schemaCall(place, path.name)), await tokens.encode(newText(bench)))
      }
      for (const answer of answers)
        expect(isBackendFailure(answer.status), `4xx, 500 or 502 of ${answer.operation}; it was ${answer.status}`).toBe(true)
      await gate.open()
      const { tokens } = await keptIn(bench, place)
      await bench.eventually(async () => (await tokens.encode(newText(bench))).ok, { within: bench.grace, because: 'it is there now' })
    },
  )

  check(
    `transform/${kind.id}-race-outage`,
    'TRANSFORM-RACE-05',
    'a token that was given while the database went away is kept',
    needs(kind, { kind: 'race' }),
    async ({ bench, expect }) => {
      const gate = await gateTo(bench, bench.backend(kind.id))
      const { tokens } = await keptIn(bench, await placeFor(bench, kind, { port: gate.port }))
      for (let round = 0; round < bench.effort(1, 4); round += 1) {
        const values = Array.from({ length: AT_ONCE }, () => newText(bench))
        const answers = await Promise.all(
          values.map(async (value, index): Promise<Answer | undefined> => {
            if (index !== AT_ONCE / 2) return tokens.encode(value)
            await gate.shut()
            return undefined
          }),
        )
        await gate.open()
        await bench.eventually(async () => (await tokens.encode(newText(bench))).ok, { within: bench.grace })
        for (const [index, answer] of answers.entries()) {
          if (answer?.ok !== true) continue
          const decoded = await tokens.decode(String(answer.data.encoded_value))
          expect(decoded.data.decoded_value === values[index], 'the value of a token that was given').toBe(true)
        }
      }
    },
  )
}
