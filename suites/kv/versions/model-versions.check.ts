import { commandsOf, type Expect, fc, type Json, model } from '../../../harness/checks/index.ts'
import { exactJson } from '../exact.ts'
import { meantBy, VERSION_2 } from '../fixtures.ts'

/** A version of the key: the number stored in it, and what became of it. */
interface Version {
  number: number
  value: number
  fate: 'kept' | 'deleted' | 'destroyed'
}

interface State {
  versions: Version[]
  /** The clause that a read decides after the latest step. */
  clause: string
}

type World = { path: string }
/** How many versions back from the newest one that the step is for; `number` is what the service calls it. */
type Pick = { back: number; number?: number }

const on = commandsOf<State, World>()
const newest = (state: State): Version | undefined => state.versions.at(-1)

const chosen = (state: State, drawn: Pick, fates: Version['fate'][]): Pick | undefined => {
  const eligible = state.versions.filter(({ fate }) => fates.includes(fate))
  const version = eligible.at(-1 - (drawn.back % eligible.length))
  return version === undefined ? undefined : { ...drawn, number: version.number }
}

const withFate = (state: State, input: Pick, fate: Version['fate'], clauses: { newest: string; other: string }): State => ({
  versions: state.versions.map((version) => (version.number === input.number ? { ...version, fate } : version)),
  clause: newest(state)?.number === input.number ? clauses.newest : clauses.other,
})

const route = (name: 'delete' | 'undelete' | 'destroy', from: Version['fate'][], change: (state: State, input: Pick) => State) =>
  on({
    arguments: fc.record({ back: fc.nat(2) }) as fc.Arbitrary<Pick>,
    weight: name === 'destroy' ? 1 : 2,
    resolve: (state, drawn) => chosen(state, drawn, from),
    async run(bench, input, { path }) {
      const answer = await bench.call(`kv2.${name}Versions`, { path: { path }, body: { versions: [input.number ?? 0] } })
      // Undeleting what is destroyed may be refused; otherwise the body is a dialect's, and a target that does not take it is not graded.
      if (!answer.ok && !from.includes('destroyed'))
        bench.blocked(`kv2.${name}Versions answered ${answer.status}`, 'give the dialect the bodies of the version routes')
      return answer.status
    },
    expects: () => undefined,
    next: change,
  })

const expectRead = (state: State, meant: Json[], status: number, expect: Expect): void => {
  const version = newest(state)
  if (version?.fate === 'kept') expect(meant, 'what a read shows').toContainEqual(exactJson(JSON.stringify({ value: version.value })))
  else if (version === undefined) expect(status, 'status of a read of a key that was never written').toBe(404)
  else {
    const hidden = state.versions.filter(({ fate }) => fate !== 'kept').map(({ value }) => exactJson(JSON.stringify({ value })))
    for (const object of hidden) expect(meant, 'what a read shows after the newest version is gone').not.toContainEqual(object)
  }
}

const read = on({
  arguments: fc.constant(null),
  async run(bench, _input, { path }) {
    const answer = await bench.call('kv2.read', { path: { path } })
    return { status: answer.status, meant: meantBy(VERSION_2, answer) }
  },
  expects: (state, _input, seen, expect) => expectRead(state, seen.meant, seen.status, expect),
  next: (state) => state,
  clause: (state) => state.clause,
})

const CLAUSES = ['KV-V2-02', 'KV-V2-06', 'KV-V2-07', 'KV-V2-08', 'KV-V2-09', 'KV-V2-10', 'KV-V2-11', 'KV-V2-12', 'KV-V2-13', 'KV-V2-14']

model(
  'kv/v2-versions-model',
  CLAUSES,
  'any sequence of writes, deletions, restorations and destructions',
  { runs: [15, 50] },
  {
    world: async (bench) => ({ path: bench.mixedName('key') }),
    initial: (): State => ({ versions: [], clause: 'KV-V2-07' }),
    length: 12,
    watch: { command: 'read', drawn: null },
    commands: {
      write: on({
        arguments: fc.record({ value: fc.nat(1_000_000) }),
        weight: 3,
        // Values that repeat could not tell one version from another.
        resolve: (state, drawn) => (state.versions.some(({ value }) => value === drawn.value) ? undefined : drawn),
        async run(bench, input, { path }) {
          const { data } = await bench.given('kv2.write', { path: { path }, body: { data: input } })
          return typeof data.version === 'number' ? data.version : undefined
        },
        expects: () => undefined,
        next(state, { value }, seen) {
          const latest = newest(state)
          const number = seen ?? state.versions.length + 1
          const clause = latest === undefined ? 'KV-V2-02' : latest.fate === 'deleted' ? 'KV-V2-14' : 'KV-V2-06'
          return { versions: [...state.versions, { number, value, fate: 'kept' }], clause }
        },
      }),
      read,
      delete: route('delete', ['kept'], (state, input) => withFate(state, input, 'deleted', { newest: 'KV-V2-08', other: 'KV-V2-12' })),
      undelete: route('undelete', ['deleted'], (state, input) => withFate(state, input, 'kept', { newest: 'KV-V2-09', other: 'KV-V2-12' })),
      undeleteDestroyed: route('undelete', ['destroyed'], (state, input) =>
        withFate(state, input, 'destroyed', { newest: 'KV-V2-11', other: 'KV-V2-13' }),
      ),
      destroy: route('destroy', ['kept', 'deleted'], (state, input) =>
        withFate(state, input, 'destroyed', { newest: 'KV-V2-10', other: 'KV-V2-13' }),
      ),
    },
  },
)
