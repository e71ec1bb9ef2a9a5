import { commandsOf, fc, type Race, race } from '../../harness/checks/index.ts'
import { exactJson } from './exact.ts'
import { meantBy, VERSION_1, VERSION_2, type Version } from './fixtures.ts'

interface State {
  value: number | null
}
type World = { path: string }

const on = commandsOf<State, World>()

const writers = (version: Version): Race<State, World> => ({
  world: async (bench) => ({ path: bench.mixedName('key') }),
  initial: () => ({ value: null }),
  probes: [{ command: 'read', drawn: null }],
  commands: {
    write: on({
      arguments: fc.nat(1_000_000),
      run: async (bench, value, { path }) => (await bench.call(version.write, { path: { path }, body: version.body({ value }) })).status,
      expects: (_state, _value, status, expect) => expect(status, 'status of a write').toBeLessThan(300),
      next: (_state, value) => ({ value }),
    }),
    read: on({
      arguments: fc.constant(null),
      async run(bench, _input, { path }) {
        const answer = await bench.call(version.read, { path: { path } })
        return { status: answer.status, meant: meantBy(version, answer) }
      },
      expects(state, _input, seen, expect) {
        if (state.value === null) expect(seen.status).toBe(404)
        else expect(seen.meant).toContainEqual(exactJson(JSON.stringify({ value: state.value })))
      },
      next: (state) => state,
    }),
  },
})

race('kv/v1-race-writes', 'KV-V1-13', 'reads among concurrent writes show what some order explains', {}, writers(VERSION_1))
race('kv/v2-race-writes', 'KV-V2-27', 'reads among concurrent writes show what some order explains', {}, writers(VERSION_2))
