/** Batches of tokens. */
import { type Answer, asObject, type Bench, check, type Json, type JsonObject } from '../../../harness/checks/index.ts'
import { plaintextOf, resultsOf } from '../fixtures.ts'
import { newText, newTokens, ODD_TEXTS, QUESTIONS, type Tokens } from './fixtures.ts'

const batchOf = (bench: Bench, tokens: Tokens, operation: string, items: JsonObject[], beside: JsonObject = {}) =>
  bench.call(`transform.${operation}`, { path: { role_name: tokens.role }, body: { ...beside, batch_input: items } })

/** What is answered to the questions of a batch, item by item, under whatever name. */
const answersOf = ({ body }: Answer): JsonObject[] => {
  const { data } = asObject(body)
  const isList = (value: Json | undefined): value is Json[] => Array.isArray(value)
  return ([data, ...Object.values(asObject(data))].find(isList) ?? []).map(asObject)
}

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
    const questions = [made[0]!, made[2]!, made[1]!].map((value) => ({ value, transformation: tokens.name }))
    const answers = answersOf(await batchOf(bench, tokens, 'validate', questions))
    await bench.decide('TRANSFORM-BATCH-22', () => expect(answers.map((answer) => answer.valid ?? false)).toEqual([true, true, true]))
    const asked = answersOf(
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
      for (const operation of QUESTIONS) {
        const answer = await bench.call(`transform.${operation}`, { path, body: { batch_input: { value: made[0]! } }, invalid: true })
        expect(answer, `${operation} of an object as batch`).toBeRefused()
      }
    })
  },
)

const NO_TOKEN = 'no-token'

/** What is stated of the answer to a question. */
const STATED = { validate: ['valid'], tokenized: ['tokenized'], metadata: ['metadata', 'expiration_time'] }

check(
  'transform/batches-of-questions',
  ['TRANSFORM-BATCH-22', 'TRANSFORM-BATCH-23'],
  'each question of a batch is answered as it would be alone',
  async ({ bench, expect }) => {
    const tokens = await newTokens(bench)
    const values = [newText(bench), newText(bench), newText(bench)]
    const made: string[] = []
    for (const [index, value] of values.entries())
      made.push(await tokens.token(value, { metadata: `place=${index}`, ttl: 3_600 * (index + 1) }))
    for (const [operation, texts] of [
      ['validate', [made[0]!, made[1]!, made[2]!]],
      ['validate', [made[0]!, NO_TOKEN, made[2]!]],
      ['tokenized', [values[1]!, newText(bench), values[0]!]],
      ['metadata', [made[2]!, made[0]!, made[1]!]],
    ] as const) {
      const items = texts.map((value) => ({ value, transformation: tokens.name }))
      const answer = await batchOf(bench, tokens, operation, items)
      // Another text than a token may be refused, and with it the batch as a whole.
      if (!answer.ok && (texts as readonly string[]).includes(NO_TOKEN)) continue
      const together = answersOf(answer)
      await bench.decide('TRANSFORM-BATCH-23', () => expect(resultsOf(answer).length, `batch_results of ${operation}`).toBe(texts.length))
      await bench.decide('TRANSFORM-BATCH-22', () => expect(together.length, `answers of ${operation}`).toBe(texts.length))
      for (const [index, text] of texts.entries()) {
        const { data } = await tokens[operation](text)
        for (const member of STATED[operation])
          await bench.decide('TRANSFORM-BATCH-22', () =>
            expect(together[index]?.[member] ?? false, `${member} of item ${index} of ${operation}`).toEqual(data[member] ?? false),
          )
      }
    }
  },
)

check(
  'transform/large-batches-of-tokens',
  ['TRANSFORM-BATCH-21', 'TRANSFORM-TOKEN-01', 'TRANSFORM-TOKENIZED-01'],
  'a thousand texts, odd ones among them, come back from their tokens in order',
  async ({ bench, expect }) => {
    const tokens = await newTokens(bench)
    const values = [...ODD_TEXTS, ...Array.from({ length: 1_000 }, (_, place) => `${place}`), ...ODD_TEXTS]
    const item = (value: string): JsonObject => ({ value, transformation: tokens.name })
    const encoded = resultsOf(await batchOf(bench, tokens, 'encode', values.map(item)))
    const made = encoded.map((result) => String(result.encoded_value))
    const decoded = resultsOf(await batchOf(bench, tokens, 'decode', made.map(item)))
    await bench.decide('TRANSFORM-BATCH-21', () => {
      expect(decoded.length, 'values').toBe(values.length)
      expect(values.filter((value, place) => plaintextOf(decoded[place]) !== value).length, 'values that are others now').toBe(0)
    })
    for (const [place, value] of ODD_TEXTS.entries()) {
      const answer = await tokens.decode(made[place]!)
      await bench.decide('TRANSFORM-TOKEN-01', () => expect(answer.data.decoded_value === value, 'the value came back').toBe(true))
      const tokenized = await tokens.tokenized(value)
      await bench.decide('TRANSFORM-TOKENIZED-01', () => expect(tokenized.data.tokenized, 'tokenized').toBe(true))
    }
  },
)
