import { commandsOf, fc, race } from '../../harness/checks/index.ts'

interface State {
  versions: number
}

const on = commandsOf<State, { path: string }>()

race('kv/v2-race-versions', 'KV-V2-26', 'concurrent writes to one key make a version each', {}, {
  world: async (bench) => ({ path: bench.fresh('key') }),
  initial: () => ({ versions: 0 }),
  commands: {
    write: on({
      arguments: fc.nat(1_000_000),
      async run(bench, value, { path }) {
        const answer = await bench.call('kv2.write', { path: { path }, body: { data: { value } } })
        return { status: answer.status, version: answer.data.version ?? null }
      },
      // What the answer to a write holds is open: only a version that is told is compared.
      expects(state, _value, seen, expect) {
        expect(seen.status, 'status of a write').toBeLessThan(300)
        if (typeof seen.version === 'number') expect(seen.version, 'version made by a write').toBe(state.versions + 1)
      },
      next: (state) => ({ versions: state.versions + 1 }),
    }),
  },
})
