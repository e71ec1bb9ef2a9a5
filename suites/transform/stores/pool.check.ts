/** How many sessions a store has in its database, by the database's own list. */
import { setTimeout as sleep } from 'node:timers/promises'
import { type Bench, check, type Expect, type JsonObject } from '../../../harness/checks/index.ts'
import { newText } from '../tokens/fixtures.ts'
import { type Kept, keptIn, kinds, needs, placeFor, rewritten } from './place.ts'

const ENCODINGS = 100
/** So many at once use every session of a store that may have four, or eight. */
const FEW_ENCODINGS = 40
/** So often a session has to be seen in a row: one that is just ending still stands in the list. */
const IN_A_ROW = 3
const BETWEEN_LOOKS_MS = 10

const idsOf = async ({ sql, user }: Kept): Promise<string[]> => (await sql.sessions(user.username)).map(({ id }) => id)

interface Looked {
  /** The most sessions that lasted over some looks in a row. */
  most: number
  /** Every session that was seen. */
  ids: Set<string>
}

/** Looks at the sessions of a store for as long as there is work. */
const lookedDuring = async (kept: Kept, work: Promise<unknown>): Promise<Looked> => {
  let busy = true
  const end = (): void => {
    busy = false
  }
  work.then(end, end)
  const ids = new Set<string>()
  let last: string[][] = []
  let most = 0
  while (busy) {
    last = [...last, await idsOf(kept)].slice(-IN_A_ROW)
    // Asked without end, the database would have little time for the store.
    await sleep(BETWEEN_LOOKS_MS)
    for (const id of last.at(-1)!) ids.add(id)
    if (last.length === IN_A_ROW) most = Math.max(most, last[0]!.filter((id) => last.every((look) => look.includes(id))).length)
  }
  await work
  return { most, ids }
}

const manyEncodings = (bench: Bench, { tokens }: Kept, count = bench.effort(FEW_ENCODINGS, ENCODINGS)): Promise<unknown> =>
  Promise.all(Array.from({ length: count }, () => tokens.encode(newText(bench)).then(({ ok }) => ok))).then((answers) => {
    if (!answers.every(Boolean)) bench.blocked('not every encoding succeeded', 'see the clause about tokens of stores')
  })

const staysBelow = async (bench: Bench, expect: Expect, kept: Kept, bound: number): Promise<void> => {
  const { most } = await lookedDuring(kept, manyEncodings(bench, kept))
  bench.count('sessions seen in databases', most)
  expect(most, 'sessions during many encodings').toBeLessThanOrEqual(bound)
}

const settlesAt = (bench: Bench, kept: Kept, bound: number): Promise<unknown> =>
  bench.eventually(async () => (await idsOf(kept)).length <= bound, { within: bench.grace, because: `at most ${bound} sessions stay` })

for (const kind of kinds) {
  const placed = async (bench: Bench, fields: JsonObject): Promise<Kept> => keptIn(bench, await placeFor(bench, kind), fields)

  for (const open of [1, 8])
    check(
      `transform/${kind.id}-open-${open}`,
      'TRANSFORM-POOL-01',
      `never more than ${open} sessions where ${open} may be open`,
      needs(kind),
      async ({ bench, expect }) => {
        // As many may idle: a store that ends sessions and opens others would be seen with both.
        await staysBelow(bench, expect, await placed(bench, { max_open_connections: open, max_idle_connections: open }), open)
      },
    )

  check(
    `transform/${kind.id}-open-default`,
    ['TRANSFORM-POOL-02', 'TRANSFORM-POOL-04', 'TRANSFORM-POOL-09', 'TRANSFORM-POOL-10'],
    'four sessions, of any age, where nothing is said',
    needs(kind),
    async ({ bench, expect }) => {
      const kept = await placed(bench, {})
      await bench.decide('TRANSFORM-POOL-02', () => staysBelow(bench, expect, kept, 4))
      const before = await idsOf(kept)
      await kept.tokens.encode(newText(bench))
      bench.observe('TRANSFORM-POOL-10', { stayed: (await idsOf(kept)).some((id) => before.includes(id)) })
      const fields = { ...kept.body, max_connection_lifetime: 0 }
      const written = await bench.call('transform.writeStore', { path: { name: kept.store }, body: fields })
      const value = newText(bench)
      const encoded = await kept.tokens.encode(value)
      await bench.decide('TRANSFORM-POOL-09', async () => {
        expect(written, 'a store with max_connection_lifetime 0').toSucceed()
        expect(encoded, 'a token in it').toSucceed()
        expect((await kept.tokens.decode(String(encoded.data.encoded_value))).data.decoded_value === value, 'the value came back').toBe(
          true,
        )
      })
      const wide = await placed(bench, { max_open_connections: 12 })
      await manyEncodings(bench, wide)
      await bench.decide('TRANSFORM-POOL-04', async () => {
        await settlesAt(bench, wide, 4)
      })
    },
  )

  check(
    `transform/${kind.id}-idle`,
    ['TRANSFORM-POOL-03', 'TRANSFORM-POOL-07'],
    'no more sessions stay than may idle',
    needs(kind),
    async ({ bench }) => {
      for (const idle of bench.few([1, 3], 1)) {
        const kept = await placed(bench, { max_open_connections: 8, max_idle_connections: idle })
        await manyEncodings(bench, kept, FEW_ENCODINGS)
        await bench.decide('TRANSFORM-POOL-03', async () => {
          await settlesAt(bench, kept, idle)
        })
        await bench.call('transform.deleteStore', { path: { name: kept.store } })
        bench.observe('TRANSFORM-POOL-07', { left: (await idsOf(kept)).length <= idle })
      }
      const kept = await placed(bench, { max_open_connections: 8, max_idle_connections: 6 })
      await manyEncodings(bench, kept, FEW_ENCODINGS)
      await rewritten(bench, kept, { max_open_connections: 8, max_idle_connections: 1 })
      await manyEncodings(bench, kept, FEW_ENCODINGS)
      await bench.decide('TRANSFORM-POOL-03', async () => {
        await settlesAt(bench, kept, 1)
      })
    },
  )

  check(
    `transform/${kind.id}-lifetime`,
    ['TRANSFORM-POOL-05', 'TRANSFORM-POOL-06'],
    'no session is used on when its lifetime is over',
    needs(kind),
    async ({ bench }) => {
      for (const [clause, lifetime] of [
        ['TRANSFORM-POOL-05', 2],
        ['TRANSFORM-POOL-06', '2s'],
      ] as const) {
        const kept = await placed(bench, { max_connection_lifetime: lifetime })
        const { ids: before } = await lookedDuring(kept, manyEncodings(bench, kept))
        if (before.size === 0) bench.blocked('no session was seen in the list of the database', 'see whether the target uses this database')
        await bench.decide(clause, async () => {
          await bench.eventually(
            async () => {
              // A store that looks at the age of a session only when it is used is right, too.
              await manyEncodings(bench, kept, bench.effort(16, FEW_ENCODINGS))
              const now = await idsOf(kept)
              return now.every((id) => !before.has(id))
            },
            { within: 2_000 + bench.grace, every: bench.effort(2_000, 500), because: 'sessions of before are replaced' },
          )
        })
      }
    },
  )
}

check(
  'transform/odd-numbers-of-sessions',
  'TRANSFORM-POOL-08',
  'numbers of sessions that mean nothing',
  needs(kinds[0]!),
  async ({ bench }) => {
    const { body } = await placeFor(bench, kinds[0]!)
    const seen: Record<string, number> = {}
    for (const field of ['max_open_connections', 'max_idle_connections', 'max_connection_lifetime'])
      for (const number of field === 'max_connection_lifetime' ? [-1] : [0, -1]) {
        const path = { name: bench.mixedName('store') }
        bench.defer(() => bench.call('transform.deleteStore', { path }))
        seen[`${field} ${number}`] = (
          await bench.call('transform.writeStore', { path, body: { ...body, [field]: number }, observing: true })
        ).status
      }
    bench.observe('TRANSFORM-POOL-08', seen)
  },
)
