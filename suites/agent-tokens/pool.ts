/** Pools for checks, and what this check did in them. A fixed pool is reserved by one check after the other, and left as it was. */
import type { Bench } from '../../harness/checks/index.ts'
import { allIds, attributesOf, createToken, creation, inPool, itemsOf, pagesOf } from './fixtures.ts'

/** How long a list that disappointed once is waited for again, in ms. */
const SECOND_PATIENCE = 1000

/** What a check did, by pool: the ids of what it created, and whether it is still there. */
interface Activity {
  pools: Map<string, Map<string, boolean>>
  patience: number
}

const observed = (bench: Bench): Activity => {
  const made: Activity = { pools: new Map(), patience: bench.grace }
  bench.listen('agentTokens.create', ({ data }, { path }) => {
    if (typeof data.id === 'string') made.pools.get(path?.agent_pool_id ?? '')?.set(data.id, true)
  })
  bench.listen('agentTokens.destroy', (_, { path }) => {
    for (const ours of made.pools.values()) if (ours.has(path?.id ?? '')) ours.set(path?.id ?? '', false)
  })
  return made
}

const activityOf = (bench: Bench): Activity => bench.memo('pools', () => observed(bench))

const oursIn = (bench: Bench, pool: string): Map<string, boolean> => {
  const { pools } = activityOf(bench)
  const ours = pools.get(pool) ?? new Map<string, boolean>()
  pools.set(pool, ours)
  return ours
}

const alive = (ours: Map<string, boolean>): string[] => [...ours].filter(([, there]) => there).map(([id]) => id)

/** Reads a list until `holds` or this check's patience with lists is over; the caller judges the last reading. */
export const inTime = async <T>(bench: Bench, read: () => Promise<T>, holds: (seen: T) => boolean): Promise<T> => {
  const own = activityOf(bench)
  const end = performance.now() + own.patience
  const look = async (): Promise<{ seen: T } | false> => {
    const seen = await read()
    if (holds(seen)) return { seen }
    if (performance.now() < end) return false
    own.patience = SECOND_PATIENCE
    return { seen }
  }
  const { seen } = (await bench.eventually(look, { within: own.patience + bench.grace })) as { seen: T }
  return seen
}

/** Whether a reading shows what this check did in a pool so far: all that it created and did not destroy. */
export const showsOwnTokens = (bench: Bench, pool: string, ids: readonly string[]): boolean => {
  const ours = oursIn(bench, pool)
  const shown = new Set(ids.filter((id) => ours.has(id)))
  return [...shown].sort().join() === alive(ours).sort().join()
}

/** Waits until a pool's list shows what this check did there, for nothing says that it does at once. Returns the ids of the last reading. */
export const settled = (bench: Bench, pool: string): Promise<string[]> =>
  inTime(
    bench,
    () => allIds(bench, pool),
    (ids) => showsOwnTokens(bench, pool, ids),
  )

/** Ids of the pool's tokens that no answer to this check named: what a refused request must not add to. */
export const strangers = async (bench: Bench, pool: string): Promise<string[]> => {
  const ours = oursIn(bench, pool)
  return (await allIds(bench, pool)).filter((id) => !ours.has(id))
}

/**
 * Destroys what this check created in a pool: what the answers named, and what was created without an answer. The last thing that goes was listed before: once a list
 * that lags shows that it has gone, nothing that was done earlier can still come up.
 */
const clear = async (bench: Bench, pool: string): Promise<void> => {
  const ours = oursIn(bench, pool)
  if (ours.size > 0 && alive(ours).length === 0) await bench.call('agentTokens.create', inPool(pool, creation(bench.fresh('last'))))
  await settled(bench, pool)
  const unnamed = (await pagesOf(bench, pool, 20))
    .flatMap(itemsOf)
    .filter((token) => !ours.has(String(token.id)) && String(attributesOf(token).description).includes(`assay-${bench.run}`))
  const ids = [...alive(ours), ...unnamed.map(({ id }) => String(id))]
  await Promise.all(ids.map((id) => bench.call('agentTokens.destroy', { path: { id } })))
  await settled(bench, pool)
}

const idOf = (bench: Bench, purpose: string, { id }: Awaited<ReturnType<Bench['fixture']>>): string => {
  if (typeof id !== 'string') bench.blocked(`the fixture ${purpose} has no id`, 'give it as { id: ... }')
  return id as string
}

const reserved = async (bench: Bench, purpose: string): Promise<string> => {
  const pool = idOf(bench, purpose, await bench.reserve(purpose))
  if (activityOf(bench).pools.has(pool)) await clear(bench, pool)
  else {
    oursIn(bench, pool)
    bench.defer(() => clear(bench, pool))
  }
  return pool
}

/** A pool to work in, without tokens of this run; what the check creates there is destroyed afterwards. */
export const aPool = (bench: Bench): Promise<string> => reserved(bench, 'agent-pool')

/** Two pools to work in. Every check reserves them in this order, so that no two wait for each other. */
export const twoPools = async (bench: Bench): Promise<[pool: string, other: string]> => {
  const [pool, other] = [await aPool(bench), await reserved(bench, 'other-agent-pool')]
  if (pool === other) bench.blocked('agent-pool and other-agent-pool are the same pool', 'give two pools')
  return [pool, other]
}

/** Another pool, in which nothing is created. */
export const otherPool = async (bench: Bench): Promise<string> => idOf(bench, 'other-agent-pool', await bench.fixture('other-agent-pool'))

/** A pool with this many tokens, all of them in its list; their ids in no special order. */
export const poolOf = async (bench: Bench, count: number): Promise<{ pool: string; ids: string[] }> => {
  const pool = await aPool(bench)
  const tokens = await Promise.all(Array.from({ length: count }, () => createToken(bench, pool)))
  await settled(bench, pool)
  return { pool, ids: tokens.map(({ id }) => id) }
}
