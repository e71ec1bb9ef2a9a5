import { check, commandsOf, fc, race } from '../../harness/checks/index.ts'
import { allIds, createToken, documented, otherId, showToken } from './fixtures.ts'
import { aPool, settled } from './pool.ts'

check(
  'agent-tokens/destroy',
  ['AGENT-TOKENS-DESTROY-01', 'AGENT-TOKENS-DESTROY-02', 'AGENT-TOKENS-DESTROY-07'],
  'a destroyed token is gone',
  async ({ bench, expect }) => {
    const { id } = await createToken(bench, await aPool(bench))
    const destroyed = await bench.call('agentTokens.destroy', { path: { id } })
    await bench.decide('AGENT-TOKENS-DESTROY-01', () => {
      expect(destroyed).toHaveStatus(204)
      expect(destroyed.bytes.length, 'bytes in the body').toBe(0)
    })
    await bench.decide('AGENT-TOKENS-DESTROY-07', () => expect(destroyed, 'the route under the full prefix').toSucceed())
    const shown = await showToken(bench, id)
    await bench.decide('AGENT-TOKENS-DESTROY-02', () => expect(shown, 'a destroyed token').toHaveStatus(404))
  },
)

check(
  'agent-tokens/destroy-again',
  ['AGENT-TOKENS-DESTROY-02', 'AGENT-TOKENS-DESTROY-04'],
  'a token is destroyed once, and the next one is another',
  async ({ bench, expect }) => {
    const pool = await aPool(bench)
    const { id } = await createToken(bench, pool)
    await bench.given('agentTokens.destroy', { path: { id } })
    const again = await bench.call('agentTokens.destroy', { path: { id } })
    await bench.decide('AGENT-TOKENS-DESTROY-04', () => expect(again, 'the second destruction').toHaveStatus(404))
    const next = await createToken(bench, pool)
    const shown = await showToken(bench, id)
    await bench.decide('AGENT-TOKENS-DESTROY-02', () => expect(shown, 'the destroyed token once there is another').toHaveStatus(404))
    const afterwards = await bench.call('agentTokens.destroy', { path: { id } })
    await bench.decide('AGENT-TOKENS-DESTROY-04', () => {
      expect(afterwards, 'its destruction once there is another').toHaveStatus(404)
      expect(next.id, 'the id of the other').not.toBe(id)
    })
  },
)

check('agent-tokens/destroy-others', 'AGENT-TOKENS-DESTROY-05', 'the other tokens stay as they are', async ({ bench, expect }) => {
  const pool = await aPool(bench)
  const [gone, kept] = [await createToken(bench, pool), await createToken(bench, pool)]
  const before = await bench.given('agentTokens.show', { path: { id: kept.id } })
  await bench.given('agentTokens.destroy', { path: { id: gone.id } })
  const after = await bench.given('agentTokens.show', { path: { id: kept.id } })
  expect(documented(after.data)).toEqual(documented(before.data))
  const isListed = async () => expect(await allIds(bench, pool)).toContain(kept.id)
  await bench.eventually(isListed, { because: 'the other token is listed' })
})

check(
  'agent-tokens/destroy-unknown',
  'AGENT-TOKENS-DESTROY-03',
  'an id that no token has cannot be destroyed',
  async ({ bench, expect }) => {
    const pool = await aPool(bench)
    const { id } = await createToken(bench, pool)
    await settled(bench, pool)
    const refused = await bench.refuses('agentTokens.destroy', {
      bad: { path: { id: otherId(bench, id) } },
      control: { path: { id } },
      unchanged: () => allIds(bench, pool),
      status: 404,
    })
    expect(refused).toHaveStatus(404)
  },
)

interface State {
  there: boolean
}
interface World {
  id: string
}
const on = commandsOf<State, World>()

race<State, World>(
  'agent-tokens/race-destroy',
  'AGENT-TOKENS-DESTROY-06',
  'of requests that destroy one token at once, one succeeds',
  { runs: [3, 8] },
  {
    world: async (bench) => ({ id: (await createToken(bench, await aPool(bench))).id }),
    initial: () => ({ there: true }),
    prefix: 0,
    branch: 1,
    probes: [{ command: 'show', drawn: null }],
    commands: {
      destroy: on({
        arguments: fc.constant(null),
        weight: 3,
        run: (bench, _, { id }) => bench.call('agentTokens.destroy', { path: { id } }),
        expects: (state, _, seen, expect) => expect(seen).toHaveStatus(state.there ? 204 : 404),
        next: () => ({ there: false }),
      }),
      show: on({
        arguments: fc.constant(null),
        run: (bench, _, { id }) => showToken(bench, id),
        expects: (state, _, seen, expect) => expect(seen).toHaveStatus(state.there ? 200 : 404),
        next: (state) => state,
      }),
    },
  },
)
