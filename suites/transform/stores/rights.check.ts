/** What the user of a store may do in its database, and what it logs in with. */
import { type Answer, check, isBackendFailure, neverShown } from '../../../harness/checks/index.ts'
import { newText } from '../tokens/fixtures.ts'
import { allow, type Kept, keptIn, keptOf, kinds, needs, newStore, placeFor, rewritten, rowsOf, schemaCall } from './place.ts'

/** Seconds that a short token lives. */
const SHORT = 3
/** Characters that mean something in connection strings, in their encodings and in SQL. */
const SPECIAL = `a@b:c/d%41e'f?g#h&i+j=k"l`

const failed = ({ status }: Answer): boolean => isBackendFailure(status)

/** Whether a request of a store that was written again works, as soon as it does. */
const worksAgain = async (
  kept: Kept,
  eventually: (condition: () => Promise<boolean>) => Promise<unknown>,
  value: string,
): Promise<void> => {
  await eventually(async () => (await kept.tokens.encode(value)).ok)
}

for (const kind of kinds) {
  check(
    `transform/${kind.id}-few-rights`,
    'TRANSFORM-KEPT-05',
    'nothing needs a right to delete, what has ended included',
    needs(kind),
    async ({ bench, expect }) => {
      const { tokens } = await keptIn(bench, await placeFor(bench, kind))
      const [value, short] = [newText(bench), newText(bench)]
      const token = await tokens.encode(value, { ttl: '1h' })
      expect(token, 'a token by SELECT, INSERT and UPDATE').toSucceed()
      const ending = await tokens.token(short, { ttl: SHORT })
      await bench.eventually(async () => !(await tokens.decode(ending)).ok, {
        within: SHORT * 1_000 + bench.grace,
        every: 300,
        because: 'the token ends',
      })
      expect(await tokens.decode(ending), 'a token that has ended').toBeRefused()
      expect((await tokens.tokenized(short)).data.tokenized, 'its value').toBe(false)
      expect(await tokens.encode(short), 'its value once more').toSucceed()
      expect((await tokens.decode(String(token.data.encoded_value))).data.decoded_value === value, 'a token that goes on').toBe(true)
    },
  )

  check(
    `transform/${kind.id}-reader`,
    ['TRANSFORM-KEPT-06', 'TRANSFORM-KEPT-19'],
    'with a user that may only read no token is made',
    needs(kind),
    async ({ bench, expect }) => {
      const kept = await keptIn(bench, await placeFor(bench, kind))
      const [before, value] = [newText(bench), newText(bench)]
      const token = await kept.tokens.token(before)
      const rows = (await rowsOf(kept)).length
      await allow(kept, ['SELECT'])
      const answers: Answer[] = []
      for (let round = 0; round < 3; round += 1) answers.push(await kept.tokens.encode(value))
      bench.observe('TRANSFORM-KEPT-19', { decoded: (await kept.tokens.decode(token)).status })
      const after = (await rowsOf(kept)).length
      await allow(kept, ['SELECT', 'INSERT', 'UPDATE'])
      await bench.decide('TRANSFORM-KEPT-06', async () => {
        for (const answer of answers) expect(failed(answer), `4xx, 500 or 502; it was ${answer.status}`).toBe(true)
        expect(after, 'rows afterwards').toBe(rows)
        await bench.eventually(async () => (await kept.tokens.decode(token)).data.decoded_value === before, { within: bench.grace })
        expect((await kept.tokens.tokenized(value)).data.tokenized, 'a value that was refused').toBe(false)
        expect(await kept.tokens.encode(value), 'the same with the rights that it needs').toSucceed()
      })
    },
  )

  check(
    `transform/${kind.id}-without-update`,
    'TRANSFORM-KEPT-07',
    'without UPDATE a token is made that is decoded, or none',
    needs(kind),
    async ({ bench, expect }) => {
      const kept = await keptIn(bench, await placeFor(bench, kind))
      await allow(kept, ['SELECT', 'INSERT'])
      const value = newText(bench)
      // The first request may meet a session that the change of rights has ended.
      await kept.tokens.encode(newText(bench))
      const answer = await kept.tokens.encode(value)
      await allow(kept, ['SELECT', 'INSERT', 'UPDATE'])
      await worksAgain(kept, (condition) => bench.eventually(condition, { within: bench.grace }), newText(bench))
      expect(answer.ok || failed(answer), `success, 4xx, 500 or 502; it was ${answer.status}`).toBe(true)
      if (answer.ok) {
        const decoded = await kept.tokens.decode(String(answer.data.encoded_value))
        expect(decoded.data.decoded_value === value, 'the value came back').toBe(true)
      } else expect((await kept.tokens.tokenized(value)).data.tokenized, 'a value that was refused').toBe(false)
    },
  )

  check(
    `transform/${kind.id}-special-password`,
    ['TRANSFORM-KEPT-08', 'TRANSFORM-KEPT-20'],
    'any password is filled into the connection string',
    needs(kind),
    async ({ bench, expect }) => {
      for (const [clause, password] of [
        ['TRANSFORM-KEPT-08', ''],
        ['TRANSFORM-KEPT-20', SPECIAL],
      ] as const) {
        const place = await placeFor(bench, kind, { password })
        const store = await newStore(bench, place)
        await bench.decide(clause, async () => {
          expect(await place.sql.login(place.user), 'the user logs in by itself').toBe(true)
          expect(await bench.call('transform.makeSchema', schemaCall(place, store)), 'the call for the schema').toSucceed()
          const { tokens } = await keptOf(bench, place, store)
          const value = newText(bench)
          const answer = await tokens.encode(value)
          expect(answer, 'a token').toSucceed()
          expect((await tokens.decode(String(answer.data.encoded_value))).data.decoded_value === value, 'the value came back').toBe(true)
        })
      }
    },
  )

  check(
    `transform/${kind.id}-wrong-password`,
    ['TRANSFORM-KEPT-15', 'TRANSFORM-STORE-25', 'TRANSFORM-STORE-02'],
    'with a password that the database does not know nothing is encoded',
    needs(kind, { kind: 'security' }),
    async (context) => {
      const { bench, expect } = context
      const kept = await keptIn(bench, await placeFor(bench, kind))
      const [value, later] = [newText(bench), newText(bench)]
      const token = await kept.tokens.token(value)
      const wrong = bench.canary('wrong')
      const written = await bench.call('transform.writeStore', { path: { name: kept.store }, body: { ...kept.body, password: wrong } })
      const answers = [await kept.tokens.encode(later), await kept.tokens.decode(token)]
      await bench.decide('TRANSFORM-STORE-25', () => neverShown(context, [written, ...answers], [wrong, kept.user.password]))
      await bench.decide('TRANSFORM-KEPT-15', () => {
        if (!written.ok) return expect(failed(written), `4xx, 500 or 502; it was ${written.status}`).toBe(true)
        for (const answer of answers) expect(failed(answer), `4xx, 500 or 502; it was ${answer.status}`).toBe(true)
      })
      await rewritten(bench, kept, {})
      await bench.decide('TRANSFORM-STORE-02', async () => {
        await bench.eventually(async () => (await kept.tokens.decode(token)).data.decoded_value === value, { within: bench.grace })
        expect(await kept.tokens.encode(later), 'a token with the right password').toSucceed()
      })
    },
  )
}
