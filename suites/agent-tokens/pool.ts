/** Pools for checks. A fixed pool that the configuration names once is given to one check after the other. */
import type { Bench } from '../../harness/checks/index.ts'
import { attributesOf, createToken, itemsOf, pagesOf } from './tokens.ts'

/** How long a check waits for a pool that another one works in, in ms. */
const PATIENCE = 40_000

/** When the checks that asked for a pool so far are done with it, by pool. */
const queues = new Map<string, Promise<void>>()
/** The pools of each check; its generator of random numbers stands for the check, whichever of its generated cases asks. */
const held = new WeakMap<Bench['random'], Set<string>>()

/** Destroys what this run created in a pool. */
const clear = async (bench: Bench, pool: string): Promise<void> => {
  const ours = (await pagesOf(bench, pool, 20))
    .flatMap(itemsOf)
    .filter((token) => String(attributesOf(token).description).startsWith(`assay-${bench.run}`))
  await Promise.all(ours.map((token) => bench.call('agentTokens.destroy', { path: { id: String(token.id) } })))
}

const late = (): { over: Promise<'late'>; cancel: () => void } => {
  let timer: NodeJS.Timeout | undefined
  const over = new Promise<'late'>((resolve) => {
    timer = setTimeout(() => resolve('late'), PATIENCE)
  })
  return { over, cancel: () => clearTimeout(timer) }
}

/** Waits until no other check works in the pool; what is returned lets the next one in. */
const enter = async (bench: Bench, pool: string): Promise<() => void> => {
  const before = queues.get(pool)
  let leave: () => void = () => undefined
  const done = new Promise<void>((resolve) => {
    leave = resolve
  })
  queues.set(pool, before === undefined ? done : before.then(() => done))
  if (before === undefined) return leave
  const { over, cancel } = late()
  const first = await Promise.race([before, over])
  cancel()
  if (first === 'late') {
    leave()
    bench.blocked(
      'the agent pool of the configuration was busy with other checks',
      'list more pools under fixtures.agent-pool, or use the command provisioner',
    )
  }
  return leave
}

/** A pool to work in, without tokens of this run; what the check creates there is destroyed afterwards. */
export const aPool = async (bench: Bench, purpose: 'agent-pool' | 'other-agent-pool' = 'agent-pool'): Promise<string> => {
  const { id } = await bench.fixture(purpose)
  if (typeof id !== 'string') bench.blocked(`the fixture ${purpose} has no id`, 'give it as { id: ... }')
  const pool = id as string
  const own = held.get(bench.random) ?? new Set()
  held.set(bench.random, own)
  if (own.has(pool)) {
    await clear(bench, pool)
    return pool
  }
  const leave = await enter(bench, pool)
  own.add(pool)
  bench.defer(async () => {
    try {
      await clear(bench, pool)
    } finally {
      leave()
    }
  })
  return pool
}

/** A pool with this many tokens; their ids in no special order. */
export const poolOf = async (bench: Bench, count: number): Promise<{ pool: string; ids: string[] }> => {
  const pool = await aPool(bench)
  const tokens = await Promise.all(Array.from({ length: count }, () => createToken(bench, pool)))
  return { pool, ids: tokens.map(({ id }) => id) }
}
