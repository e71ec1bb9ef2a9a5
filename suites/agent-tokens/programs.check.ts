import { type Answer, type Bench, check, commandsOf, fc, type Json, model, race } from '../../harness/checks/index.ts'
import { allIds, attributesOf, creation, idsOf, inPool, itemsOf, paginationOf, showToken } from './fixtures.ts'
import { aPool, inTime, poolOf, settled, showsOwnTokens, strangers } from './pool.ts'

/** A token that a program created. */
interface Known {
  id: string
  description: string
  there: boolean
  /** The answer that names its id was lost. */
  lost?: boolean
}
type State = Known[]
interface World {
  pool: string
  name: string
}

const on = commandsOf<State, World>()
const alive = (state: State): Known[] => state.filter(({ there }) => there)

const world = async (bench: Bench): Promise<World> => {
  const pool = await aPool(bench)
  const others = await strangers(bench, pool)
  if (others.length > 0) bench.blocked(`the pool has ${others.length} tokens of its own`, 'give an empty pool under fixtures.agent-pool')
  return { pool, name: bench.fresh('token') }
}

/** One of the tokens made so far: drawn by number, its id filled in while the program runs. */
interface Chosen {
  [key: string]: number | string
  which: number
  id: string
}
const one = fc.nat(5).map((which): Chosen => ({ which, id: '' }))
const chosen = (state: State, { which }: Chosen): Chosen | undefined => {
  const known = state[which % Math.max(1, state.length)]
  return known && { which: which % state.length, id: known.id }
}

const create = on({
  arguments: fc.nat(99),
  weight: 3,
  run: (bench, number, { pool, name }) =>
    bench.call('agentTokens.create', inPool(pool, creation(`${name} ${number} ${bench.random.word(8)}`))),
  expects: (_state, _number, seen: Answer, expect) => expect(seen).toHaveStatus(201),
  next: (state, number, seen) =>
    seen === undefined
      ? [...state, { id: '', description: String(number), there: true, lost: true }]
      : [...state, { id: String(seen.data.id), description: String(attributesOf(seen.data).description), there: true }],
})

const destroy = on({
  arguments: one,
  weight: 2,
  resolve: chosen,
  run: (bench, { id }) => bench.call('agentTokens.destroy', { path: { id } }),
  expects: (state, { which }, seen: Answer, expect) => expect(seen).toHaveStatus(state[which]!.there ? 204 : 404),
  next: (state, { which }) => state.map((known, at) => (at === which ? { ...known, there: false } : known)),
})

const show = on({
  arguments: one,
  resolve: chosen,
  run: (bench, { id }) => showToken(bench, id),
  expects(state, { which }, seen: Answer, expect) {
    const known = state[which]!
    expect(seen).toHaveStatus(known.there ? 200 : 404)
    if (known.there) expect(attributesOf(seen.data).description).toBe(known.description)
  },
  next: (state) => state,
})

const list = on({
  arguments: fc.constant(null),
  run: (bench, _, { pool }) => bench.call('agentTokens.list', { path: { agent_pool_id: pool } }),
  expects(state, _, seen: Answer, expect) {
    const known = alive(state).filter(({ lost }) => lost !== true)
    const shown = itemsOf(seen).filter(({ id }) => known.some((one) => one.id === id))
    expect(shown.map(({ id }) => id).sort()).toEqual(known.map(({ id }) => id).sort())
    expect(itemsOf(seen).length, 'tokens listed').toBe(alive(state).length)
    expect(paginationOf(seen)['total-count']).toBe(alive(state).length)
    for (const token of shown) expect(attributesOf(token).description).toBe(known.find(({ id }) => id === token.id)?.description)
  },
  next: (state) => state,
})

/** The list once it shows what the program did: nothing says that it does at once. */
const listInTime = {
  ...list,
  run: (bench: Bench, input: Json, world: World) =>
    inTime(
      bench,
      () => list.run(bench, input, world) as Promise<Answer>,
      (seen) => showsOwnTokens(bench, world.pool, idsOf(seen)) && paginationOf(seen)['total-count'] === idsOf(seen).length,
    ),
}

model<State, World>(
  'agent-tokens/model',
  'AGENT-TOKENS-MODEL-01',
  'any sequence of creations and destructions is seen as it happened',
  { runs: [6, 15] },
  {
    world,
    initial: () => [],
    commands: { create, destroy, show, list: listInTime },
    async invariants({ bench, expect }, state, { pool }) {
      const ids = await settled(bench, pool)
      expect(ids.sort()).toEqual(
        alive(state)
          .map(({ id }) => id)
          .sort(),
      )
    },
  },
)

race<State, World>(
  'agent-tokens/race-create-list',
  'AGENT-TOKENS-RACE-02',
  'lists read while tokens are created and destroyed show what some order explains',
  { runs: [3, 8] },
  {
    world,
    initial: () => [],
    prefix: 2,
    branch: 2,
    probes: [{ command: 'list', drawn: null }],
    concurrent: ['create', 'destroy', 'list'],
    commands: { create, destroy, list },
  },
)

check(
  'agent-tokens/created-at-once',
  'AGENT-TOKENS-RACE-01',
  'tokens created at once are all there afterwards, each once',
  { kind: 'race' },
  async ({ bench, expect }) => {
    for (let round = 1; round <= bench.effort(1, 2); round += 1) {
      const { pool, ids } = await poolOf(bench, 8)
      const listed = await allIds(bench, pool)
      expect(
        ids.map((id) => listed.filter((other) => other === id).length),
        'times that each created token is listed',
      ).toEqual(Array(8).fill(1))
    }
  },
)
