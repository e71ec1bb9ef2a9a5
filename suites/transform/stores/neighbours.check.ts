/** Stores, transformations and mounts side by side: each has its own tokens. */
import { check } from '../../../harness/checks/index.ts'
import { asking, newText, newTokens } from '../tokens/fixtures.ts'
import { anotherSchema, keptIn, kinds, needs, newStore, placeFor, schemaCall } from './place.ts'

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
      const answer = await both.encode(newText(bench))
      bench.observe('TRANSFORM-KEPT-18', { status: answer.status })
    },
  )

  check(
    `transform/${kind.id}-race-schema`,
    'TRANSFORM-RACE-04',
    'of two calls for one schema at once none leaves it unusable',
    needs(kind, { kind: 'race' }),
    async ({ bench, expect }) => {
      for (let round = 0; round < bench.effort(1, 3, 6); round += 1) {
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
