/** The questions about tokens: whether they are valid, whether a value has one, what is kept beside it. */
import { check, type JsonObject } from '../../../harness/checks/index.ts'
import { newScheme, newValue, WORDS } from '../fixtures.ts'
import { ALIKE, newText, newTokens, twoTokens } from './fixtures.ts'

check(
  'transform/valid',
  ['TRANSFORM-VALIDATE-01', 'TRANSFORM-SECRET-04'],
  'tokens are valid, and nothing shows their values',
  async ({ bench, expect }) => {
    const own = await newTokens(bench)
    const value = newText(bench)
    for (const token of [await own.token(value), await own.token(value), await own.token(newText(bench))]) {
      const answer = await own.validate(token)
      await bench.decide('TRANSFORM-VALIDATE-01', () => {
        expect(answer).toHaveStatus(200)
        expect(answer.data.valid).toBe(true)
      })
      await bench.decide('TRANSFORM-SECRET-04', () => expect(answer.text.includes(value), 'the value in the answer').toBe(false))
    }
  },
)

check(
  'transform/tokenized',
  ['TRANSFORM-TOKENIZED-01', 'TRANSFORM-TOKENIZED-05', 'TRANSFORM-SECRET-04'],
  'values are tokenized, and the answer shows neither them nor their tokens',
  async ({ bench, expect }) => {
    const [own, another] = [await newTokens(bench), await newTokens(bench)]
    const value = newText(bench)
    const tokens = [await own.token(value), await own.token(value), await own.token(newText(bench)), await another.token(value)]
    const answer = await own.tokenized(value)
    await bench.decide('TRANSFORM-TOKENIZED-01', () => {
      expect(answer).toHaveStatus(200)
      expect(answer.data.tokenized).toBe(true)
    })
    await bench.decide('TRANSFORM-TOKENIZED-05', () => {
      const headers = Object.values(answer.headers).join('\n')
      for (const token of tokens) expect(answer.text.includes(token) || headers.includes(token), 'a token in the answer').toBe(false)
    })
    await bench.decide('TRANSFORM-SECRET-04', () => expect(answer.text.includes(value), 'the value in the answer').toBe(false))
  },
)

check(
  'transform/not-tokenized',
  ['TRANSFORM-TOKENIZED-02', 'TRANSFORM-TOKENIZED-03'],
  'a value counts as tokenized where it was encoded, and no other',
  async ({ bench, expect }) => {
    const [own, another] = await twoTokens(bench)
    const value = newText(bench)
    const before = await own.tokenized(value)
    await bench.decide('TRANSFORM-TOKENIZED-02', () => expect(before.data.tokenized, 'before it was encoded').toBe(false))
    await another.token(value)
    const elsewhere = await own.tokenized(value)
    await bench.decide('TRANSFORM-TOKENIZED-03', () => expect(elsewhere.data.tokenized, 'encoded by another transformation').toBe(false))
    const token = await own.token(value)
    const near = [
      value.slice(0, -1),
      `${value}x`,
      ` ${value}`,
      `${value} `,
      [...value].reverse().join(''),
      token,
      value.slice(1),
      ...[value.toUpperCase(), value.toLowerCase()].filter((other) => other !== value),
    ]
    for (const other of bench.few(near)) {
      const answer = await own.tokenized(other)
      await bench.decide('TRANSFORM-TOKENIZED-02', () => expect(answer.data.tokenized, 'a value near one that was encoded').toBe(false))
    }
    // Long values that are the same for long: at the front, at the back, on both sides.
    const long = `${value}${bench.random.word(1000)}`
    await own.token(long)
    const middle = `${long.slice(0, 500)}${long[500] === 'a' ? 'b' : 'a'}${long.slice(501)}`
    const alike = bench.few([64, 72, 128, 255, 256, 512], 2).map((length) => long.slice(0, length))
    for (const other of [...alike, long.slice(0, -1), `${long}x`, long.slice(1), `x${long.slice(1)}`, `${long.slice(0, -1)}0`, middle]) {
      if (other === long) continue
      const answer = await own.tokenized(other)
      await bench.decide('TRANSFORM-TOKENIZED-02', () =>
        expect(answer.data.tokenized, 'a value near a long one that was encoded').toBe(false),
      )
    }
    for (const [one, other] of bench.few(ALIKE)) {
      await own.token(`${one}${value}`)
      const answer = await own.tokenized(`${other}${value}`)
      await bench.decide('TRANSFORM-TOKENIZED-02', () => expect(answer.data.tokenized, 'a value that only looks the same').toBe(false))
    }
  },
)

check(
  'transform/questions-of-others',
  ['TRANSFORM-VALIDATE-05', 'TRANSFORM-TOKENIZED-04', 'TRANSFORM-METADATA-07'],
  'questions about tokens are refused for encryption and masking',
  async ({ bench }) => {
    for (const kind of ['fpe', 'masking'] as const) {
      const scheme = await newScheme(bench, kind, { letters: WORDS })
      const tokens = await newTokens(bench, {}, [scheme.role])
      await bench.given('transform.writeRole', { path: { name: scheme.role }, body: { transformations: [scheme.name, tokens.name] } })
      const value = newValue(bench, WORDS, 32)
      const encoded = await scheme.encoded(value)
      const token = await tokens.token(value)
      for (const [operation, clause] of [
        ['validate', 'TRANSFORM-VALIDATE-05'],
        ['tokenized', 'TRANSFORM-TOKENIZED-04'],
        ['metadata', 'TRANSFORM-METADATA-07'],
      ] as const)
        for (const text of bench.few([encoded, value], 1))
          await bench.decide(clause, async () => {
            await bench.refuses(`transform.${operation}`, {
              label: kind,
              bad: { path: { role_name: scheme.role }, body: { value: text, transformation: scheme.name } },
              control: {
                path: { role_name: scheme.role },
                body: { value: operation === 'tokenized' ? value : token, transformation: tokens.name },
              },
              unchanged: null,
              because: 'questions change nothing',
            })
          })
    }
  },
)

for (const [operation, clause] of [
  ['validate', 'TRANSFORM-VALIDATE-09'],
  ['metadata', 'TRANSFORM-METADATA-10'],
] as const)
  check(`transform/${operation}-value-missing`, clause, 'a token is required', async ({ bench }) => {
    const tokens = await newTokens(bench)
    const token = await tokens.token(newText(bench))
    const path = { role_name: tokens.role }
    for (const body of [{ transformation: tokens.name }, {}] as JsonObject[])
      await bench.refuses(`transform.${operation}`, {
        bad: { path, body, invalid: true },
        control: { path, body: { value: token, transformation: tokens.name } },
        unchanged: null,
        because: 'questions change nothing',
      })
  })
