import { type CheckContext, check, endsOnceRenewed, type Json, renewsWithin } from '../../../harness/checks/index.ts'
import { needs, type Place, placeFor } from '../fixtures.ts'
import { kinds, note, noted, timeOf } from '../kinds.ts'

/** Seconds by which a whole number may fall short of what was asked. */
const ROUNDING = 2
/** Seconds by which the end in a statement may differ from that of the lease. */
const MARGIN = 60
const DAY = 86_400

interface Row {
  clause: string
  role: { default_ttl?: Json; max_ttl?: Json }
  /** Seconds that the lease lasts where that is stated, on a mount with 900 by default and 1800 at most. */
  lasts?: number
  /** Seconds that it lasts at most; the role or the request may be refused instead. */
  within?: number
  /** Whether the role may be refused, as where its spelling is not stated: what is taken is taken whole. */
  mayBeRefused?: true
}

const TABLE: Row[] = [
  { clause: 'DATABASE-TTL-03', role: {}, lasts: 900 },
  { clause: 'DATABASE-TTL-03', role: { default_ttl: 0, max_ttl: 0 }, lasts: 900 },
  { clause: 'DATABASE-TTL-03', role: { default_ttl: 0, max_ttl: 1800 }, lasts: 900 },
  { clause: 'DATABASE-TTL-02', role: { default_ttl: 5, max_ttl: 5 }, lasts: 5 },
  { clause: 'DATABASE-TTL-02', role: { default_ttl: 5 }, lasts: 5 },
  { clause: 'DATABASE-TTL-02', role: { default_ttl: 60 }, lasts: 60 },
  { clause: 'DATABASE-TTL-02', role: { default_ttl: 60, max_ttl: 60 }, lasts: 60 },
  { clause: 'DATABASE-TTL-02', role: { default_ttl: 60, max_ttl: 0 }, lasts: 60 },
  { clause: 'DATABASE-TTL-02', role: { default_ttl: '70s', max_ttl: '0s' }, lasts: 70 },
  { clause: 'DATABASE-TTL-02', role: { default_ttl: 1200, max_ttl: 1800 }, lasts: 1200 },
  { clause: 'DATABASE-TTL-02', role: { default_ttl: '1200s', max_ttl: '1800s' }, lasts: 1200 },
  { clause: 'DATABASE-TTL-02', role: { default_ttl: '20m', max_ttl: '30m' }, lasts: 1200 },
  { clause: 'DATABASE-TTL-02', role: { default_ttl: 1200 }, lasts: 1200 },
  { clause: 'DATABASE-TTL-02', role: { default_ttl: '30m', max_ttl: 0 }, lasts: 1800 },
  { clause: 'DATABASE-TTL-02', role: { default_ttl: 1800, max_ttl: 1800 }, lasts: 1800 },
  { clause: 'DATABASE-TTL-02', role: { default_ttl: '20m30s', max_ttl: '29m30s' }, lasts: 1230, mayBeRefused: true },
  { clause: 'DATABASE-TTL-07', role: { default_ttl: 5, max_ttl: 4 }, within: 4 },
  { clause: 'DATABASE-TTL-07', role: { default_ttl: 0, max_ttl: 300 }, within: 300 },
  { clause: 'DATABASE-TTL-07', role: { default_ttl: 301, max_ttl: 300 }, within: 300 },
  { clause: 'DATABASE-TTL-07', role: { default_ttl: 1500, max_ttl: 300 }, within: 300 },
  { clause: 'DATABASE-TTL-08', role: { default_ttl: 1801, max_ttl: 1801 }, within: 1800 },
  { clause: 'DATABASE-TTL-08', role: { default_ttl: 5400, max_ttl: 5400 }, within: 1800 },
]

/** Decides the clause of a row; returns whether there were credentials with a lease, whose end is looked at as well. */
const expectRow = async (
  { bench, expect }: CheckContext,
  place: Place,
  { clause, role, lasts, within, mayBeRefused }: Row,
): Promise<boolean> => {
  const path = { name: bench.mixedName('role') }
  const creation_statements = [...place.texts.bareCreation, note(path.name, '{{expiration}}')]
  const body = { db_name: place.connection, creation_statements, ...role }
  // With both times given, the earlier ones do not matter.
  if (role.default_ttl !== undefined && role.max_ttl !== undefined)
    await bench.given('database.writeRole', { path, body: { ...body, default_ttl: 120, max_ttl: 240 }, mount: 'timed' })
  const written = await bench.call('database.writeRole', { path, body, mount: 'timed' })
  const before = Date.now()
  const asked = written.ok ? await place.ask(path.name) : undefined
  const after = Date.now()
  const words = `with ${JSON.stringify(role)}`
  await bench.decide(clause, () => {
    if ((lasts === undefined || mayBeRefused) && !asked?.answer.ok) return void expect(asked?.answer ?? written, words).toBeRefused()
    expect(written, words).toSucceed()
    expect(asked?.answer, words).toSucceed()
    const { duration } = asked!.credential
    if (within !== undefined) expect(duration, words).toBeLessThanOrEqual(within)
    if (lasts !== undefined) expect(Math.abs(duration - lasts), `seconds from ${lasts}, ${words}`).toBeLessThanOrEqual(ROUNDING)
  })
  const duration = asked?.answer.ok ? asked.credential.duration : Number.NaN
  if (Number.isNaN(duration)) return false
  // Whatever it is that sets the end of the lease, statements have the same.
  const end = timeOf((await noted(place.sql, path.name))[0] ?? '') - bench.clockSkew * 1000
  await bench.decide('DATABASE-TEMPLATE-05', () => {
    expect(end, `the end in the statement, not before the lease, ${words}`).toBeGreaterThanOrEqual(before + (duration - MARGIN) * 1000)
    expect(end, `the end in the statement, not long after the lease, ${words}`).toBeLessThanOrEqual(after + (duration + MARGIN) * 1000)
  })
  return true
}

for (const kind of kinds) {
  const id = (name: string): string => `database/${kind.id}/${name}`

  check(id('ttl-default'), 'DATABASE-TTL-02', 'a lease lasts the default of its role', needs(kind), async ({ bench, expect }) => {
    const place = await placeFor(bench, kind)
    const made = await place.credential(await place.role({ default_ttl: 600, max_ttl: 1200 }))
    expect(Math.abs(made.duration - 600)).toBeLessThanOrEqual(ROUNDING)
  })

  check(
    id('ttl-month'),
    ['DATABASE-TTL-02', 'DATABASE-CREDS-01'],
    'a lease of a month is one, and its user stays',
    needs(kind, { mounts: { timed: { type: 'database', config: { maxLeaseTtl: 31 * DAY } } } }),
    async ({ bench, expect }) => {
      const place = await placeFor(bench, kind, { mount: 'timed' })
      // Longer than a counter of 32 bits has milliseconds.
      const made = await place.credential(await place.role({ default_ttl: 30 * DAY, max_ttl: 31 * DAY }))
      await bench.decide('DATABASE-TTL-02', () => expect(Math.abs(made.duration - 30 * DAY)).toBeLessThanOrEqual(ROUNDING))
      // Two more users are made first, so that a server which ends a lease of a month at once has the time to do so.
      const others = [await place.credential(await place.role()), await place.credential(await place.role())]
      await bench.decide('DATABASE-CREDS-01', async () => {
        for (const other of others) expect(await place.sql.login(other), 'another user').toBe(true)
        expect(await place.sql.login(made), 'who has a lease of a month').toBe(true)
      })
    },
  )

  check(
    id('ttl-mount'),
    ['DATABASE-TTL-03', 'DATABASE-TTL-08', 'DATABASE-TTL-12'],
    'without a default a lease lasts as the mount says, and never longer than it allows',
    needs(kind, { mounts: { timed: { type: 'database', config: { defaultLeaseTtl: 900, maxLeaseTtl: 1800 } } } }),
    async ({ bench, expect }) => {
      const place = await placeFor(bench, kind, { mount: 'timed' })
      const plain = await place.credential(await place.role({ default_ttl: 0, max_ttl: 0 }))
      await bench.decide('DATABASE-TTL-03', () => expect(Math.abs(plain.duration - 900)).toBeLessThanOrEqual(ROUNDING))
      for (const [clause, max_ttl] of [
        ['DATABASE-TTL-08', 7200],
        ['DATABASE-TTL-12', 0],
      ] as const) {
        const path = { name: bench.mixedName('role') }
        const body = { db_name: place.connection, creation_statements: place.texts.creation, default_ttl: 5400, max_ttl }
        const written = await bench.call('database.writeRole', { path, body, mount: 'timed' })
        const asked = written.ok ? await place.ask(path.name) : undefined
        await bench.decide(clause, () => {
          if (asked?.answer.ok) expect(asked.credential.duration).toBeLessThanOrEqual(1800)
          else expect(asked?.answer ?? written).toBeRefused()
        })
      }
    },
  )

  check(
    id('ttl-table'),
    ['DATABASE-TTL-02', 'DATABASE-TTL-03', 'DATABASE-TTL-07', 'DATABASE-TTL-08', 'DATABASE-TEMPLATE-05'],
    'how long a lease lasts, by every combination of role and mount, and that statements have its end',
    needs(kind, { mounts: { timed: { type: 'database', config: { defaultLeaseTtl: 900, maxLeaseTtl: 1800 } } } }),
    async (context) => {
      const place = await placeFor(context.bench, kind, { mount: 'timed' })
      let given = 0
      for (const row of TABLE) given += (await expectRow(context, place, row)) ? 1 : 0
      if (given === 0) context.bench.blocked('no role gives credentials', 'see the clauses of credentials first')
    },
  )

  check(id('ttl-max'), 'DATABASE-TTL-07', 'no lease outlasts the maximum of its role', needs(kind), async ({ bench, expect }) => {
    const place = await placeFor(bench, kind)
    const path = { name: bench.mixedName('role') }
    const body = { db_name: place.connection, creation_statements: place.texts.creation, default_ttl: 3600, max_ttl: 300 }
    const written = await bench.call('database.writeRole', { path, body })
    const asked = written.ok ? await place.ask(path.name) : undefined
    if (asked?.answer.ok) expect(asked.credential.duration).toBeLessThanOrEqual(300)
    else expect(asked?.answer ?? written).toBeRefused()
  })

  check(
    id('ttl-renewal'),
    'DATABASE-TTL-09',
    'renewal stops at the maximum of the role',
    needs(kind, { features: ['leases'] }),
    async ({ bench, expect }) => {
      const place = await placeFor(bench, kind)
      const made = await place.credential(
        await place.role({ default_ttl: 60, max_ttl: 120, creation_statements: place.texts.bareCreation }),
      )
      await renewsWithin({ bench, expect }, made.lease, 120)
    },
  )

  check(
    id('ttl-renewal-mount'),
    ['DATABASE-TTL-08', 'DATABASE-TTL-12'],
    'renewal stops at the maximum of the mount, where the role has a longer one or none',
    needs(kind, { features: ['leases'], mounts: { timed: { type: 'database', config: { maxLeaseTtl: 1800 } } } }),
    async ({ bench, expect }) => {
      const place = await placeFor(bench, kind, { mount: 'timed' })
      await Promise.all(
        [['DATABASE-TTL-08', 7200] as const, ['DATABASE-TTL-12', 0] as const].map(async ([clause, max_ttl]) => {
          const path = { name: bench.mixedName('role') }
          const body = { db_name: place.connection, creation_statements: place.texts.bareCreation, default_ttl: 60, max_ttl }
          const written = await bench.call('database.writeRole', { path, body, mount: 'timed' })
          await bench.decide(clause, async () => {
            // A maximum above that of the mount may be refused; none at all may not.
            if (max_ttl > 0 && !written.ok) return void expect(written).toBeRefused()
            expect(written).toSucceed()
            await renewsWithin({ bench, expect }, (await place.credential(path.name)).lease, 1800)
          })
        }),
      )
    },
  )

  check(
    id('ttl-renewed'),
    'DATABASE-CREDS-06',
    'the user of a renewed lease outlives the end that the lease had at first',
    needs(kind, { features: ['leases'] }),
    async ({ bench, expect }) => {
      const place = await placeFor(bench, kind)
      const role = await place.role({ default_ttl: 5, max_ttl: 120, creation_statements: place.texts.bareCreation })
      // The one that is not prolonged was made later, and shows when the first end has passed.
      const [renewed, left] = [await place.credential(role), await place.credential(role)]
      const { ok, body } = await bench.leases.renew(renewed.lease, 60)
      const { lease_duration: granted } = (body ?? {}) as { lease_duration?: unknown }
      // How long a renewal lasts is for the server to say: one that ends with the lease beside it shows nothing.
      if (!ok || !(Number(granted) > 30)) return bench.observe('DATABASE-CREDS-06', `renewed for ${granted ?? 'no'} seconds`)
      await bench.eventually(async () => expect(await place.sql.login(left), 'the user of the lease beside it').toBe(false), {
        within: 15_000 + bench.grace,
        because: 'its lease of five seconds has ended',
      })
      expect(await place.sql.login(renewed), 'the user of the renewed lease').toBe(true)
    },
  )

  check(
    id('ttl-renewed-end'),
    'DATABASE-CREDS-05',
    'the user of a renewed lease ends with it',
    needs(kind, { features: ['leases'] }),
    async ({ bench, expect }) => {
      const place = await placeFor(bench, kind)
      const role = await place.role({ default_ttl: 50, max_ttl: 120, creation_statements: place.texts.bareCreation })
      const made = await place.credential(role)
      await endsOnceRenewed({ bench, expect }, made.lease, () => place.sql.login(made))
    },
  )
}
