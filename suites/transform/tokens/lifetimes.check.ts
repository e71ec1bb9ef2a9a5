/** How long tokens live: by their own time, and by the maximum of their transformation. */
import { type Bench, check, type Expect, type JsonObject } from '../../../harness/checks/index.ts'
import { OBSERVING, plaintextOf, resultsOf } from '../fixtures.ts'
import { newText, newTokens, type Tokens } from './fixtures.ts'

/** Seconds that a short token lives: long enough to be seen alive on a slow machine. */
const SHORT = 6

const waits = { waits: true }

interface Made {
  value: string
  token: string
  /** Milliseconds since the epoch: until then it is certainly alive; undefined where that is long. */
  until?: number | undefined
}

/** Until when a token of a short life is certainly alive, if its making begins now. */
const soon = (): number => Date.now() + SHORT * 1_000 - 500

const made = async (bench: Bench, tokens: Tokens, more: { ttl?: number | string } = {}): Promise<Made> => {
  const value = newText(bench)
  const until = more.ttl === undefined || more.ttl === '1h' ? undefined : soon()
  return { value, token: await tokens.token(value, more), until }
}

/** Asserts that a token is alive in every way that shows it; where it was asked too late to know, nothing. */
const isAlive = async (expect: Expect, tokens: Tokens, { value, token, until }: Made): Promise<void> => {
  const [decoded, valid, tokenized] = [await tokens.decode(token), await tokens.validate(token), await tokens.tokenized(value)]
  if (until !== undefined && Date.now() > until) return
  expect(decoded.data.decoded_value === value, 'the value came back').toBe(true)
  expect(valid.data.valid, 'valid').toBe(true)
  expect(tokenized.data.tokenized, 'tokenized').toBe(true)
}

/** Waits until a token is no longer decoded; meanwhile everything is asked about it, which makes no life longer. */
const ended = (bench: Bench, tokens: Tokens, { token, value }: Made): Promise<unknown> =>
  bench.eventually(
    async () => {
      await Promise.all([tokens.validate(token), tokens.tokenized(value), tokens.metadata(token)])
      return !(await tokens.decode(token)).ok
    },
    { within: SHORT * 1_000 + bench.grace, every: 300, because: 'the token ends' },
  )

check(
  'transform/ttl',
  ['TRANSFORM-TTL-01', 'TRANSFORM-TTL-02'],
  'a token ends with its ttl, and others stay',
  waits,
  async ({ bench, expect }) => {
    const tokens = await newTokens(bench)
    const long = await made(bench, tokens, { ttl: '1h' })
    const short = [await made(bench, tokens, { ttl: SHORT }), await made(bench, tokens, { ttl: SHORT })]
    await bench.decide('TRANSFORM-TTL-01', async () => {
      await isAlive(expect, tokens, short[1]!)
      await isAlive(expect, tokens, long)
    })
    await bench.decide('TRANSFORM-TTL-02', async () => {
      for (const one of short) {
        await ended(bench, tokens, one)
        expect((await tokens.decode(one.token)).text.includes(one.value), 'the value of what has ended').toBe(false)
      }
    })
    await bench.decide('TRANSFORM-TTL-01', () => isAlive(expect, tokens, long))
  },
)

check(
  'transform/ttl-questions',
  ['TRANSFORM-TTL-03', 'TRANSFORM-TTL-04'],
  'what has ended is no longer valid, and its value no longer tokenized',
  waits,
  async ({ bench, expect }) => {
    const tokens = await newTokens(bench)
    const one = await made(bench, tokens, { ttl: SHORT })
    await ended(bench, tokens, one)
    const [valid, tokenized] = [await tokens.validate(one.token), await tokens.tokenized(one.value)]
    await bench.decide('TRANSFORM-TTL-03', () => expect(valid.data.valid, 'valid after the end').toBe(false))
    await bench.decide('TRANSFORM-TTL-04', () => expect(tokenized.data.tokenized, 'tokenized after the end').toBe(false))
  },
)

check(
  'transform/ttl-of-one-token',
  'TRANSFORM-TTL-06',
  'where one token of a value ends, another stays',
  waits,
  async ({ bench, expect }) => {
    const tokens = await newTokens(bench)
    const first = await made(bench, tokens, { ttl: SHORT })
    const second = { value: first.value, token: await tokens.token(first.value, { ttl: '1h' }) }
    if (second.token !== first.token) await ended(bench, tokens, first)
    await isAlive(expect, tokens, second)
    const older = await made(bench, tokens, { ttl: '1h' })
    const newer = { value: older.value, token: await tokens.token(older.value, { ttl: SHORT }) }
    // Where equal values have one token, what the second request makes of its end is not said.
    if (newer.token === older.token) return
    await ended(bench, tokens, newer)
    await isAlive(expect, tokens, older)
  },
)

check('transform/ttl-spellings', 'TRANSFORM-TTL-07', 'a ttl counts in every spelling', waits, async ({ bench, expect }) => {
  const tokens = await newTokens(bench)
  const all = [`${SHORT}s`, String(SHORT), SHORT]
  const short: Made[] = []
  for (const ttl of all) short.push(await made(bench, tokens, { ttl }))
  for (const one of short) await isAlive(expect, tokens, one)
  for (const one of short) {
    await ended(bench, tokens, one)
    expect((await tokens.validate(one.token)).data.valid, 'valid after the end').toBe(false)
  }
})

check('transform/no-end', 'TRANSFORM-MAXTTL-01', 'without a ttl and a maximum a token does not end', waits, async ({ bench, expect }) => {
  for (const fields of bench.few([{}, { max_ttl: 0 }] as JsonObject[], 1)) {
    const [tokens, clock] = [await newTokens(bench, fields), await newTokens(bench)]
    const forever = [await made(bench, tokens), await made(bench, tokens, { ttl: 0 })]
    await ended(bench, clock, await made(bench, clock, { ttl: SHORT }))
    for (const { value, token } of forever) await isAlive(expect, tokens, { value, token })
  }
})

check(
  'transform/max-ttl',
  ['TRANSFORM-MAXTTL-02', 'TRANSFORM-MAXTTL-03', 'TRANSFORM-MAXTTL-04'],
  'no token lives longer than the maximum',
  waits,
  async ({ bench, expect }) => {
    for (const max of bench.few([SHORT, `${SHORT}s`], 1)) {
      const tokens = await newTokens(bench, { max_ttl: max })
      const until = soon()
      const without = { ...(await made(bench, tokens)), until }
      const value = newText(bench)
      const above = await tokens.encode(value, { ttl: '1h' })
      await bench.decide('TRANSFORM-MAXTTL-02', async () => {
        await isAlive(expect, tokens, without)
        await ended(bench, tokens, without)
        expect((await tokens.validate(without.token)).data.valid, 'valid after the maximum').toBe(false)
      })
      await bench.decide('TRANSFORM-MAXTTL-03', async () => {
        expect(above.status, 'status of a ttl above').toBeLessThan(500)
        if (above.ok) await ended(bench, tokens, { value, token: String(above.data.encoded_value) })
        expect((await tokens.tokenized(value)).data.tokenized, 'tokenized after the maximum').toBe(false)
      })
    }
    const tokens = await newTokens(bench, { max_ttl: '1h' })
    const [below, long] = [await made(bench, tokens, { ttl: SHORT }), await made(bench, tokens)]
    await bench.decide('TRANSFORM-MAXTTL-04', async () => {
      for (const ttl of ['1h', '60m', 3_600]) expect(await tokens.encode(newText(bench), { ttl }), 'a ttl equal to the maximum').toSucceed()
      await isAlive(expect, tokens, below)
      await ended(bench, tokens, below)
      await isAlive(expect, tokens, long)
    })
  },
)

check(
  'transform/max-ttl-spellings',
  ['TRANSFORM-MAXTTL-02', 'TRANSFORM-MAXTTL-03'],
  'the maximum counts in every spelling, alone and in a batch',
  async ({ bench, expect }) => {
    for (const [max, seconds] of [
      ['2h', 7_200],
      ['90m', 5_400],
      [5_400, 5_400],
    ] as const) {
      const tokens = await newTokens(bench, { max_ttl: max })
      const from = Date.now()
      const items: JsonObject[] = ([{}, { ttl: '1000h' }] as JsonObject[]).map((more) => ({
        value: newText(bench),
        transformation: tokens.name,
        ...more,
      }))
      const answer = await bench.call('transform.encode', { path: { role_name: tokens.role }, body: { batch_input: items } })
      // A ttl above the maximum is refused or cut; one that is refused may take its batch along.
      const batched = resultsOf(answer).flatMap(({ encoded_value: token }) => (typeof token === 'string' ? [token] : []))
      const alone = [await tokens.token(newText(bench)), await tokens.token(newText(bench), { ttl: max })]
      const to = Date.now()
      for (const token of [...alone, ...batched]) {
        const end = Date.parse(String((await tokens.metadata(token)).data.expiration_time)) - bench.clockSkew * 1_000
        await bench.decide('TRANSFORM-MAXTTL-03', () =>
          expect(end, 'the end, not after the maximum').toBeLessThanOrEqual(to + seconds * 1_000 + bench.grace),
        )
        await bench.decide('TRANSFORM-MAXTTL-02', () =>
          expect(end, 'the end, not before the maximum').toBeGreaterThanOrEqual(from + seconds * 1_000 - bench.grace),
        )
      }
    }
  },
)

check(
  'transform/zero-below-max',
  'TRANSFORM-MAXTTL-02',
  'a ttl of 0 makes no token that outlives the maximum',
  async ({ bench, expect }) => {
    for (const ttl of [0, '0', '0s', '']) {
      const tokens = await newTokens(bench, { max_ttl: '1h' })
      const item = { value: newText(bench), transformation: tokens.name, ttl }
      const alone = await tokens.encode(newText(bench), { ttl })
      const batch = await bench.call('transform.encode', { path: { role_name: tokens.role }, body: { batch_input: [item] } })
      const latest = Date.now() + 3_600_000 + bench.grace
      for (const token of [alone.data.encoded_value, resultsOf(batch)[0]?.encoded_value]) {
        // What a lifetime of nothing means is open: it may be refused, or end at once.
        if (typeof token !== 'string' || (await tokens.validate(token)).data.valid !== true) continue
        const end = Date.parse(String((await tokens.metadata(token)).data.expiration_time)) - bench.clockSkew * 1_000
        expect(end, `the end with a ttl of ${JSON.stringify(ttl)}`).toBeLessThanOrEqual(latest)
      }
    }
  },
)

check('transform/odd-ttl', 'TRANSFORM-TTL-08', 'lifetimes that mean nothing', async ({ bench }) => {
  const tokens = await newTokens(bench)
  const seen: Record<string, number> = {}
  for (const ttl of [-1, '-1s', 1_000_000_000_000, '100000000h', 0])
    seen[String(ttl)] = (await tokens.encode(newText(bench), { ttl }, OBSERVING)).status
  bench.observe('TRANSFORM-TTL-08', seen)
})

check('transform/batch-ttl', ['TRANSFORM-BATCH-19'], 'each item of a batch has its own end', waits, async ({ bench, expect }) => {
  const tokens = await newTokens(bench)
  // Before, after and between others stands one that says nothing.
  const ttls = [undefined, SHORT, undefined, '1h', SHORT, undefined]
  const values = ttls.map(() => newText(bench))
  const items = ttls.map(
    (ttl, index): JsonObject => ({ value: values[index]!, transformation: tokens.name, ...(ttl === undefined ? {} : { ttl }) }),
  )
  const body = { ttl: SHORT, metadata: 'of=nobody', batch_input: items }
  const until = soon()
  const answer = await bench.given('transform.encode', { path: { role_name: tokens.role }, body })
  const made = resultsOf(answer).map(
    (result, index): Made => ({
      value: values[index]!,
      token: String(result.encoded_value),
      until: ttls[index] === SHORT ? until : undefined,
    }),
  )
  expect(made.length, 'results').toBe(ttls.length)
  for (const one of made.filter((_one, index) => ttls[index] === SHORT)) {
    await isAlive(expect, tokens, one)
    await ended(bench, tokens, one)
  }
  // Those were made in one request: what would have ended with it has had its time.
  for (const one of made.filter((_one, index) => ttls[index] !== SHORT)) await isAlive(expect, tokens, one)
  const back = await bench.call('transform.decode', {
    path: { role_name: tokens.role },
    body: { batch_input: made.map(({ token }) => ({ value: token, transformation: tokens.name })) },
  })
  expect(plaintextOf(resultsOf(back)[1]) === values[1], 'what has ended, in a batch').toBe(false)
})

for (const [field, clause, odd, good] of [
  ['ttl', 'TRANSFORM-TTL-05', [{ a: 1 }, [['1h']], 'soon', '1 fortnight'], '1h'],
  ['metadata', 'TRANSFORM-METADATA-08', [{ a: 1 }, [['a=1']]], 'a=1'],
] as const)
  check(`transform/${field}-of-another-type`, clause, `a ${field} of another type is refused`, async ({ bench }) => {
    const tokens = await newTokens(bench)
    const path = { role_name: tokens.role }
    for (const wrong of odd) {
      const body: JsonObject = { value: newText(bench), transformation: tokens.name }
      await bench.refuses('transform.encode', {
        bad: { path, body: { ...body, [field]: wrong } as unknown as JsonObject, invalid: true },
        control: { path, body: { ...body, [field]: good } },
        unchanged: null,
        because: 'the control makes the token of the value',
      })
    }
  })
