/** Batches of tokens. */
import { type Bench, check, type JsonObject } from '../../../harness/checks/index.ts'
import { plaintextOf, resultsOf } from '../fixtures.ts'
import { newText, newTokens, type Tokens } from './fixtures.ts'

const batchOf = (bench: Bench, tokens: Tokens, operation: string, items: JsonObject[], beside: JsonObject = {}) =>
  bench.call(`transform.${operation}`, { path: { role_name: tokens.role }, body: { ...beside, batch_input: items } })

check(
  'transform/batches-of-tokens',
  ['TRANSFORM-BATCH-21', 'TRANSFORM-BATCH-22', 'TRANSFORM-VALIDATE-08'],
  'batches of tokens come in order',
  async ({ bench, expect }) => {
    const tokens = await newTokens(bench)
    const values = [newText(bench), newText(bench), newText(bench), newText(bench)]
    const encoded = resultsOf(
      await batchOf(
        bench,
        tokens,
        'encode',
        values.map((value) => ({ value, transformation: tokens.name })),
      ),
    )
    const made = encoded.map((result) => String(result.encoded_value))
    const decoded = resultsOf(
      await batchOf(
        bench,
        tokens,
        'decode',
        made.map((value) => ({ value, transformation: tokens.name })),
      ),
    )
    await bench.decide('TRANSFORM-BATCH-21', () =>
      expect(decoded.map(plaintextOf).every((value, index) => value === values[index]) && decoded.length === 4, 'values in order').toBe(
        true,
      ),
    )
    const questions = [made[0]!, 'no-token', made[1]!].map((value) => ({ value, transformation: tokens.name }))
    const answers = resultsOf(await batchOf(bench, tokens, 'validate', questions))
    await bench.decide('TRANSFORM-BATCH-22', () => expect(answers.map((answer) => answer.valid ?? false)).toEqual([true, false, true]))
    const asked = resultsOf(
      await batchOf(
        bench,
        tokens,
        'tokenized',
        [values[0]!, newText(bench), values[2]!].map((value) => ({ value, transformation: tokens.name })),
      ),
    )
    await bench.decide('TRANSFORM-BATCH-22', () => expect(asked.map((answer) => answer.tokenized ?? false)).toEqual([true, false, true]))
    await bench.decide('TRANSFORM-VALIDATE-08', async () => {
      const path = { role_name: tokens.role }
      for (const operation of ['validate', 'tokenized', 'metadata']) {
        const answer = await bench.call(`transform.${operation}`, { path, body: { batch_input: { value: made[0]! } }, invalid: true })
        expect(answer, `${operation} of an object as batch`).toBeRefused()
      }
    })
  },
)
