/** Texts and metadata that databases write otherwise, or take for others: what a store keeps is what was sent. */
import { check, elsewhere, type JsonObject } from '../../../harness/checks/index.ts'
import { plaintextOf, resultsOf } from '../fixtures.ts'
import { ALIKE, newText, ODD_METADATA, ODD_TEXTS, pairsOf } from '../tokens/fixtures.ts'
import { keptIn, kinds, needs, placeFor, rowsOf } from './place.ts'

for (const kind of kinds) {
  check(
    `transform/${kind.id}-odd-values`,
    'TRANSFORM-KEPT-04',
    'a store keeps texts and metadata as they were sent, and takes none for another',
    needs(kind),
    async ({ bench, expect }) => {
      const { tokens } = await keptIn(bench, await placeFor(bench, kind))
      const path = { role_name: tokens.role }
      const texts = ODD_TEXTS.map((text) => `${text}${newText(bench)}${text}`)
      const batch = async (operation: string, values: string[]) => {
        const batch_input = values.map((value): JsonObject => ({ value, transformation: tokens.name }))
        return resultsOf(await bench.call(`transform.${operation}`, { path, body: { batch_input } }))
      }
      const made = (await batch('encode', texts)).map(({ encoded_value }) => String(encoded_value))
      const decoded = await batch('decode', made)
      for (const [place, text] of texts.entries()) {
        expect(plaintextOf(decoded[place]) === text, `text ${place} came back in a batch`).toBe(true)
        expect((await tokens.decode(made[place]!)).data.decoded_value === text, `text ${place} came back`).toBe(true)
        expect((await tokens.tokenized(text)).data.tokenized, `text ${place} is tokenized`).toBe(true)
      }
      const value = newText(bench)
      await tokens.token(value)
      for (const near of [`${value} `, ` ${value}`, `${value}x`, value.slice(0, -1), `${value.slice(0, -1)}_`, `${value.slice(0, -1)}%`])
        expect((await tokens.tokenized(near)).data.tokenized, 'a value near one that was encoded').toBe(false)
      for (const [one, other] of ALIKE) {
        await tokens.token(`${one}${value}`)
        expect((await tokens.tokenized(`${other}${value}`)).data.tokenized, `${other} where ${one} was encoded`).toBe(false)
      }
      for (const metadata of ODD_METADATA) {
        const answer = await tokens.encode(newText(bench), { metadata, ttl: '1h' })
        // How much of it a value may hold is not said: what is taken is kept.
        if (!answer.ok) continue
        const read = await tokens.metadata(String(answer.data.encoded_value))
        expect(pairsOf(read.data.metadata), 'the pairs of the token').toEqual(pairsOf(metadata))
      }
    },
  )

  check(
    `transform/${kind.id}-defaults-written`,
    ['TRANSFORM-KEPT-04', 'TRANSFORM-KEPT-01'],
    'a store with its defaults written keeps tokens as one without',
    needs(kind),
    async ({ bench, expect }) => {
      const defaults: JsonObject = {
        supported_transformations: ['tokenization'],
        max_open_connections: 4,
        max_idle_connections: 4,
        max_connection_lifetime: 0,
        ...(kind.hasSchemas ? { schema: 'public' } : {}),
      }
      const kept = await keptIn(bench, await placeFor(bench, kind), defaults)
      for (let round = 0; round < 3; round += 1) {
        const value = newText(bench)
        const answer = await kept.tokens.encode(value)
        await bench.decide('TRANSFORM-KEPT-04', async () => {
          expect(answer, 'a token').toSucceed()
          expect((await kept.tokens.decode(String(answer.data.encoded_value))).data.decoded_value === value, 'the value came back').toBe(
            true,
          )
        })
      }
      await bench.decide('TRANSFORM-KEPT-01', async () =>
        expect((await rowsOf(kept)).length, 'rows in the schema').toBeGreaterThanOrEqual(3),
      )
    },
  )

  elsewhere(`transform/${kind.id}-stores-elsewhere`, 'stores of one name', {
    type: 'transform',
    clause: 'TRANSFORM-APART-01',
    needs: { backends: [kind.id] },
    operations: {
      write: 'transform.writeStore',
      read: 'transform.readStore',
      remove: 'transform.deleteStore',
      list: 'transform.listStores',
    },
    bodies: (bench) =>
      bench.memo('bodies of stores', async () => {
        const bodies: JsonObject[] = []
        for (let nth = 0; nth < 3; nth += 1) bodies.push((await placeFor(bench, kind)).body)
        return bodies
      }),
  })
}
