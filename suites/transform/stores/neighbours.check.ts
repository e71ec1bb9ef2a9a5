/** Stores, transformations and mounts side by side: each has its own tokens. */
import { check } from '../../../harness/checks/index.ts'
import { OBSERVING, plaintextOf, resultsOf } from '../fixtures.ts'
import { asking, newText, newTokens } from '../tokens/fixtures.ts'
import { anotherSchema, keptIn, kinds, needs, newStore, placeFor, rowsOf, schemaCall } from './place.ts'

for (const kind of kinds) {
  check(
    `transform/${kind.id}-two-stores`,
    ['TRANSFORM-KEPT-12', 'TRANSFORM-KEPT-14'],
    'a token is decoded by its own transformation only',
    needs(kind, { kind: 'security' }),
    async ({ bench, expect }) => {
      const one = await keptIn(bench, await placeFor(bench, kind))
      const two = await keptIn(bench, await anotherSchema(bench, one))
      const beside = await newTokens(bench, { stores: [one.store] })
      const value = newText(bench)
      const token = await one.tokens.token(value)
      for (const [clause, other] of [
        ['TRANSFORM-KEPT-12', two.tokens],
        ['TRANSFORM-KEPT-14', beside],
      ] as const) {
        const own = await other.token(newText(bench))
        const decoded = await other.decode(token)
        const tokenized = await other.tokenized(value)
        const valid = await other.validate(token)
        await bench.decide(clause, async () => {
          expect(decoded, 'a token of another one').toBeRefused()
          expect(decoded.text.includes(value), 'its value').toBe(false)
          expect(tokenized.data.tokenized, 'its value').toBe(false)
          if (valid.ok) expect(valid.data.valid, 'valid').toBe(false)
          expect(await other.decode(own), 'a token of its own').toSucceed()
          expect((await one.tokens.decode(token)).data.decoded_value === value, 'where it belongs').toBe(true)
        })
      }
    },
  )

  check(
    `transform/${kind.id}-batch-over-stores`,
    ['TRANSFORM-KEPT-01', 'TRANSFORM-KEPT-12'],
    'each item of a batch is kept in the store of its own transformation',
    needs(kind),
    async ({ bench, expect }) => {
      const one = await keptIn(bench, await placeFor(bench, kind))
      const two = await keptIn(bench, await anotherSchema(bench, one))
      const [role, names] = [bench.mixedName('role'), [bench.mixedName('one'), bench.mixedName('inside'), bench.mixedName('two')]]
      for (const [index, stores] of [[one.store], ['builtin/internal'], [two.store]].entries())
        await bench.given('transform.writeTokenization', { path: { name: names[index]! }, body: { allowed_roles: [role], stores } })
      await bench.given('transform.writeRole', { path: { name: role }, body: { transformations: names } })
      const count = async () => [(await rowsOf(one)).length, (await rowsOf(two)).length]
      const order = [0, 1, 2, 2, 1, 0, 2]
      const values = order.map(() => newText(bench))
      const send = async (operation: string, texts: string[]) => {
        const batch_input = texts.map((value, place) => ({ value, transformation: names[order[place]!]! }))
        return resultsOf(await bench.call(operation, { path: { role_name: role }, body: { batch_input } }))
      }
      const before = await count()
      const made = (await send('transform.encode', values)).map(({ encoded_value }) => String(encoded_value))
      const after = await count()
      const back = await send('transform.decode', made)
      await bench.decide('TRANSFORM-KEPT-01', () => {
        expect(after[0]! - before[0]!, 'rows of the one store').toBeGreaterThanOrEqual(2)
        expect(after[1]! - before[1]!, 'rows of the other').toBeGreaterThanOrEqual(3)
        expect(
          back.map((result, place) => plaintextOf(result) === values[place]),
          'values that came back',
        ).toEqual(values.map(() => true))
      })
      for (const [place, token] of made.entries())
        for (const [index, name] of names.entries()) {
          const answer = await asking(bench, role, name).decode(token)
          await bench.decide('TRANSFORM-KEPT-12', () =>
            expect(answer.data.decoded_value === values[place], 'decoded by its own transformation alone').toBe(order[place] === index),
          )
        }
    },
  )

  check(
    `transform/${kind.id}-store-of-one-name`,
    ['TRANSFORM-APART-01', 'TRANSFORM-STORE-05'],
    'a store that has the name of other things is listed and deleted by itself',
    needs(kind, { needs: { mounts: { transform: { type: 'transform' } } } }),
    async ({ bench, expect }) => {
      const name = bench.mixedName('any')
      const path = { name }
      const alphabet = { alphabet: '0123456789' }
      await bench.given('transform.writeAlphabet', { path, body: alphabet })
      await bench.given('transform.writeTokenization', { path, body: { allowed_roles: [] } })
      await bench.given('transform.writeRole', { path, body: { transformations: [name] } })
      const listed = async () => {
        const all: Record<string, boolean> = {}
        for (const kindOf of ['Alphabets', 'Templates', 'Transformations', 'Roles', 'Stores'])
          for (const method of ['LIST', 'GET']) {
            const { keys } = (await bench.call(`transform.list${kindOf}`, { method })).data
            all[`${kindOf} by ${method}`] = Array.isArray(keys) && keys.includes(name)
          }
        return all
      }
      const expected = (stores: boolean) =>
        Object.fromEntries(
          Object.entries({ Alphabets: true, Templates: false, Transformations: true, Roles: true, Stores: stores }).flatMap(
            ([kindOf, there]) => ['LIST', 'GET'].map((method) => [`${kindOf} by ${method}`, there]),
          ),
        )
      const without = await listed()
      const { body } = await placeFor(bench, kind)
      await bench.given('transform.writeStore', { path, body })
      const beside = await listed()
      await bench.given('transform.deleteStore', { path })
      const after = await listed()
      await bench.decide('TRANSFORM-STORE-05', () => {
        expect(without, 'without a store').toEqual(expected(false))
        expect(beside, 'with a store').toEqual(expected(true))
        expect(after, 'after its deletion').toEqual(expected(false))
      })
      const reads = [
        await bench.call('transform.readAlphabet', { path }),
        await bench.call('transform.readTransformation', { path }),
        await bench.call('transform.readRole', { path }),
      ]
      await bench.decide('TRANSFORM-APART-01', () => {
        for (const read of reads) expect(read, 'what has the name of the deleted store').toHaveStatus(200)
        expect(reads[0]!.data.alphabet).toBe(alphabet.alphabet)
        expect(reads[2]!.data.transformations).toEqual([name])
      })
    },
  )

  check(
    `transform/${kind.id}-two-mounts`,
    'TRANSFORM-KEPT-13',
    'another mount on the same store decodes no tokens but its own',
    needs(kind, { kind: 'security' }),
    async ({ bench, expect }) => {
      const place = await placeFor(bench, kind)
      const [here, there] = [await bench.mount('transform'), await bench.mount('transform')]
      const [role, name] = [bench.mixedName('role'), bench.mixedName('tokens')]
      for (const mount of [here, there]) {
        const store = await newStore(bench, place, {}, mount)
        if (mount === here) await bench.given('transform.makeSchema', { ...schemaCall(place, store), mount })
        await bench.given('transform.writeTokenization', { path: { name }, body: { allowed_roles: [role], stores: [store] }, mount })
        await bench.given('transform.writeRole', { path: { name: role }, body: { transformations: [name] }, mount })
      }
      const [one, other] = [asking(bench, role, name, here), asking(bench, role, name, there)]
      const value = newText(bench)
      const token = await one.token(value)
      const own = await other.token(value)
      expect((await other.decode(token)).text.includes(value), 'the value of another mount').toBe(false)
      expect((await other.decode(own)).data.decoded_value === value, 'its own value').toBe(true)
    },
  )

  check(
    `transform/${kind.id}-without-store`,
    ['TRANSFORM-KEPT-16', 'TRANSFORM-KEPT-17', 'TRANSFORM-KEPT-18'],
    'a store that is deleted makes no tokens, and its rows stay',
    needs(kind),
    async ({ bench, expect }) => {
      const kept = await keptIn(bench, await placeFor(bench, kind))
      const value = newText(bench)
      const token = await kept.tokens.token(value)
      const path = { name: kept.store }
      const deleted = await bench.call('transform.deleteStore', { path })
      const after = await kept.tokens.encode(newText(bench))
      await bench.decide('TRANSFORM-KEPT-16', () => {
        if (deleted.ok) expect(after, 'a token without a store').toBeRefused()
        else expect(after, 'a token of a store that stayed').toSucceed()
      })
      await bench.given('transform.writeStore', { path, body: kept.body })
      await bench.decide('TRANSFORM-KEPT-17', async () => {
        expect((await kept.tokens.decode(token)).data.decoded_value === value, 'a token of before').toBe(true)
      })
      const both = await newTokens(bench, { stores: ['builtin/internal', kept.store] })
      const answer = await both.encode(newText(bench), {}, OBSERVING)
      bench.observe('TRANSFORM-KEPT-18', { status: answer.status })
    },
  )

  check(
    `transform/${kind.id}-race-schema`,
    'TRANSFORM-RACE-04',
    'of two calls for one schema at once none leaves it unusable',
    needs(kind, { kind: 'race' }),
    async ({ bench, expect }) => {
      for (let round = 0; round < bench.effort(1, 3); round += 1) {
        const place = await placeFor(bench, kind)
        const path = { name: bench.mixedName('store') }
        bench.defer(() => bench.call('transform.deleteStore', { path }))
        await bench.given('transform.writeStore', { path, body: place.body })
        const calls = await Promise.all(Array.from({ length: 4 }, () => bench.call('transform.makeSchema', schemaCall(place, path.name))))
        expect(
          calls.some(({ ok }) => ok),
          'one of the calls',
        ).toBe(true)
        const tokens = await newTokens(bench, { stores: [path.name] })
        const value = newText(bench)
        const answer = await tokens.encode(value)
        expect(answer, 'a token').toSucceed()
        expect((await tokens.decode(String(answer.data.encoded_value))).data.decoded_value === value, 'the value came back').toBe(true)
      }
    },
  )
}
